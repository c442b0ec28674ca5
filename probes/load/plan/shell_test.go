package plan

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// quoted are command lines that bash must split in the same way.
var quoted = []string{
	`curl http://h/`,
	`  curl   'a b'"c d"e\ f  ''  "" x`,
	`curl 'it'\''s' "say \"hi\" \\ \$5 \x" a\\b`,
	"curl \\\n  -H 'A: b' \\\n  --data-raw 'x\ny' \"a\\\nb\"",
	`curl $'a\nb\t\'q\' \\ \x41\x4 \101\0601 \u00e9 \U0001F600 \e \q \"'`,
	`curl $"plain" 'é ü' --data '{"a":"b"}' 100% a=b,c:d@e#f`,
	`curl "$ 5" 5$ "a$" "!" '${id}'`,
	"curl a # comment ' here\nb",
	`curl -d '^"' a^b`,
}

func TestWordsAsBash(t *testing.T) {
	for _, line := range quoted {
		got, err := words(line)
		if err != nil {
			t.Errorf("%q: %v", line, err)
			continue
		}
		cmd := exec.Command("bash", "-c", `curl() { printf '%s\0' curl "$@"; }; `+line)
		cmd.Env = []string{"LC_ALL=C.UTF-8", "PATH=/nowhere"}
		out, err := cmd.Output()
		if err != nil && !strings.Contains(line, "# comment") { // b is no command
			t.Fatalf("bash: %v", err)
		}
		want := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
		if strings.Contains(line, "# comment") {
			want = []string{"curl", "a", "b"} // one command here, two there
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q:\n%q, bash has\n%q", line, got, want)
		}
	}
}

func TestWordsErrors(t *testing.T) {
	for line, want := range map[string]string{
		"curl 'a":                         "character 6: a ' has no end",
		`curl "a`:                         `character 6: a " has no end`,
		`curl $'a\'`:                      "character 6: a $' has no end",
		"curl é | jq":                     "character 8: the shell's |",
		"curl a?b&c=d":                    "character 9: the shell's &",
		"curl a > b":                      "the shell's >",
		"curl $(cat x)":                   "the shell's $",
		"curl $URL":                       "character 6: the shell's $",
		"curl \"a${b}\"":                  "the shell's $ in double quotes",
		"curl \"a`b`\"":                   "the shell's ` in double quotes",
		"curl ^\"a^\"":                    "this is quoted for Windows",
		"curl ^\n -H a":                   "copy it as cURL (bash)",
		strings.Repeat("a", maxCommand+1): "at most 1 MB",
	} {
		if got, err := words(line); got != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q %v, want %s", short(line), got, err, want)
		}
	}
	if got, err := words("curl a \\"); err != nil || !slices.Equal(got, []string{"curl", "a"}) {
		t.Errorf("a copied last backslash: %q %v", got, err)
	}
}
