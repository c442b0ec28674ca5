package plan

import (
	"reflect"
	"strings"
	"testing"
)

func TestReadCSV(t *testing.T) {
	for _, c := range []struct {
		d    CSVData
		text string
		want Rows
	}{
		{CSVData{}, "a,b\n1,2\n", Rows{[]string{"a", "b"}, [][]string{{"1", "2"}}}},
		{CSVData{}, "\ufeffa, b \r\n1,\" x\"\"y\n\"\r\n\r\n,\r\n", Rows{[]string{"a", "b"}, [][]string{{"1", " x\"y\n"}, {"", ""}}}},
		{CSVData{Columns: []string{"c"}}, "1\n2", Rows{[]string{"c"}, [][]string{{"1"}, {"2"}}}},
		{CSVData{Columns: []string{"c"}, SkipFirst: true}, "name\n2", Rows{[]string{"c"}, [][]string{{"2"}}}},
		{CSVData{Delimiter: `\t`}, "a\tb\n1,1\t2", Rows{[]string{"a", "b"}, [][]string{{"1,1", "2"}}}},
		{CSVData{Delimiter: ";"}, "a;b\n1;2", Rows{[]string{"a", "b"}, [][]string{{"1", "2"}}}},
	} {
		got, err := c.d.Read([]byte(c.text))
		if err != nil || !reflect.DeepEqual(*got, c.want) {
			t.Errorf("%q: %+v %v, want %+v", c.text, got, err, c.want)
		}
	}
	for _, c := range []struct {
		d          CSVData
		text, want string
	}{
		{CSVData{}, "", "f: there is no row; fill the file"},
		{CSVData{}, "a,b\n", "f: there is no row"},
		{CSVData{Columns: []string{"a"}}, "\n\n", "f: there is no row"},
		{CSVData{}, "a,b\n1,2\n1\n", "f:3: 1 fields where there are 2 columns (a, b)"},
		{CSVData{}, "a,a\n1,2\n", "f:1: two columns are called a"},
		{CSVData{}, "a,b c\n1,2\n", `f:1: "b c" is no name of a column`},
		{CSVData{}, "a\n\"x\n", "f:2: this is not CSV"},
		{CSVData{}, "a\nx\"y\n", "f:2: this is not CSV"},
		{CSVData{}, "a\n\xff\n", "f: this is no text"},
		{CSVData{Delimiter: "ab"}, "a\n1\n", "f: ab is no delimiter"},
	} {
		c.d.File = "f"
		got, err := c.d.Read([]byte(c.text))
		if got != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %+v %v, want %s", c.text, got, err, c.want)
		}
	}
}

func TestCheckColumns(t *testing.T) {
	p := &Plan{CSV: []CSVData{{File: "f"}}, Requests: []Request{{URL: "http://h/${csv.naem}"}}}
	if err := Validate(p); err != nil {
		t.Fatal(err)
	}
	if err := p.CheckColumns([]*Rows{{Columns: []string{"naem"}}}); err != nil {
		t.Error(err)
	}
	err := p.CheckColumns([]*Rows{{Columns: []string{"name"}}})
	if err == nil || !strings.Contains(err.Error(), "requests[0].url: there is no variable ${csv.naem}; did you mean csv.name?") {
		t.Error(err)
	}
	if p.CSV[0].Columns != nil {
		t.Error("the plan was changed")
	}
}

func FuzzReadCSV(f *testing.F) {
	f.Add("a,b\n1,2\n", ",", false)
	f.Add("a\tb\n\"1\n\"\t2\n", `\t`, true)
	f.Fuzz(func(t *testing.T, text, delimiter string, skip bool) {
		d := CSVData{File: "f", Delimiter: delimiter, SkipFirst: skip}
		if skip {
			d.Columns = []string{"x", "y"}
		}
		rows, err := d.Read([]byte(text))
		if err != nil {
			if rows != nil {
				t.Fatalf("%v with %v", err, rows)
			}
			return
		}
		for _, r := range rows.Rows {
			if len(r) != len(rows.Columns) {
				t.Fatalf("%q in %q", r, rows.Columns)
			}
		}
	})
}
