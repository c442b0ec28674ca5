package screens

import (
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/tui/theme"
	"example.com/jtop/tui/tuitest"
	"example.com/jtop/tui/view"
)

// whole draws a screen that fills everything.
func whole(name string, draw func(c view.Ctx) string) Screen {
	return Screen{name, func(th *theme.Theme, w, h int) string { return draw(view.Ctx{Th: th, W: w, H: h}) }}
}

// oneLine draws a line of the chrome at the top of an empty screen.
func oneLine(name string, draw func(c view.Ctx) string) Screen {
	return Screen{name, func(th *theme.Theme, w, h int) string {
		if h < 1 {
			return ""
		}
		c := view.Ctx{Th: th, W: w, H: 1}
		s := draw(c)
		if h == 1 {
			return s
		}
		return s + "\n" + view.TooSmall(view.Ctx{Th: th, W: w, H: h - 1})
	}}
}

func overlays() []Screen {
	jvms := tuitest.JVMs(4)
	picker := func(l view.PickerList, filter, cursor string) func(c view.Ctx) string {
		return func(c view.Ctx) string {
			var st view.PickerState
			st.Table.Filter, st.Table.Cursor = filter, cursor
			return view.Picker(c, l, &st)
		}
	}
	scan := &probes.Problem{What: "2 processes could not be looked at", Why: "they belong to other users", Next: "run jtop as root to see them"}
	nasty := append([]probes.JVM(nil), jvms...)
	for i := range nasty {
		nasty[i].Name, nasty[i].User, nasty[i].MainClass, nasty[i].JDK = tuitest.Nasty, tuitest.Nasty, tuitest.Nasty, tuitest.Nasty
		nasty[i].Args = []string{tuitest.Nasty, tuitest.Nasty}
		nasty[i].Attach = probes.AttachStatus{Reason: tuitest.Nasty, Fix: tuitest.Nasty}
	}
	groups := []view.HelpGroup{
		{Title: "Everywhere", Hints: []view.Hint{{Key: "q", Text: "quit; asks only while a load run is active"}, {Key: "?", Text: "this help"}, {Key: "esc", Text: "back: filter, detail, list of JVMs; never quits"}}},
		{Title: "Move", Hints: []view.Hint{{Key: "up k", Text: "one up"}, {Key: "down j", Text: "one down"}, {Key: "pgup", Text: "a page up"}, {Key: "home g", Text: "first"}}},
		{Title: "Tables", Hints: []view.Hint{{Key: "/", Text: "filter while typing; !text leaves out; esc clears"}, {Key: "s", Text: "sort by the next column"}}},
	}
	paused := tuitest.Frame(tuitest.Options{Columns: 20})
	return []Screen{
		whole("picker", picker(view.PickerList{JVMs: jvms, Wall: tuitest.Wall, Ready: true}, "", "4711")),
		whole("picker_no_attach", picker(view.PickerList{JVMs: jvms, Wall: tuitest.Wall, Ready: true, Problem: scan}, "", "22001")),
		whole("picker_many", picker(view.PickerList{JVMs: tuitest.JVMs(50), Wall: tuitest.Wall, Ready: true}, "", "")),
		whole("picker_filter_none", picker(view.PickerList{JVMs: jvms, Wall: tuitest.Wall, Ready: true}, "no such", "")),
		whole("picker_empty", picker(view.PickerList{Wall: tuitest.Wall, Ready: true}, "", "")),
		whole("picker_first", picker(view.PickerList{}, "", "")),
		whole("picker_hostile", picker(view.PickerList{JVMs: nasty, Wall: tuitest.Wall, Ready: true, Problem: &probes.Problem{What: tuitest.Nasty, Next: tuitest.Nasty}}, "", "")),
		whole("help", func(c view.Ctx) string { return view.Help(c, groups, 0) }),
		whole("confirm", func(c view.Ctx) string {
			return view.Confirm(c, "Read the system properties?", "One attach request to pid 4711. The first one takes the JVM 30 to 170 ms of one thread; nothing is stopped.")
		}),
		whole("confirm_hostile", func(c view.Ctx) string { return view.Confirm(c, tuitest.Nasty, tuitest.Nasty+" "+tuitest.Nasty) }),
		whole("too_small", view.TooSmall),
		whole("waiting", func(c view.Ctx) string { return view.Waiting(c, &jvms[0], nil) }),
		whole("waiting_problem", func(c view.Ctx) string {
			return view.Waiting(c, &jvms[2], &probes.Problem{What: "the JVM cannot be watched", Why: "its counters belong to user postgres", Next: "run jtop as postgres or as root"})
		}),
		oneLine("header_paused", func(c view.Ctx) string {
			return view.Header(c, view.HeaderInfo{Frame: paused, Clock: tuitest.Wall, Paused: true, PausedFor: 75 * time.Second, ReadOnly: true, Window: 5 * time.Minute})
		}),
		oneLine("footer_toast", func(c view.Ctx) string {
			return view.Footer(c, view.FooterInfo{Hints: hints, Toast: "a run is active; x stops it", Kind: view.ToastWarn, Filter: tuitest.Nasty, Typing: true,
				Health: []probes.SourceHealth{{Source: "heap_info", Err: scan}}})
		}),
	}
}
