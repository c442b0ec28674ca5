package tui

import (
	"context"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

func TestCloseCancelsCommandsAndWaits(t *testing.T) {
	ts := newTasks()
	got := make(chan error, 1)
	began := make(chan struct{})
	go ts.cmd(func(ctx context.Context) tea.Msg {
		close(began)
		<-ctx.Done()
		got <- ctx.Err()
		return nil
	})()
	<-began
	if err := ts.close(10 * time.Second); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-got:
		if err == nil {
			t.Error("the command was not cancelled")
		}
	default:
		t.Error("close returned before the command did")
	}
}

func TestCommandAfterCloseDoesNothing(t *testing.T) {
	ts := newTasks()
	if err := ts.close(time.Second); err != nil {
		t.Fatal(err)
	}
	if msg := ts.cmd(func(context.Context) tea.Msg { t.Error("ran"); return 1 })(); msg != nil {
		t.Errorf("message %v", msg)
	}
}

func TestCloseSaysWhatDoesNotEnd(t *testing.T) {
	ts := newTasks()
	hold, began, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ts.cmd(func(context.Context) tea.Msg { close(began); <-hold; return nil })()
	}()
	<-began
	if err := ts.close(time.Millisecond); err == nil {
		t.Error("no word of a command that does not end")
	}
	close(hold)
	<-ended
}

func TestPauseEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if pause(ctx, time.Hour) || pause(ctx, 0) {
		t.Error("a cancelled pause says that it ran its time")
	}
	if !pause(context.Background(), time.Nanosecond) {
		t.Error("a pause that ran its time says that it was cancelled")
	}
}
