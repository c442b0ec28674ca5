package view_test

import (
	"reflect"
	"testing"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/tui/tuitest"
	"example.com/jtop/tui/view"
)

func TestFormGivesBackTheConfigItWasFilledWith(t *testing.T) {
	for _, cfg := range []probes.LoadConfig{
		tuitest.LoadConfig(),
		{URL: "https://[::1]:8443/a b", Method: "POST", Users: 1, Loops: 20, Headers: []string{"Content-Type: text/html; charset=utf-8", "X-A: b"}, Body: " {} ", Duration: 90 * time.Second},
		{URL: "wss://h:8443/chat", Method: "GET", Users: 3, Body: "ping", Duration: time.Minute},
		{URL: "http://localhost", Method: "HEAD", Users: view.MaxLoadUsers, Ramp: 1500 * time.Millisecond, Duration: 2 * time.Hour},
	} {
		s := view.NewLoadState(cfg)
		got, ok := s.Config()
		if !ok || !reflect.DeepEqual(got, cfg) {
			t.Errorf("got %+v %v, errors %q\nwant %+v", got, ok, s.Err, cfg)
		}
	}
}

func TestFormSaysWhatIsWrongAndGoesThere(t *testing.T) {
	cases := []struct {
		field view.LoadField
		text  string
	}{
		{view.FieldURL, ""}, {view.FieldURL, "ftp://x"}, {view.FieldURL, "http:/x"}, {view.FieldURL, "ws://"}, {view.FieldURL, "http://"}, {view.FieldURL, "http://:80/"}, {view.FieldURL, "http://h:0/"}, {view.FieldURL, "http://h:99999"}, {view.FieldURL, "http://h:x/"},
		{view.FieldMethod, ""}, {view.FieldMethod, "GE T"}, {view.FieldUsers, ""}, {view.FieldUsers, "0"}, {view.FieldUsers, "-3"}, {view.FieldUsers, "20001"}, {view.FieldUsers, "1.5"},
		{view.FieldLoops, "-1"}, {view.FieldLoops, "many"}, {view.FieldRamp, "-1s"}, {view.FieldRamp, "soon"}, {view.FieldDuration, "1 parsec"}, {view.FieldDuration, "NaN"}, {view.FieldTimeout, "Inf"}, {view.FieldHeaders, "no colon"},
	}
	for _, c := range cases {
		s := view.NewLoadState(tuitest.LoadConfig())
		s.Text[c.field] = c.text
		cfg, ok := s.Config()
		if ok || s.Err[c.field] == "" || s.Focus != c.field || !reflect.DeepEqual(cfg, probes.LoadConfig{}) {
			t.Errorf("field %d %q: ok %v, error %q, focus %d, config %+v", c.field, c.text, ok, s.Err[c.field], s.Focus, cfg)
		}
	}
}

func TestFormEditing(t *testing.T) {
	s := view.NewLoadState(probes.LoadConfig{})
	s.Focus = view.FieldBody
	s.Insert("aé長")
	s.MoveCaret(-1)
	s.Backspace()
	s.Insert("x\n\x1b[2J")
	if got := s.Text[view.FieldBody]; got != "ax[2J長" {
		t.Errorf("after insert: %q", got)
	}
	s.CaretHome()
	s.Delete()
	s.MoveCaret(99)
	s.Backspace()
	if got := s.Text[view.FieldBody]; got != "x[2J" {
		t.Errorf("after delete: %q", got)
	}
	s.Clear()
	s.Backspace()
	s.Delete()
	if s.Text[view.FieldBody] != "" || s.Caret[view.FieldBody] != 0 {
		t.Errorf("after clear: %q at %d", s.Text[view.FieldBody], s.Caret[view.FieldBody])
	}
	s.FocusBy(1)
	if s.Focus != view.FieldURL {
		t.Errorf("focus after the last field: %d", s.Focus)
	}
}

func FuzzFormConfig(f *testing.F) {
	f.Add("http://h/", "GET", "1", "1s", "A: b")
	f.Add("http://[::1]:1/", "", "99999999999999999999", "1e300", ";:")
	f.Fuzz(func(t *testing.T, url, method, users, d, headers string) {
		s := view.NewLoadState(probes.LoadConfig{})
		s.Text[view.FieldURL], s.Text[view.FieldMethod], s.Text[view.FieldUsers], s.Text[view.FieldDuration], s.Text[view.FieldHeaders] = url, method, users, d, headers
		cfg, ok := s.Config()
		if !ok && !reflect.DeepEqual(cfg, probes.LoadConfig{}) {
			t.Errorf("an error came with a value: %+v", cfg)
		}
		if ok && (cfg.Users < 1 || cfg.Users > view.MaxLoadUsers || cfg.Duration < 0) {
			t.Errorf("out of range: %+v", cfg)
		}
	})
}
