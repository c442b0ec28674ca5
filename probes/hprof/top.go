package hprof

import "slices"

// top keeps the n biggest entries of what it is shown; of equal ones the first.
type top[T any] struct {
	n    int
	size func(T) int64
	list []T // sorted, the biggest first
}

// least is the size that an entry must exceed to come in.
func (t *top[T]) least() int64 {
	if len(t.list) < t.n {
		return -1
	}
	return t.size(t.list[len(t.list)-1])
}

// add shows an entry. Few come in, so that moving the others costs little.
func (t *top[T]) add(v T) {
	size := t.size(v)
	if size <= t.least() {
		return
	}
	i, _ := slices.BinarySearchFunc(t.list, size, func(e T, size int64) int {
		if t.size(e) >= size {
			return -1
		}
		return 1
	})
	if len(t.list) == t.n {
		t.list = t.list[:t.n-1]
	}
	t.list = slices.Insert(t.list, i, v)
}
