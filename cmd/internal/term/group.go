package term

import (
	"context"
	"sync"
)

// Group starts goroutines that cannot take the terminal down with them: a
// panic is kept with its stack and cancels the group's context, on which Run
// ends and restores the terminal; then main prints what Wait returns.
type Group struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	wg     sync.WaitGroup
	mu     sync.Mutex
	first  *PanicError
}

// NewGroup returns a group and its context, the root of everything that ends
// with it.
func NewGroup(parent context.Context) (*Group, context.Context) {
	ctx, cancel := context.WithCancelCause(parent)
	return &Group{ctx: ctx, cancel: cancel}, ctx
}

// Go runs fn in a goroutine. fn returns when its context ends.
func (g *Group) Go(name string, fn func(context.Context)) {
	g.wg.Go(func() {
		defer func() {
			if r := recover(); r != nil {
				g.keep(newPanic(name, r))
			}
		}()
		fn(g.ctx)
	})
}

func (g *Group) keep(p *PanicError) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.first == nil {
		g.first = p
	}
	g.cancel(p)
}

// Cancel asks all goroutines to end.
func (g *Group) Cancel() { g.cancel(context.Canceled) }

// Wait waits for all goroutines and returns the first panic, if any.
func (g *Group) Wait() error {
	g.wg.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.first == nil {
		return nil // a nil *PanicError would be an error that is not nil
	}
	return g.first
}
