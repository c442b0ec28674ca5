package probes

import (
	"cmp"
	"slices"
	"time"
)

// ClassLoaders is the class loaders of a JVM (VM.classloader_stats). Loaders
// that nobody refers to any more stay in it until a collection unloads them,
// and nothing marks them.
type ClassLoaders struct {
	Taken      time.Time        `json:"taken"` // zero: unknown
	Rows       []ClassLoaderRow `json:"rows"`  // most chunk bytes first
	Classes    int64            `json:"classes"`
	ChunkBytes int64            `json:"chunk_bytes"`
	BlockBytes int64            `json:"block_bytes"`
}

// ClassLoaderRow is one loader.
type ClassLoaderRow struct {
	ID         string `json:"id"`     // of its class, not of the loader itself: loaders of one type share it; "" for the boot loader
	Parent     string `json:"parent"` // "" for none
	Data       string `json:"data"`   // address of its data in the JVM: tells loaders apart; "" for one that has loaded nothing
	Type       string `json:"type"`   // "<boot class loader>", "com.acme.PluginLoader"
	Classes    int64  `json:"classes"`
	ChunkBytes int64  `json:"chunk_bytes"` // metaspace set aside for it
	BlockBytes int64  `json:"block_bytes"` // metaspace used in it
	// Hidden (JDK 15+) or unsafe anonymous (before) classes that it is the
	// loader of; they are not in the figures above.
	Hidden HiddenClasses `json:"hidden"`
}

// HiddenClasses are classes that a loader holds aside: lambdas, mostly.
type HiddenClasses struct {
	Classes    int64 `json:"classes"`
	ChunkBytes int64 `json:"chunk_bytes"`
	BlockBytes int64 `json:"block_bytes"`
}

// ClassLoaderType is all loaders of one type together.
type ClassLoaderType struct {
	Type       string `json:"type"`
	Loaders    int64  `json:"loaders"`
	Classes    int64  `json:"classes"` // hidden ones included
	ChunkBytes int64  `json:"chunk_bytes"`
	BlockBytes int64  `json:"block_bytes"`
	Empty      int64  `json:"empty"` // loaders that have loaded nothing
}

// ByType adds loaders up by type, most loaders first: a thousand of one type
// is how a leak of class loaders shows.
func (c *ClassLoaders) ByType() []ClassLoaderType {
	at := map[string]int{}
	var out []ClassLoaderType
	for i := range c.Rows {
		r := &c.Rows[i]
		n, ok := at[r.Type]
		if !ok {
			n = len(out)
			at[r.Type] = n
			out = append(out, ClassLoaderType{Type: r.Type})
		}
		t := &out[n]
		t.Loaders++
		t.Classes += r.Classes + r.Hidden.Classes
		t.ChunkBytes += r.ChunkBytes + r.Hidden.ChunkBytes
		t.BlockBytes += r.BlockBytes + r.Hidden.BlockBytes
		if r.Classes+r.Hidden.Classes == 0 {
			t.Empty++
		}
	}
	slices.SortFunc(out, func(a, b ClassLoaderType) int {
		return cmp.Or(cmp.Compare(b.Loaders, a.Loaders), cmp.Compare(b.ChunkBytes, a.ChunkBytes), cmp.Compare(a.Type, b.Type))
	})
	return out
}
