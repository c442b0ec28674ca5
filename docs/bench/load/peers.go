//go:build bench

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

const users = 50

// peer is a generator and how it is called. An empty command line: it cannot
// do that kind of run.
type peer struct {
	name   string
	closed func(b *bench, url string) []string // as fast as answers come, 50 connections
	fixed  func(b *bench, url string) []string // b.rate requests a second, 50 connections
	stdin  string
	quiet  bool // its standard error is no output
}

// peers in the order in which they take turns. jtop and wrk are neighbours:
// theirs is the ratio that there is a limit for.
func (b *bench) peers(url string) []peer {
	c := strconv.Itoa(users)
	return []peer{
		{name: "jtop", quiet: true,
			closed: func(b *bench, url string) []string {
				return []string{b.jtop, "load", url, "-c", c, "-d", b.length(), "--json"}
			},
			fixed: func(b *bench, url string) []string {
				return []string{b.jtop, "load", url, "-c", c, "-d", b.length(), "--rate", strconv.Itoa(b.rate), "--json"}
			}},
		{name: "wrk -t2",
			closed: func(b *bench, url string) []string { return []string{"wrk", "-t2", "-c" + c, "-d" + b.length(), url} }},
		{name: "h2load --h1",
			closed: func(b *bench, url string) []string {
				return []string{"h2load", "--h1", "-c", c, "-D", b.seconds(), url}
			},
			fixed: func(b *bench, url string) []string {
				return []string{"h2load", "--h1", "-c", c, "-D", b.seconds(), "--rps", strconv.Itoa(b.rate / users), url}
			}},
		{name: "bombardier",
			closed: func(b *bench, url string) []string {
				return []string{"bombardier", "-c", c, "-d", b.length(), "-p", "r", url}
			},
			fixed: func(b *bench, url string) []string {
				return []string{"bombardier", "-c", c, "-d", b.length(), "-p", "r", "-r", strconv.Itoa(b.rate), url}
			}},
		{name: "hey",
			closed: func(b *bench, url string) []string { return []string{"hey", "-c", c, "-z", b.length(), url} },
			fixed: func(b *bench, url string) []string {
				return []string{"hey", "-c", c, "-z", b.length(), "-q", strconv.Itoa(b.rate / users), url}
			}},
		{name: "vegeta", stdin: "GET " + url + "\n",
			closed: func(b *bench, _ string) []string {
				return []string{"vegeta", "attack", "-rate", "0", "-max-workers", c, "-duration", b.length(), "-output", "/dev/null"}
			},
			fixed: func(b *bench, _ string) []string {
				return []string{"vegeta", "attack", "-rate", strconv.Itoa(b.rate), "-duration", b.length(), "-output", "/dev/null"}
			}},
		{name: "JMeter", closed: (*bench).jmeter},
	}
}

// jmeterLoops is how many requests each of JMeter's users sends. The start of
// its JVM is a part of the figure, as it is of every run of it.
const jmeterLoops = 4000

// jmeter has jtop write the plan and JMeter run it: 50 threads, a CSV JTL. Debian's JMeter
// refuses its own plans under the XStream that comes with it; the program that
// the tests of the export run it with knows the way round.
func (b *bench) jmeter(url string) []string {
	dir, err := os.MkdirTemp(b.dir, "jmeter") // neither jtop nor JMeter writes over a file
	if err != nil {
		b.fail(err)
	}
	plan := filepath.Join(dir, "plan.jmx")
	out, err := exec.Command(b.jtop, "load", url, "-c", strconv.Itoa(users), "--loops", strconv.Itoa(jmeterLoops), "--export", plan).CombinedOutput()
	if err != nil {
		b.fail(fmt.Errorf("the plan for JMeter: %w: %s", err, out))
	}
	const home = "/usr/share/jmeter"
	jars := home + "/bin/ApacheJMeter.jar:" + home + "/lib/ext/*:" + home + "/lib/*:/usr/share/java/*"
	return []string{"java", "-Xmx512m", "-Djava.awt.headless=true", "-Duser.language=en", "-Dlog_level.jmeter=ERROR", "-Dlog_file=" + filepath.Join(dir, "jmeter.log"),
		"-cp", jars, "probes/load/plan/testdata/JMeterRun.java", home, plan, filepath.Join(dir, "out.jtl")}
}
