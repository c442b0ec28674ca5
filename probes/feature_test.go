package probes

import "testing"

func TestFeature(t *testing.T) {
	for version, want := range map[string]int{
		"1.8.0_492": 8, "1.7.0": 7, "11.0.33-ea": 11, "17.0.15": 17, "25": 25, "26-ea": 26, "28.0.1+9": 28, "": 0, "x": 0, "1.": 0, "-1": 0, "99999999999999999999": 0,
	} {
		if got := Feature(version); got != want {
			t.Errorf("Feature(%q) = %d, want %d", version, got, want)
		}
	}
}

func FuzzFeature(f *testing.F) {
	for _, s := range []string{"1.8.0_492", "17.0.15", "99999999999999999999", "1.1.1.", "-8"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, version string) {
		if n := Feature(version); n < 0 {
			t.Errorf("Feature(%q) = %d", version, n)
		}
	})
}
