package plan

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// disk is what -d @FILE reads in these tests.
func disk(name string) ([]byte, error) {
	if b, ok := map[string]string{"f.txt": "a=1\r\nb=2\n", "h.txt": "A: 1\n\nB: 2\n", "cafe": "caf\u00e9 &"}[name]; ok {
		return []byte(b), nil
	}
	return nil, fmt.Errorf("open %s: no such file", name)
}

const formType = "application/x-www-form-urlencoded"

func TestFromCurl(t *testing.T) {
	const u = "http://h/"
	for _, c := range []struct {
		line string
		want Plan // with one request, whose URL is http://h/ where it says none
		r    Request
	}{
		{"curl h/", Plan{}, Request{}},
		{"/usr/bin/curl -X DELETE http://h/", Plan{}, Request{Method: "DELETE"}},
		{"curl -gXPUT -H'A: b' -H 'C:d' 'http://h/?q=${x}&y'", Plan{}, Request{Method: "PUT", URL: "http://h/?q=$${x}&y", Headers: []Pair{{"A", "b"}, {"C", "d"}}}},
		{"curl -sSLk http://h/", Plan{Redirects: 50, TLS: TLS{Insecure: true}}, Request{}},
		{"curl -L --max-redirs 3 http://h/", Plan{Redirects: 3}, Request{}},
		{"curl -d a=1 --data-raw @b -dc http://h/", Plan{}, Request{Method: "POST", Body: "a=1&@b&c", Headers: []Pair{{"Content-Type", formType}}}},
		{"curl -d @f.txt http://h/", Plan{}, Request{Method: "POST", Body: "a=1b=2", Headers: []Pair{{"Content-Type", formType}}}},
		{"curl -d '' http://h/", Plan{}, Request{Method: "POST", Headers: []Pair{{"Content-Type", formType}}}},
		{"curl --data-binary @x.bin -H 'content-type: a/b' http://h/", Plan{}, Request{Method: "POST", BodyFile: "x.bin", Headers: []Pair{{"content-type", "a/b"}}}},
		{"curl --data-urlencode 'a b' --data-urlencode =c+d --data-urlencode 'e=f&g' --data-urlencode n@cafe http://h/", Plan{}, Request{Method: "POST", Body: "a+b&c%2Bd&e=f%26g&n=caf%C3%A9+%26", Headers: []Pair{{"Content-Type", formType}}}},
		{"curl -G -d a=1 -d b=2 'http://h/?x=y#z'", Plan{}, Request{URL: "http://h/?x=y&a=1&b=2#z"}},
		{"curl -G http://h/ --data-binary @cafe", Plan{}, Request{URL: "http://h/?caf\u00e9 &"}},
		{"curl --json '{\"a\":' --json '1}' h/", Plan{}, Request{Method: "POST", Body: `{"a":1}`, Headers: []Pair{{"Content-Type", "application/json"}, {"Accept", "application/json"}}}},
		{"curl -I h/", Plan{}, Request{Method: "HEAD"}},
		{"curl -T dir/a.txt h/", Plan{}, Request{Method: "PUT", URL: "http://h/a.txt", BodyFile: "dir/a.txt"}},
		{`curl -F a=b -F 'f=@p.png;type=image/png;filename="x y.png"' -F 'g="a;b\"";type=text/plain' -F 'c=<cafe' --form-string d=@e h/`, Plan{}, Request{Method: "POST", Multipart: []Part{
			{Name: "a", Value: "b"}, {Name: "f", File: "p.png", ContentType: "image/png", FileName: "x y.png"}, {Name: "g", Value: `a;b"`, ContentType: "text/plain"}, {Name: "c", Value: "caf\u00e9 &"}, {Name: "d", Value: "@e"}}}},
		{"curl -F a=@x.TXT -F b=@x.bin h/", Plan{}, Request{Method: "POST", Multipart: []Part{{Name: "a", File: "x.TXT", ContentType: "text/plain"}, {Name: "b", File: "x.bin"}}}},
		{"curl -u me:pa:ss h/", Plan{}, Request{Auth: &Auth{User: "me", Password: "pa:ss"}}},
		{"curl --oauth2-bearer tok h/", Plan{}, Request{Auth: &Auth{Bearer: "tok"}}},
		{"curl -b 'a=1; b=2' -b c=3 -A me -e 'http://r/;auto' -r 0-9 h/", Plan{}, Request{Headers: []Pair{{"Cookie", "a=1; b=2; c=3"}, {"User-Agent", "me"}, {"Referer", "http://r/"}, {"Range", "bytes=0-9"}}}},
		{"curl -A one -A two h/", Plan{}, Request{Headers: []Pair{{"User-Agent", "two"}}}},
		{"curl -H @h.txt -H 'X;' h/", Plan{}, Request{Headers: []Pair{{"A", "1"}, {"B", "2"}, {"X", ""}}}},
		{"curl --compressed -m 2.5 --connect-timeout 1 h/", Plan{Gzip: true, Timeouts: Timeouts{Total: 2500 * time.Millisecond, Connect: time.Second}}, Request{}},
		{"curl --unix-socket /s --connect-to a:1:b:2 --resolve h:80:::1 h/", Plan{UnixSocket: "/s", ConnectTo: []string{"a:1:b:2", "h:80:[::1]:80"}}, Request{}},
		{"curl --cacert ca.pem -E c.pem --key k.pem --http2 --url https://h/", Plan{TLS: TLS{CAFile: "ca.pem", CertFile: "c.pem", KeyFile: "k.pem"}, Protocol: HTTP2}, Request{URL: "https://h/"}},
		{"curl --http2-prior-knowledge h/", Plan{Protocol: H2C}, Request{}},
		{"curl -g 'http://h/{a}[1-3]'", Plan{}, Request{URL: "http://h/{a}[1-3]"}},
		{"curl 'http://[::1]:80/'", Plan{}, Request{URL: "http://[::1]:80/"}},
		// As browsers copy it.
		{"curl 'https://shop.example/api/items?q=1' \\\n  --compressed \\\n  -X 'POST' \\\n  -H 'accept: */*' \\\n  -H 'accept-encoding: gzip, deflate, br, zstd' \\\n  -H 'cookie: a=\"b\"' \\\n  --data-raw $'{\"t\":\"it\\'s\\u0021\"}'",
			Plan{Gzip: true}, Request{Method: "POST", URL: "https://shop.example/api/items?q=1", Headers: []Pair{{"accept", "*/*"}, {"cookie", `a="b"`}, {"Content-Type", formType}}, Body: `{"t":"it's!"}`}},
	} {
		p, _, err := FromCurl(c.line, disk)
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
			continue
		}
		if c.r.URL == "" {
			c.r.URL = u
		}
		c.want.Requests = []Request{c.r}
		if !reflect.DeepEqual(*p, c.want) {
			t.Errorf("%s:\n%+v\nwant\n%+v", c.line, *p, c.want)
		}
	}
}

