package load

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
)

// jmeterReport has JMeter's own classes calculate the rows of files: the fields of a
// line of testdata/JMeterReport.java, for each file.
func jmeterReport(t *testing.T, files []string) [][]string {
	t.Helper()
	const home = "/usr/share/jmeter"
	if _, err := os.Stat(home + "/lib/ext/ApacheJMeter_core.jar"); err != nil {
		t.Fatalf("JMeter is needed to compare its report: apt-get install jmeter jmeter-http (%v)", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	args := []string{"-Djava.awt.headless=true", "-Duser.language=en", "-Dlog_file=" + filepath.Join(t.TempDir(), "log"), "-XX:TieredStopAtLevel=1",
		"-cp", home + "/bin/ApacheJMeter.jar:" + home + "/lib/ext/*:" + home + "/lib/*:/usr/share/java/*", "testdata/JMeterReport.java", home}
	out, err := exec.CommandContext(ctx, "java", append(args, files...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("JMeter: %v\n%s", err, out)
	}
	var rows [][]string
	for l := range strings.Lines(string(out)) {
		if f, ok := strings.CutPrefix(strings.TrimSpace(l), "ROW\t"); ok {
			rows = append(rows, strings.Split(f, "\t"))
		}
	}
	return rows
}

// TestReportIsJMeters gives the same JTL files to jtop and to JMeter: every
// figure of the Aggregate Report and of the Summary Report is the same to the
// last bit. Debian's JMeter is 2.13, which knows no sent bytes.
func TestReportIsJMeters(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	many := func(n, labels int, elapsed func() int64) string {
		var b strings.Builder
		at := int64(1_700_000_000_000)
		for range n {
			at += rnd.Int64N(40)
			fmt.Fprintf(&b, "%d,%d,label %d,200,OK,g 1-1,text,%t,%d,3,3,1\n", at-rnd.Int64N(5), elapsed(), rnd.IntN(labels), rnd.IntN(7) > 0, rnd.IntN(5000))
		}
		return b.String()
	}
	uniform := func(n int64) func() int64 { return func() int64 { return rnd.Int64N(n) } }
	texts := []string{
		"1000,10,a,200,OK,g 1-1,text,true,100,1,1,5\n",
		"1000,10,a,200,OK,g 1-1,text,true,100,1,1,5\n1000,11,a,200,OK,g 1-1,text,true,1,1,1,5\n",
		"1000,1,a,200,OK,g 1-1,text,true,0,1,1,1\n5000,2,a,500,No,g 1-1,text,false,7,1,1,1\n9000,3,b,500,No,g 1-1,text,false,3,1,1,1\n",
		"1000,4000,slow,200,OK,g 1-1,text,true,10,1,1,1\n90000,70000,slow,200,OK,g 1-1,text,true,10,1,1,1\n", // less than one a second
		"2000,500,a,200,OK,g 1-1,text,true,10,1,1,1\n1900,10,a,200,OK,g 1-1,text,true,10,1,1,1\n",            // the later sample began earlier
	}
	for _, n := range []int{4, 5, 10, 25, 30, 50, 90, 101} {
		texts = append(texts, many(n, 1, uniform(200)))
	}
	texts = append(texts, many(1000, 4, uniform(3000)), many(3000, 3, func() int64 { return int64(rnd.ExpFloat64() * 300) }), many(500, 2, uniform(200_000)))
	var files []string
	var want []Row
	for i, text := range texts {
		files = append(files, write(t, fmt.Sprintf("%d.jtl", i), oldColumns[12]+"\n"+text))
		want = append(want, mustJTL(t, oldColumns[12]+"\n"+text).Aggregate...)
	}
	rows := jmeterReport(t, files)
	if len(rows) != len(want) {
		t.Fatalf("%d rows of JMeter, %d of jtop", len(rows), len(want))
	}
	whole := func(v probes.Opt[int64]) string { return strconv.FormatInt(v.V, 10) }
	for i, r := range want {
		exact := map[int]float64{9: r.ErrorPct.V, 10: r.Throughput.V, 11: r.Received.V, 12: r.StdDev.V, 13: r.AvgBytes.V,
			18: r.StdDev.V, 19: r.ErrorPct.V, 20: r.Throughput.V, 21: r.Received.V, 22: r.AvgBytes.V}
		for k, s := range []string{r.Label, strconv.FormatInt(r.Samples, 10), whole(r.Average), whole(r.Median), whole(r.P90), whole(r.P95), whole(r.P99), whole(r.Min), whole(r.Max)} {
			if rows[i][k] != s {
				t.Errorf("row %d (%s): field %d is %s, JMeter has %s", i, r.Label, k, s, rows[i][k])
			}
		}
		for k, s := range []string{strconv.FormatInt(r.Samples, 10), whole(r.Average), whole(r.Min), whole(r.Max)} {
			if rows[i][14+k] != s {
				t.Errorf("row %d (%s): field %d is %s, JMeter has %s", i, r.Label, 14+k, s, rows[i][14+k])
			}
		}
		for k, v := range exact {
			theirs, err := strconv.ParseFloat(rows[i][k], 64)
			if k == 9 || k == 19 {
				theirs *= 100 // a share
			}
			if (i == 9 || i == 10) && (k == 20 || k == 21) {
				continue // where a later sample began earlier, the Summary Report's time begins with the first in the file
			}
			if err != nil || theirs != v {
				t.Errorf("row %d (%s): field %d is %v, JMeter has %s", i, r.Label, k, v, rows[i][k])
			}
		}
	}
}
