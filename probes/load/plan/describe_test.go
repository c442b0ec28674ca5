package plan

import (
	"strings"
	"testing"
	"time"
)

func TestDescribe(t *testing.T) {
	p, err := Parse("plan.yaml", example(t))
	if err != nil {
		t.Fatal(err)
	}
	want := `shop, Monday morning
closed: 50 users, all of them after 10s, thinking 1s to 3s, until 1000 iterations of each user or 5m
the first 10s are sent and not counted
4 requests, one in each iteration, by weight:
   70.0 %  search: GET http://127.0.0.1:8080/api/items?q=${csv.item} (2 assertions)
   25.0 %  order: POST http://127.0.0.1:8080/api/orders (body of 80 characters, thinking 5s, sets ${order}, sets ${etag}, 2 assertions)
    4.0 %  login: POST http://127.0.0.1:8080/api/login (2 form fields)
    1.0 %  upload: POST http://127.0.0.1:8080/api/files (2 parts)
rows of customers.csv: ${csv....} customer, item
http/1.1, keep-alive every 100, cookies kept, up to 5 redirects, gzip, traceparent, connecting to shop.example:443:127.0.0.1:8443, connect within 2s, first byte within 10s, all within 30s
`
	if got := Describe(p); got != want {
		t.Errorf("%s", got)
	}
	for want, p := range map[string]*Plan{
		"open: 0/s to 5/s for 10s, then 5/s, over at most 3 connections, until 100 requests\n": {Rate: 5, Ramp: 10 * time.Second, MaxUsers: 3, Total: 100},
		"open: 5/s for 1m, then 50/s\n": {Stages: Stages{{5, 5, time.Minute}, {50, 50, 0}}},
		"1 request, in this order in each iteration:\n  GET http://u:********@h/\\x1b[31m (body of 1": {Order: Scenario, Requests: []Request{{Method: "get", URL: "http://u:pw@h/\x1b[31m", Body: "s", Auth: &Auth{Bearer: "secret"}}}},
	} {
		if got := Describe(p); !strings.Contains(got, want) || strings.Contains(got, "secret") || strings.Contains(got, "pw") {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}
