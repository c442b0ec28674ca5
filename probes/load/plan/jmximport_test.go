package plan

import (
	"os"
	"strings"
	"testing"
)

// shopPlan and shopNotes are what testdata/shop.jmx, a plan in the form of
// JMeter 5.6, becomes.
const shopPlan = `name: Shop
vars:
  host: shop.example
  base_path: /api
  users: "25"
csv:
  - file: customers.csv
    columns:
      - customer
      - item
    share: user
    at_end: stop
groups:
  - name: Fill
    when: before
    users: 1
    loops: 1
    order: scenario
    defaults:
      headers:
        Accept: text/html
    requests:
      - name: fill
        url: https://${host}:8080/fill
  - name: Buyers
    users: 25
    ramp: 1m
    duration: 10m
    think: 300ms
    order: scenario
    defaults:
      url: https://${host}:8080
      headers:
        Accept: text/html
    requests:
      - name: search
        url: /${base_path}/items?q=red+shoes+%26+${csv.item}
        extract:
          - var: csrf
            regexp: (?s)csrf="(.*?)"
        assert:
          - status: 200-202
        think: 1.3s to 3.3s
      - name: order
        method: POST
        url: /orders
        headers:
          Accept: application/json
        body: '{"c": "${csv.customer}", "t": "${csrf}", "s": "$${sig}", "n": ${random(1,9)}, "d": "$${__time(yyyy,)}", "k": "${uuid}"}'
  - name: Robots
    users: 3
    loops: 1
    order: scenario
    defaults:
      headers:
        Accept: text/html
    requests:
      - name: crawl
        url: https://${host}:8080/
sequence: true
timeouts:
  connect: 2s
redirects: 20
gzip: true
`

const shopNotes = `line 8: host (Argument): ${__P(host,shop.example)}: becomes its default, shop.example
line 16: users (Argument): ${__P(users,25)}: becomes its default, 25
line 31: Headers (HeaderManager): Accept-Encoding: becomes gzip: true; others cannot be inflated here
line 44: Fill (SetupThreadGroup): HTTPSampler.follow_redirects: is for all groups that of the one with the most users, Buyers
line 53: Old (ThreadGroup): is left out: it is disabled
line 55: Buyers (ThreadGroup): ThreadGroup.num_threads: ${users} becomes 25
line 55: Buyers (ThreadGroup): ThreadGroup.on_sample_error: a failure does not stop anything here: stopthread becomes continue
line 55: Buyers (ThreadGroup): ThreadGroup.same_user_on_next_iteration: users keep their cookies and connections
line 55: Buyers (ThreadGroup): ThreadGroup.delay: a group that runs after another begins at once
line 69: Customers (CSVDataSet): stopThread: after the last row a user stops: there are no rows of <EOF>
line 69: Customers (CSVDataSet): fileEncoding: files are read as UTF-8, not ISO-8859-1
line 82: View Results Tree (ResultCollector): is left out: a listener; the results are jtop's own
line 84: Sign (JSR223PreProcessor): is left out: it has no counterpart here
line 88: Buy (TransactionController): has no row of its own; its samplers are run
line 90: search (HTTPSamplerProxy): argument q: the value of its variable is put in as it is, not encoded
line 90: search (HTTPSamplerProxy): HTTPSampler.image_parser: embedded resources are not fetched
line 122: node (XPathExtractor): is left out: it has no counterpart here
line 124: csrf (BoundaryExtractor): BoundaryExtractor.match_number: the first match is taken, not number 2
line 132: order (HTTPSamplerProxy): ${sig}: there is no such variable: it is sent as it is written
line 132: order (HTTPSamplerProxy): ${__Random(1,9,n)}: the value is not kept in n
line 132: order (HTTPSamplerProxy): ${__time(yyyy,)}: no format of dates is known here: it is sent as it is written
line 156: Sometimes (IfController): is left out: it has no counterpart here; its 1 samplers with it
line 161: count rows (JDBCSampler): is left out: it has no counterpart here
line 163: gone (HTTPSamplerProxy): is left out: it is disabled
line 166: Robots (ThreadGroup): HTTPSampler.follow_redirects: is for all groups that of the one with the most users, Buyers
`

func TestFromJMX(t *testing.T) {
	data, err := os.ReadFile("testdata/shop.jmx")
	if err != nil {
		t.Fatal(err)
	}
	p, notes, err := FromJMX("shop.jmx", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Marshal(p)
	if err != nil || string(got) != shopPlan {
		t.Errorf("%v\n%s", err, got)
	}
	var b strings.Builder
	for _, n := range notes {
		b.WriteString(n.String() + "\n")
	}
	if b.String() != shopNotes {
		t.Errorf("notes:\n%s", b.String())
	}
}