func TestFromCurlNotes(t *testing.T) {
	_, notes, err := FromCurl("curl -s -o out -H 'Expect:' -H 'Content-Length: 5' -H 'Accept-Encoding: gzip, br' h/", nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, n := range notes {
		names = append(names, n.Name)
	}
	if got := strings.Join(names, " "); got != "-s -o -H Expect: -H Content-Length -H Accept-Encoding" {
		t.Errorf("notes: %v", notes)
	}
	if got := notes[0].String(); got != "-s: has no effect on what is sent" {
		t.Error(got)
	}
}

func TestFromCurlErrors(t *testing.T) {
	for line, want := range map[string]string{
		"":                                  "has no URL",
		"curl":                              "has no URL",
		"curl -X":                           "curl -X: a value is missing",
		"curl --hedaer a h/":                "curl --hedaer: this flag is not known here; did you mean --header?",
		"curl -sY h/":                       "curl -Y: this flag is not known",
		"curl -x proxy h/":                  "curl -x: proxies are not used",
		"curl --http3 h/":                   "curl --http3: HTTP/3 is not spoken",
		"curl h/ g/":                        "a second URL",
		"curl h/ --next g/":                 "--next: one command is one request",
		"curl 'http://h/{a,b}'":             "several requests",
		"curl 'http://h/[1-9]'":             "several requests",
		"curl ftp://h/":                     "requests[0].url: the scheme is ftp",
		"curl -H nocolon h/":                "this header has no colon",
		"curl -H 'a b: c' h/":               "is no name of a header",
		"curl -u me h/":                     "the password is missing",
		"curl -b jar.txt h/":                "no file of cookies is read",
		"curl -d @none h/":                  "open none: no such file",
		"curl -d @- h/":                     "standard input",
		"curl -d a -F b=c h/":               "more than one of -d, -F and -T",
		"curl --data-binary @a -d b -T c h": "more than one of -d, -F and -T",
		"curl --data-binary @a --data-binary @b h/": "a file and more",
		"curl -F a h/":                    "a part has no name",
		"curl -F 'a=@b;headers=c' h/":     ";headers is not supported",
		"curl -m x h/":                    "x is no time",
		"curl -m 0 h/":                    "0 is no time",
		"curl --max-redirs 99 h/":         "99 redirects",
		"curl -E a:b h/":                  "with a password",
		"curl --connect-to a h/":          "connect_to[0]: a is no rule",
		"curl -G h/ --data-binary @f.txt": "this URL cannot be read",
		"curl $'h/\\x00'":                 "this is no text",
	} {
		p, notes, err := FromCurl(line, disk)
		if p != nil || notes != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
	if _, _, err := FromCurl("curl -d @f.txt h/", nil); err == nil || !strings.Contains(err.Error(), "cannot be read here") {
		t.Error(err)
	}
}

func FuzzFromCurl(f *testing.F) {
	for _, line := range quoted {
		f.Add(line)
	}
	f.Add("curl -sXPOST -d a=1 --data-urlencode 'n@f.txt' -F 'a=\"b\\\"c\";type=x' -u a:b --resolve h:80:::1 -H 'A: b' h/")
	f.Fuzz(func(t *testing.T, line string) {
		p, _, err := FromCurl(line, disk)
		if err != nil {
			if p != nil {
				t.Fatalf("%v with %v", err, p)
			}
			return
		}
		if len(line) > MaxFile/8 {
			return // a file of escapes may be too long to be read again
		}
		out, again := rewrite(t, p)
		if second, _ := Marshal(again); string(second) != string(out) { // pairs of one name now stand together
			t.Fatalf("%s\nbecame\n%s", out, second)
		}
	})
}
