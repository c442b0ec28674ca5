package tuitest

import (
	"time"

	"example.com/jtop/probes"
)

// Histograms are n class histograms, ten seconds apart, the last one taken
// just before the frame. Byte arrays grow, sessions come, a cache is dropped.
func Histograms(f *probes.Frame, n int) []*probes.Histogram {
	out := make([]*probes.Histogram, n)
	for i := range out {
		k := int64(i)
		h := &probes.Histogram{Taken: f.Wall.Add(-time.Duration(n-1-i)*10*time.Second - 2*time.Second), Pause: probes.Some(182 * time.Millisecond), Rows: []probes.HistogramRow{
			{Class: "byte[]", Module: "java.base", Instances: 812_345 + 40_000*k, Bytes: 98<<20 + 31<<20*k},
			{Class: "java.lang.String", Module: "java.base", Instances: 790_112 + 39_000*k, Bytes: 18 << 20},
			{Class: "com.acme.orders.OrderLine", Instances: 120_000, Bytes: 5 << 20},
			{Class: "java.util.HashMap$Node[]", Module: "java.base", Instances: 4_012 - 7*k, Bytes: 3<<20 - 300*k},
			{Class: "com.acme.plugin.Handler", Instances: 12, Bytes: 384},
			{Class: "com.acme.plugin.Handler", Instances: 12, Bytes: 384}, // of another loader
		}}
		if i == 0 {
			h.Rows = append(h.Rows, probes.HistogramRow{Class: "com.acme.Warmup", Instances: 1, Bytes: 24})
		} else {
			h.Rows = append(h.Rows, probes.HistogramRow{Class: "com.acme.Session", Instances: 90 * k, Bytes: 8640 * k})
		}
		out[i] = h
	}
	return out
}

// ClassLoaders are those of an application whose plug-ins are reloaded and
// never let go.
func ClassLoaders(f *probes.Frame) *probes.ClassLoaders {
	l := &probes.ClassLoaders{Taken: f.Wall.Add(-5 * time.Second), Classes: 9_812, ChunkBytes: 71 << 20, BlockBytes: 66 << 20}
	add := func(n int, typ string, classes, chunk, block int64) {
		for range n {
			l.Rows = append(l.Rows, probes.ClassLoaderRow{Type: typ, Classes: classes, ChunkBytes: chunk, BlockBytes: block})
		}
	}
	add(1, "<boot class loader>", 4_102, 33<<20, 32<<20)
	add(1, "jdk.internal.loader.ClassLoaders$AppClassLoader", 3_110, 22<<20, 21<<20)
	add(37, "com.acme.plugin.PluginLoader", 60, 400<<10, 330<<10)
	add(12, "java.lang.reflect.DelegatingClassLoader", 0, 0, 0)
	return l
}
