package tui

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/jtop/probes"
)

// tasks runs the model's commands and knows which are under way: bubbletea
// abandons commands when it ends, and a session must not be left open by one.
type tasks struct {
	ctx    context.Context
	cancel context.CancelFunc
	mu     sync.Mutex
	closed bool
	wg     sync.WaitGroup
}

func newTasks() *tasks {
	ctx, cancel := context.WithCancel(context.Background())
	return &tasks{ctx: ctx, cancel: cancel}
}

// cmd makes a command of fn. One that comes up after close does nothing.
func (t *tasks) cmd(fn func(ctx context.Context) tea.Msg) tea.Cmd {
	return func() tea.Msg {
		t.mu.Lock()
		if t.closed {
			t.mu.Unlock()
			return nil
		}
		t.wg.Add(1)
		t.mu.Unlock()
		defer t.wg.Done()
		return fn(t.ctx)
	}
}

// close cancels the commands and waits for them, at most for limit.
func (t *tasks) close(limit time.Duration) error {
	t.cancel()
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	done := make(chan struct{})
	go func() { defer close(done); t.wg.Wait() }()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return nil
	case <-timer.C:
		return fmt.Errorf("a command of the screen did not end in %s after it was cancelled", limit)
	}
}

// pause waits for d or until ctx ends, and tells whether it was d.
func pause(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// problem makes an error presentable; what is not a Problem yet becomes one
// with what as its headline.
func problem(what string, err error) *probes.Problem {
	if err == nil {
		return nil
	}
	var p *probes.Problem
	if errors.As(err, &p) {
		return p
	}
	return &probes.Problem{What: what, Why: probes.Clean(err.Error()), Next: "try again; jtop --log FILE keeps the details"}
}
