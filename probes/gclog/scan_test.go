package gclog

import (
	"testing"
	"time"
)

func TestSizes(t *testing.T) {
	for in, want := range map[string]int64{"0B": 0, "19M": 19 << 20, "7168.0K": 7168 << 10, "1.5G": 3 << 29, "2T": 2 << 40, "3512,5K": 3512<<10 + 512, "0.0B->": 0, "12K(": 12 << 10} {
		if v, _, ok := size([]byte(in)); !ok || v != want {
			t.Errorf("%q is %d, %v", in, v, ok)
		}
	}
	for _, in := range []string{"", "K", "12", "12X", "1.", "99999999999999999999M", "9999999G", ".5K"} {
		if v, _, ok := size([]byte(in)); ok {
			t.Errorf("%q is %d", in, v)
		}
	}
}

func TestTransitions(t *testing.T) {
	for in, want := range map[string]Space{
		"19712K->2432K(22144K)":            space(19712*kb, 2432*kb, 22144*kb),
		"18432K(21504K)->2668K(30M), rest": space(18432*kb, 2668*kb, 30*mb),
		"10M(16%)->8M(12%)":                space(10*mb, 8*mb, -1),
		"0.0B->1024.0K":                    space(0, 1024*kb, -1),
	} {
		if s, _, ok := transition([]byte(in)); !ok || s != want {
			t.Errorf("%q is %+v, %v", in, s, ok)
		}
	}
	for _, in := range []string{"", "19M", "19M->", "19M->x", "19M-2M", "19->2(3)", "19M(2M"} {
		if s, _, ok := transition([]byte(in)); ok {
			t.Errorf("%q is %+v", in, s)
		}
	}
}

func TestLengths(t *testing.T) {
	for in, want := range map[string]time.Duration{"3.073ms": 3073 * time.Microsecond, "0.042s": 42 * time.Millisecond, "12s": 12 * time.Second, "1,5ms": 1500 * time.Microsecond, "0.0000001s": 100} {
		if d, ok := length([]byte(in)); !ok || d != want {
			t.Errorf("%q is %v, %v", in, d, ok)
		}
	}
	for _, in := range []string{"", "ms", "3", "3.0", "3.ms", "3.0us", "-3ms", "9999999999999s", "3.0mss"} {
		if d, ok := length([]byte(in)); ok {
			t.Errorf("%q is %v", in, d)
		}
	}
}

func TestGroups(t *testing.T) {
	for in, want := range map[string]string{"(a) b": "a", "(System.gc()) 1M": "System.gc()", "()": "", "(a": "", "a": ""} {
		if got, _ := group([]byte(in)); string(got) != want {
			t.Errorf("%q has %q", in, got)
		}
	}
}
