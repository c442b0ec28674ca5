package plan

import (
	"errors"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func scope() *Scope {
	return &Scope{
		Vars: map[string]string{"id": "7", "csv.name": "Ann", "empty": ""},
		User: 3, Iteration: 4, Counter: 12, Now: time.UnixMilli(1_700_000_000_123), Rand: rand.New(rand.NewPCG(1, 2)),
	}
}

func TestExpand(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"plain $ text} {", "plain $ text} {"},
		{"/items/${id}", "/items/7"},
		{"${id}${id}", "77"},
		{"a${csv.name}b${empty}c", "aAnnbc"},
		{"${user}-${iteration}-${counter}", "3-4-12"},
		{"${now} ${now(ms)}", "1700000000123 1700000000123"},
		{"${now(s)}", "1700000000"},
		{"${now(rfc3339)}", "2023-11-14T22:13:20.123Z"},
		{"${random(5,5)}", "5"},
		{"${ random( -3 , -3 ) }", "-3"},
		{"$${id} costs $${", "${id} costs ${"},
		{"$$${id}", "$${id}"},
		{"${other}", "${other}"},
		{"5$${id}${id}", "5${id}7"},
		{"${id}$${id}", "7${id}"},
	} {
		tpl, err := Compile(c.text)
		if err != nil {
			t.Errorf("Compile(%q): %v", c.text, err)
			continue
		}
		if got := string(tpl.Expand([]byte(">"), scope())); got != ">"+c.want {
			t.Errorf("%q expands to %q, want %q", c.text, got, ">"+c.want)
		}
		if tpl.Text() != c.text {
			t.Errorf("text of %q: %q", c.text, tpl.Text())
		}
	}
}

func TestCompileErrors(t *testing.T) {
	for _, c := range []struct {
		text   string
		offset int
		what   string
	}{
		{"ab${id", 2, "has no end"},
		{"${}", 0, "not a name"},
		{"x${a b}", 1, "not a name"},
		{"${random}", 0, "no range"},
		{"${random(2,1)}", 0, "no range"},
		{"${random(1;2)}", 0, "no range"},
		{"${random(1,2}", 0, "have no end"},
		{"${uuid()}", 0, "takes no arguments"},
		{"${now(year)}", 0, "not known"},
		{"${randm(1,2)}", 0, "no function randm"},
		{"${id}${__P(x)}", 5, "no function"},
		{strings.Repeat("${id}", maxSegments+2), 5*maxSegments + 5, "more than"},
		{strings.Repeat("x", maxTemplate+1), 0, "too long"},
	} {
		_, err := Compile(c.text)
		var te *TemplateError
		if !errors.As(err, &te) || te.Offset != c.offset || !strings.Contains(te.What, c.what) || te.Next == "" {
			t.Errorf("Compile(%q): %v, want offset %d and %q", short(c.text), err, c.offset, c.what)
		}
	}
	if tpl, err := Compile(strings.Repeat("$${", 2*maxSegments)); tpl != nil || err == nil || !strings.Contains(err.Error(), "more than 10000 parts") {
		t.Errorf("a text of escapes: %v", err)
	}
	if _, err := Compile("${randm(1,2)}"); !strings.Contains(err.Error(), "did you mean random?") {
		t.Errorf("no hint: %v", err)
	}
}

func TestNamesConstantMissing(t *testing.T) {
	tpl, err := Compile("a${id}b${uuid}${csv.x}")
	if err != nil {
		t.Fatal(err)
	}
	if got := tpl.Names(); !slices.Equal(got, []Ref{{"id", 1}, {"csv.x", 14}}) {
		t.Errorf("names: %v", got)
	}
	if m := tpl.Missing(scope()); m != "csv.x" {
		t.Errorf("missing: %q", m)
	}
	if _, ok := tpl.Constant(); ok {
		t.Error("a template with variables is no constant")
	}
	for text, want := range map[string]string{"": "", "abc": "abc", "a$${b": "a${b"} {
		tpl, _ := Compile(text)
		if got, ok := tpl.Constant(); !ok || got != want {
			t.Errorf("constant of %q: %q %v", text, got, ok)
		}
		if m := tpl.Missing(&Scope{}); m != "" {
			t.Errorf("%q misses %q", text, m)
		}
	}
}

func TestRandomIsEvenAndWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	seen := map[int64]int{}
	for range 4000 {
		seen[between(r, -1, 2)]++
	}
	if len(seen) != 4 {
		t.Fatalf("values: %v", seen)
	}
	for v, n := range seen {
		if v < -1 || v > 2 || n < 850 || n > 1150 {
			t.Errorf("%d came %d times of 4000", v, n)
		}
	}
	for range 100 {
		between(r, math.MinInt64, math.MaxInt64) // does not panic
		if v := between(r, math.MaxInt64-1, math.MaxInt64); v < math.MaxInt64-1 {
			t.Fatalf("%d is out of range", v)
		}
	}
}

func TestUUID(t *testing.T) {
	form := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	tpl, err := Compile("${uuid}")
	if err != nil {
		t.Fatal(err)
	}
	s, seen := scope(), map[string]bool{}
	for range 200 {
		id := string(tpl.Expand(nil, s))
		if !form.MatchString(id) || seen[id] {
			t.Fatalf("uuid %q", id)
		}
		seen[id] = true
	}
}

func TestExpandDoesNotAllocate(t *testing.T) {
	tpl, err := Compile("/a/${id}?u=${uuid}&n=${counter}&r=${random(1,9)}&t=${now(rfc3339)}&x=${csv.name}")
	if err != nil {
		t.Fatal(err)
	}
	s, buf := scope(), make([]byte, 0, 512)
	if n := testing.AllocsPerRun(200, func() { buf = tpl.Expand(buf[:0], s) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkExpand(b *testing.B) {
	tpl, _ := Compile("/items/${id}?n=${counter}&r=${random(1,100)}&name=${csv.name}")
	s, buf := scope(), make([]byte, 0, 512)
	b.ReportAllocs()
	for b.Loop() {
		buf = tpl.Expand(buf[:0], s)
	}
}

func FuzzTemplate(f *testing.F) {
	for _, s := range []string{"${id}", "$${id", "${random(1,9)}", "${now(s)}${", "$$$${${}}", "${uuid} ${x.y}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tpl, err := Compile(text)
		if err != nil {
			var te *TemplateError
			if tpl != nil || !errors.As(err, &te) || te.Offset > len(text) {
				t.Fatalf("error %v with %v", err, tpl)
			}
		} else if c, ok := tpl.Constant(); ok && len(c) > len(text) {
			t.Fatalf("%q became longer: %q", text, c)
		} else {
			tpl.Expand(nil, scope())
		}
		again, err := Compile(Literal(text))
		if err != nil && len(text) < maxSegments {
			// "$" + "${" would be read as an escaped ${: Literal must hold for every text.
			t.Fatalf("Literal(%q): %v", text, err)
		}
		if err == nil {
			if c, ok := again.Constant(); !ok || c != text {
				t.Fatalf("Literal(%q) expands to %q", text, c)
			}
		}
	})
}
