package plan

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// roundTrips are plans of which JMeter can say everything.
func roundTrips() map[string]*Plan {
	return map[string]*Plan{
		"groups": {
			Name: "several", Cookies: true, Vars: []Pair{{"v", "1"}}, CSV: []CSVData{{File: "users.csv", Columns: []string{"name"}}},
			Groups: []Group{
				{Name: "setup", When: Before, Users: 1, Loops: 1, Order: Scenario, Requests: []Request{{Name: "a", URL: "http://h/a"}}},
				{Name: "browse", Users: 5, Duration: time.Minute, Delay: 10 * time.Second, Think: ThinkTime{Kind: ThinkFixed, Mean: time.Second}, Order: Scenario,
					Defaults: Defaults{URL: "http://h", Headers: []Pair{{"A", "b"}}}, Requests: []Request{{Name: "b", URL: "/${csv.name}"}, {Name: "c", URL: "/${v}"}}},
				{Name: "order", Users: 7, MaxUsers: 7, Rate: 20, Duration: time.Minute, Order: Scenario, Requests: []Request{{Name: "d", URL: "http://h/d"}}},
				{Name: "teardown", When: After, Users: 1, Loops: 2, Order: Scenario, Requests: []Request{{Name: "e", URL: "http://h/e"}}},
			},
		},
		"sequence": {
			Name: "one by one", Sequence: true,
			Groups: []Group{{Name: "1", Users: 1, Loops: 1, Order: Scenario, Requests: []Request{{Name: "a", URL: "http://h/a"}}}, {Name: "2", Users: 2, Loops: 1, Order: Scenario, Requests: []Request{{Name: "b", URL: "http://h/b"}}}},
		},
		"scenario": {
			Name: "shop & co", Users: 3, Ramp: 2 * time.Second, Loops: 5, Duration: time.Minute, Order: Scenario, Cookies: true, Gzip: true, Redirects: 20, KeepAlive: KeepAliveOff,
			Think:    ThinkTime{Kind: ThinkUniform, Min: time.Second, Max: 3 * time.Second},
			Timeouts: Timeouts{Connect: time.Second, FirstByte: 2500 * time.Millisecond},
			Vars:     []Pair{{"run", "a<b>&\"c\"\n"}, {"id", "${random(1,9)}"}},
			CSV:      []CSVData{{File: "users.csv", Columns: []string{"name", "pw"}, Delimiter: ";", SkipFirst: true, Share: ShareUser, AtEnd: StopEnd}, {Name: "items", File: "items.csv", Columns: []string{"sku"}}},
			Defaults: Defaults{
				URL: "http://127.0.0.1:8080", Headers: []Pair{{"X-Run", "${run}"}, {"Accept", "application/json"}}, Auth: &Auth{User: "u", Password: "p:w"},
				Assert: []Assert{{MaxTime: 5 * time.Second}},
			},
			Requests: []Request{
				{
					Name: "search", URL: "/items/${items.sku}?q=${csv.name}&n=1",
					Extract: []Extract{{Var: "token", Regexp: `value="([^"]+)"`}, {Var: "two", Regexp: "(a)(b)", Group: 2, Default: ptr("")}, {Var: "etag", Header: "ETag", Default: ptr("none")}, {Var: "first", JSON: "$.a[0].b", Default: ptr("x")}},
					Assert:  []Assert{{Status: "200-299, 304, 404"}, {Contains: "a ${run} \\$"}, {NotContains: "Exception"}, {Matches: `id=\d+`}, {NotMatches: "x|y"}, {MinSize: ptr(int64(1))}, {MaxSize: ptr(int64(99))}, {JSON: "$.ok"}, {JSON: "$.n", Value: ptr("5")}, {Header: "ETag"}, {Header: "Via", Value: ptr("${run}")}},
				},
				{Name: "order", Method: "POST", URL: "/orders", Body: "{\"token\": \"${token}\", \"u\": \"${uuid}\", \"r\": ${random(-1,5)}, \"x\": \"a\\\\b,c\\$\", \"e\": \"$${\"}\n", Headers: []Pair{{"Content-Type", "application/json"}}},
				{Name: "login", Method: "POST", URL: "/login", Form: []Pair{{"user", "${csv.name}"}, {"pw", "a b&c=é%41"}}, Auth: &Auth{Bearer: "abc"}},
				{Name: "upload", Method: "POST", URL: "/files", Multipart: []Part{{Name: "t", Value: "n ${counter}"}, {Name: "f", File: "p.png", ContentType: "image/png"}}},
				{Name: "raw", Method: "PUT", URL: "/raw", BodyFile: "b.bin"},
				{Name: "gone", Method: "DELETE", URL: "/items/1?t=${now}&s=${now(s)}&u=${user}&i=${iteration}"},
			},
		},
		"weighted": {
			Name: "w", Users: 10, Loops: 100, Order: Weighted, Think: ThinkTime{},
			Requests: []Request{
				{Name: "a", Weight: 75, URL: "https://h/a", Think: &ThinkTime{Kind: ThinkGaussian, Mean: time.Second, Deviation: time.Second / 2}},
				{Name: "b", Weight: 25, URL: "http://[::1]:80/b", Think: &ThinkTime{Kind: ThinkFixed, Mean: 2 * time.Second}},
			},
		},
		"open": {
			Name: "o", Users: 20, MaxUsers: 20, Duration: 30 * time.Second, Rate: 50, Order: Scenario,
			Requests: []Request{{Name: "a", URL: "http://${host}:${port}/"}}, Vars: []Pair{{"host", "h"}, {"port", "81"}},
		},
	}
}

