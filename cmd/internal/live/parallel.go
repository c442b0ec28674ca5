package live

import (
	"runtime"
	"sync"
)

// Watching needs one processor, and costs less with one; what the user asked
// for and needs more takes them all for as long as it runs.
var processors struct {
	mu   sync.Mutex
	uses int
	idle int
}

// widen takes all processors until the returned function is called.
func widen() (narrow func()) {
	p := &processors
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.uses == 0 {
		p.idle = runtime.GOMAXPROCS(runtime.NumCPU())
	}
	p.uses++
	var once sync.Once
	return func() {
		once.Do(func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			if p.uses--; p.uses == 0 {
				runtime.GOMAXPROCS(p.idle)
			}
		})
	}
}
