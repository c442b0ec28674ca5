package screens

import (
	"example.com/jtop/probes"
	"example.com/jtop/tui/tuitest"
	"example.com/jtop/tui/view"
)

// loadPages is the pages of the Load tab, and the states of its run.
func loadPages() []Screen {
	type O = tuitest.Options
	var out []Screen
	add := func(name string, part view.Part, o O, st view.LoadState, change ...func(f *probes.Frame)) {
		o.Load = true
		out = append(out, page(name, view.TabLoad, part, o, func(c view.Ctx, f *probes.Frame) string {
			s := view.NewLoadState(tuitest.LoadConfig())
			s.Part, s.Heat, s.Requests, s.Tree = part, st.Heat, st.Requests, st.Tree
			if o.Hostile {
				tuitest.HostileLoad(f)
			} else if change == nil || change[0] != nil {
				tuitest.More(f, view.HeatFor(view.TabLoad, view.LoadRun, c.W))
			}
			for _, ch := range change {
				if ch != nil {
					ch(f)
				}
			}
			if part == view.LoadTree && s.Tree.Open {
				s.Tree.Open = false
				s.Tree.Move(f, 3)
				s.Tree.Enter(f)
			}
			return view.Load(c, f, &s)
		}))
	}
	stopped := func(f *probes.Frame) {
		l := *f.Load
		l.Phase, l.Stopped = probes.LoadDone, true
		f.Load = &l
	}
	none := func(f *probes.Frame) { f.Load, f.Tree, f.Heat = nil, nil, nil }
	add("load_run", view.LoadRun, O{}, view.LoadState{})
	add("load_heat", view.LoadRun, O{}, view.LoadState{Heat: true})
	add("load_open", view.LoadRun, O{}, view.LoadState{}, tuitest.Open)
	add("load_failing", view.LoadRun, O{}, view.LoadState{}, tuitest.Failing)
	add("load_stopped", view.LoadRun, O{}, view.LoadState{}, stopped)
	add("load_following", view.LoadRun, O{}, view.LoadState{}, tuitest.Following)
	add("load_requests", view.LoadRequests, O{}, view.LoadState{})
	add("load_requests_old", view.LoadRequests, O{}, view.LoadState{}, nil)
	add("load_requests_failures", view.LoadRequests, O{}, view.LoadState{Requests: view.LoadRequestsState{Of: view.Failures}})
	add("load_requests_following", view.LoadRequests, O{}, view.LoadState{}, tuitest.Following)
	add("load_requests_none", view.LoadRequests, O{}, view.LoadState{}, none)
	add("load_requests_hostile", view.LoadRequests, O{Hostile: true}, view.LoadState{})
	add("load_tree", view.LoadTree, O{}, view.LoadState{})
	add("load_tree_open", view.LoadTree, O{}, view.LoadState{Tree: view.LoadTreeState{Open: true}})
	add("load_tree_following", view.LoadTree, O{}, view.LoadState{}, tuitest.Following)
	add("load_tree_none", view.LoadTree, O{}, view.LoadState{}, none)
	add("load_tree_hostile", view.LoadTree, O{Hostile: true}, view.LoadState{})
	return out
}
