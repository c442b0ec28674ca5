package tui

import (
	"example.com/jtop/tui/keys"
	"example.com/jtop/tui/view"
)

// editing tells whether keys are text of the load form.
func (w *watch) editing() bool {
	return w.tab == view.TabLoad && w.part[w.tab] == view.LoadRun && w.load.Editing
}

// loadScopes is what the keys mean on the pages of the Load tab.
func (m *Model) loadScopes() []keys.Scope {
	w := &m.watch
	if w.editing() {
		return []keys.Scope{keys.Form, keys.Always}
	}
	var out []keys.Scope
	if active(loadOf(w.latest)) {
		out = append(out, keys.LoadActive)
	}
	switch w.part[w.tab] {
	case view.LoadRun:
		out = append(out, keys.Load)
	case view.LoadTree:
		out = append(out, keys.LoadTree)
	}
	return append(out, keys.LoadAny, keys.List, keys.Watch, keys.Global, keys.Always)
}

// loadListing is the list of a page of the Load tab; nil where there is none.
func (w *watch) loadListing() view.Listing {
	switch w.part[w.tab] {
	case view.LoadRequests:
		return &w.load.Requests
	case view.LoadTree:
		if !w.load.Tree.Open {
			return &w.load.Tree
		}
	}
	return nil
}

// nextLoadMode is the key that changes what a page of the Load tab draws.
func (w *watch) nextLoadMode() {
	switch w.part[w.tab] {
	case view.LoadRun:
		w.load.Heat = !w.load.Heat
	case view.LoadRequests:
		w.load.Requests.NextOutcome()
	}
}
