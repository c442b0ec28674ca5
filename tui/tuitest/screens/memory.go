package screens

import (
	"example.com/jtop/probes"
	"example.com/jtop/tui/tuitest"
	"example.com/jtop/tui/view"
)

// memoryPages are the pages that show what the user asked for.
func memoryPages() []Screen {
	histograms := func(n int, live bool) func(c view.Ctx, f *probes.Frame) string {
		return func(c view.Ctx, f *probes.Frame) string {
			f.Histograms = tuitest.Histograms(f, n)
			if live {
				f.Histograms[n-1].Live = true
			}
			return view.Histogram(c, f, &view.HistogramState{})
		}
	}
	loaders := func(c view.Ctx, f *probes.Frame) string {
		f.Loaders = tuitest.ClassLoaders(f)
		return view.Loaders(c, f, &view.LoadersState{})
	}
	o := tuitest.Options{}
	return []Screen{
		page("histogram_none", view.TabMemory, view.MemoryClasses, o, histograms(0, false)),
		page("histogram_one", view.TabMemory, view.MemoryClasses, o, histograms(1, false)),
		page("histogram_growth", view.TabMemory, view.MemoryClasses, o, histograms(3, false)),
		page("histogram_mixed", view.TabMemory, view.MemoryClasses, o, histograms(3, true)),
		page("loaders", view.TabClasses, view.ClassesLoaders, o, loaders),
		page("loaders_none", view.TabClasses, view.ClassesLoaders, o, func(c view.Ctx, f *probes.Frame) string { return view.Loaders(c, f, &view.LoadersState{}) }),
	}
}
