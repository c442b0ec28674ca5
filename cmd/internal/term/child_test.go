package term

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"go.uber.org/goleak"

	_ "example.com/jtop/cmd/internal/prelude" // or every child waits 5 s for an answer
)

// childMode makes the test binary play a program on the terminal that it is
// given, which then fails in the way that the mode names.
const childMode = "TERM_TEST_CHILD"

func TestMain(m *testing.M) {
	if mode := os.Getenv(childMode); mode != "" {
		os.Exit(child(mode))
	}
	goleak.VerifyTestMain(m)
}

func child(mode string) int {
	g, ctx := NewGroup(context.Background())
	if mode == "goroutine" {
		g.Go("sampler", func(context.Context) {
			time.Sleep(300 * time.Millisecond)
			panic("boom-goroutine")
		})
	}
	err := Run(ctx, &childModel{mode: mode}, Config{In: os.Stdin, Out: os.Stdout, Mouse: true, Grace: 500 * time.Millisecond})
	g.Cancel()
	err = errors.Join(err, g.Wait())
	var p *PanicError
	var s *SignalError
	switch {
	case errors.As(err, &p):
		fmt.Printf("AFTER %v\n%s\n", p, p.Stack)
		return 70
	case errors.As(err, &s):
		fmt.Printf("AFTER %v stack=%d\n", s, len(s.Stack))
		return s.ExitCode()
	case err != nil && !errors.Is(err, context.Canceled):
		fmt.Printf("AFTER error %v\n", err)
		return 1
	}
	fmt.Println("AFTER quit")
	return 0
}

type childModel struct {
	mode  string
	view  int
	lines int
}

func (m *childModel) Init() tea.Cmd {
	switch m.mode {
	case "command":
		return tea.Batch(func() tea.Msg { panic("boom-command") })
	case "stuck":
		m.lines = 1 // each view differs, and the reader takes nothing
		return tick
	}
	return nil
}

type tickMsg struct{}

func tick() tea.Msg { time.Sleep(10 * time.Millisecond); return tickMsg{} }

func (m *childModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tickMsg:
		m.lines++
		return m, tick
	case tea.ResumeMsg:
		return m, tea.EnableMouseCellMotion
	case tea.KeyMsg:
		switch msg.String() {
		case "q":
			return m, tea.Quit
		case "u":
			panic("boom-update")
		case "v":
			m.view = 1
		case "ctrl+z":
			return m, tea.Suspend
		}
	}
	return m, nil
}

func (m *childModel) View() string {
	if m.view == 1 {
		panic("boom-view")
	}
	if m.lines > 0 {
		return strings.Repeat(strings.Repeat(fmt.Sprint(m.lines%10), 70)+"\n", 20) + fmt.Sprint("READY", m.lines)
	}
	return "READY"
}