func TestJMXRoundTrip(t *testing.T) {
	for name, p := range roundTrips() {
		data, _, err := ToJMX(p, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		again, _, err := FromJMX("p.jmx", data, nil)
		if err != nil {
			t.Fatalf("%s: %v in\n%s", name, err, data)
		}
		want, _ := Marshal(p)
		got, _ := Marshal(again)
		if string(got) != string(want) || !reflect.DeepEqual(again, p) {
			t.Errorf("%s became\n%s\nwant\n%s", name, got, want)
		}
	}
}

// Columns that only the file's first line names have the same names after an
// export and an import, and on import are those that JMeter's plan uses.
func TestHeadingOfCSV(t *testing.T) {
	heading := func(file string) (string, error) {
		if file != "users.csv" {
			return "", os.ErrNotExist
		}
		return "\ufeffuser;pass word\r\n", nil
	}
	p := &Plan{Name: "p", Users: 1, Order: Scenario, CSV: []CSVData{{File: "users.csv", Delimiter: ";"}}, Requests: []Request{{Name: "r", URL: "http://h/${csv.user}"}}}
	_, notes, err := ToJMX(p, heading)
	if err != nil || len(notes) != 1 || !strings.Contains(notes[0].Why, "pass word") {
		t.Fatalf("a column that is no name: %v %v", notes, err)
	}
	heading = func(string) (string, error) { return "\ufeffuser;pass\r\n", nil }
	data, notes, err := ToJMX(p, heading)
	if err != nil || len(notes) != 1 || !strings.Contains(notes[0].Why, "2.13") {
		t.Fatalf("%v %v", notes, err)
	}
	again, notes, err := FromJMX("p.jmx", data, nil)
	if err != nil || len(notes) != 0 || again.Requests[0].URL != p.Requests[0].URL || !slices.Equal(again.CSV[0].Columns, []string{"user", "pass"}) || !again.CSV[0].SkipFirst {
		t.Fatalf("%+v %v %v", again, notes, err)
	}
	own := strings.Replace(strings.Replace(string(data), "csv.user,csv.pass", "", 1), "${csv.user}", "${user}", 1)
	again, notes, err = FromJMX("p.jmx", []byte(own), heading)
	if err != nil || len(notes) != 0 || again.Requests[0].URL != p.Requests[0].URL || len(again.CSV[0].Columns) != 0 || again.CSV[0].SkipFirst {
		t.Fatalf("JMeter's own: %+v %v %v", again, notes, err)
	}
}
