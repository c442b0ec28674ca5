package plan

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func ptr[T any](v T) *T { return &v }

func answer() *Answer {
	return &Answer{
		Status: 201, Body: []byte("{\"id\": 17, \"name\": \"Ann\"}\n<input value='t-9'>"), Elapsed: 120 * time.Millisecond,
		Header: func(name string) (string, bool) {
			v, ok := map[string]string{"location": "/items/17", "x-empty": ""}[strings.ToLower(name)]
			return v, ok
		},
	}
}

func TestExtract(t *testing.T) {
	for _, c := range []struct {
		x    Extract
		want string
		ok   bool
	}{
		{Extract{Regexp: `value='([^']*)'`}, "t-9", true},
		{Extract{Regexp: `"id": \d+`}, `"id": 17`, true},
		{Extract{Regexp: `"(id)": (\d+)`, Group: 2}, "17", true},
		{Extract{Regexp: `a(b)?|name`}, "", false},
		{Extract{Regexp: `nothing`}, "", false},
		{Extract{Regexp: `nothing`, Default: ptr("")}, "", true},
		{Extract{Header: "Location"}, "/items/17", true},
		{Extract{Header: "X-Empty"}, "", true},
		{Extract{Header: "X-None", Default: ptr("d")}, "d", true},
		{Extract{JSON: "$.id"}, "", false}, // the body is not all JSON
	} {
		c.x.Var = "v"
		e, err := c.x.Compile()
		if err != nil {
			t.Errorf("%+v: %v", c.x, err)
			continue
		}
		if got, ok := e.Find(answer()); got != c.want || ok != c.ok || e.Var() != "v" {
			t.Errorf("%+v finds %q %v, want %q %v", c.x, got, ok, c.want, c.ok)
		}
	}
	e, err := Extract{JSON: "$.a", Var: "v"}.Compile()
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := e.Find(&Answer{Body: []byte(`{"a":"b"}`)}); got != "b" || !ok {
		t.Errorf("%q %v", got, ok)
	}
	h, _ := Extract{Header: "a"}.Compile()
	if got, ok := h.Find(&Answer{}); ok {
		t.Errorf("a header of none: %q", got)
	}
}

func TestExtractErrors(t *testing.T) {
	for _, c := range []struct {
		x    Extract
		want string
	}{
		{Extract{}, "one of json, regexp and header"},
		{Extract{JSON: "$.a", Header: "b"}, "one of json, regexp and header"},
		{Extract{JSON: "a"}, "json: character 1: a JSON path begins with $"},
		{Extract{JSON: "$.a", Group: 1}, "group: only regexp has groups"},
		{Extract{Regexp: "("}, "regexp: missing closing )"},
		{Extract{Regexp: "(?=a)"}, "RE2"},
		{Extract{Regexp: "(a)", Group: 2}, "group: the expression has 1 groups"},
		{Extract{Regexp: strings.Repeat("a", maxRegexp+1)}, "too long"},
	} {
		if e, err := c.x.Compile(); e != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.x, err, c.want)
		}
	}
}

func TestAssert(t *testing.T) {
	for _, c := range []struct {
		a    Assert
		want string // of the failure; "" holds
	}{
		{Assert{Status: "201"}, ""},
		{Assert{Status: "200, 202-299"}, "code expected to be 200, 202-299, received 201"},
		{Assert{Status: "100-999"}, ""},
		{Assert{Contains: "Ann"}, ""},
		{Assert{Contains: "t-${id}"}, "expected to contain /t-7/"},
		{Assert{NotContains: "Bob"}, ""},
		{Assert{NotContains: "input"}, "expected not to contain /input/"},
		{Assert{Matches: `"id": \d+`}, ""},
		{Assert{Matches: `^Ann`}, "expected to match /^Ann/"},
		{Assert{NotMatches: `x{3}`}, ""},
		{Assert{NotMatches: `A.n`}, "expected not to match /A.n/"},
		{Assert{JSON: "$.id"}, "JSON path $.id has no value"},
		{Assert{Header: "location"}, ""},
		{Assert{Header: "location", Value: ptr("/items/${n}7")}, "header location expected to be /items/${n}7, received /items/17"},
		{Assert{Header: "location", Value: ptr("/items/17")}, ""},
		{Assert{Header: "x-empty", Value: ptr("")}, ""},
		{Assert{Header: "etag"}, "header etag has no value"},
		{Assert{MinSize: ptr(int64(40))}, ""},
		{Assert{MinSize: ptr(int64(41))}, "It was 40 bytes, but should have been greater or equal to 41"},
		{Assert{MaxSize: ptr(int64(39))}, "It was 40 bytes, but should have been less or equal to 39"},
		{Assert{MaxSize: ptr(int64(0))}, "less or equal to 0"},
		{Assert{MaxTime: 120 * time.Millisecond}, ""},
		{Assert{MaxTime: 119 * time.Millisecond}, "It took 120 milliseconds, but should not have lasted longer than 119ms"},
		{Assert{Contains: "Ann", Header: "etag"}, "etag"},
	} {
		k, err := c.a.Compile()
		if err != nil {
			t.Errorf("%+v: %v", c.a, err)
			continue
		}
		got := k.Check(answer(), 40, scope())
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.a, got, c.want)
		}
		if k.JudgesStatus() != (c.a.Status != "") {
			t.Errorf("%+v judges the status: %v", c.a, k.JudgesStatus())
		}
		if want := c.a.Contains+c.a.NotContains+c.a.Matches+c.a.NotMatches+c.a.JSON != ""; k.NeedsBody() != want {
			t.Errorf("%+v needs the body: %v", c.a, k.NeedsBody())
		}
	}
	both, err := Assert{JSON: "$.a", Header: "etag"}.Compile()
	if err != nil {
		t.Fatal(err)
	}
	if got := both.Check(&Answer{Body: []byte(`{"a":1}`)}, 7, scope()); !strings.Contains(got, "header etag") {
		t.Errorf("the header is not looked at: %q", got)
	}
}

func TestAssertErrors(t *testing.T) {
	for _, c := range []struct {
		a          Assert
		path, want string
	}{
		{Assert{}, "", "says nothing"},
		{Assert{Status: "99"}, "status", "99 is no status code"},
		{Assert{Status: "200,,"}, "status", "is no status code"},
		{Assert{Status: "300-200"}, "status", "300-200 is no status code"},
		{Assert{Status: "2xx"}, "status", "2xx is no status code"},
		{Assert{Value: ptr("a")}, "value", "either json or header"},
		{Assert{Value: ptr("a"), JSON: "$", Header: "b"}, "value", "either json or header"},
		{Assert{MinSize: ptr(int64(2)), MaxSize: ptr(int64(1))}, "max_size", "less than min_size"},
		{Assert{Contains: "${"}, "contains", "has no end"},
		{Assert{Matches: "["}, "matches", "missing closing ]"},
		{Assert{JSON: "x"}, "json", "begins with $"},
	} {
		k, err := c.a.Compile()
		var e Error
		if k != nil || !errors.As(err, &e) || e.Path != c.path || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q at %q", c.a, err, c.want, c.path)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	words := []string{"method", "name", "url", "users"}
	for word, want := range map[string]string{
		"mehtod": "method", "methods": "method", "METHOD": "method", "nmae": "name", "ulr": "url", "user": "users", "xyz": "", "": "", "body": "",
	} {
		got := didYouMean(word, words)
		if want == "" && got != "" || want != "" && got != "; did you mean "+want+"?" {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}
