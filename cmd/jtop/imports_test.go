package main

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "example.com/jtop/"

// importRule says what a package may import. The same graph is in .golangci.yml; docs/architecture.md has the reasons.
type importRule struct {
	own    []string // packages of this module; a trailing /... includes what is below
	others []string // modules that are not the standard library, by path prefix; nil means none
	denied []string // packages of the standard library
}

var (
	model = []string{"probes", "probes/series"}
	sys   = []string{"golang.org/x/sys/"}
	host  = []string{"github.com/shirou/gopsutil/v3/", "golang.org/x/sys/"}
	style = []string{"github.com/charmbracelet/lipgloss", "github.com/charmbracelet/x/ansi", "github.com/mattn/go-runewidth", "github.com/muesli/termenv"}
)

var importRules = map[string]importRule{
	"probes/hsperf/hsperftest": {own: []string{"probes/hsperf"}},

	"attach":            {others: sys},
	"attach/jmx":        {own: []string{"attach"}},
	"attach/attachtest": {own: []string{"attach"}, others: sys},

	"probes":           {own: []string{"probes/series"}, denied: []string{"os", "net", "os/exec", "net/http"}},
	"probes/series":    {denied: []string{"os", "net", "os/exec"}},
	"probes/hsperf":    {own: model, others: sys},
	"probes/proc":      {own: model, others: sys},
	"probes/store":     {own: append([]string{"probes/threads"}, model...)},
	"probes/sampler":   {own: model},
	"probes/session":   {own: model},
	"probes/load/plan": {own: model, others: []string{"go.yaml.in/yaml/v3"}, denied: []string{"os", "net", "os/exec", "net/http"}},
	"probes/load":      {own: append([]string{"probes/load/plan"}, model...), others: sys},
	"probes/hprof":     {own: model},
	"probes/vmtext":    {own: model},
	"probes/jstat":     {own: append([]string{"probes/hsperf"}, model...), denied: []string{"os", "net", "os/exec"}},
	"probes/gclog":     {own: model, others: sys, denied: []string{"os/exec", "net", "net/http"}},
	"probes/threads":   {own: append([]string{"attach", "probes/proc", "probes/hsperf"}, model...)},
	"probes/jvm":       {own: append([]string{"attach", "probes/proc", "probes/hsperf", "probes/threads", "probes/vmtext"}, model...), others: host},
	"probes/mbeans":    {own: append([]string{"attach", "attach/jmx", "probes/proc", "probes/hsperf"}, model...)},

	"tui":         {own: append([]string{"tui/..."}, model...), others: append([]string{"github.com/charmbracelet/bubbletea", "github.com/charmbracelet/bubbles/"}, style...), denied: []string{"net", "os/exec"}},
	"tui/keys":    {others: []string{"github.com/charmbracelet/bubbles/key", "github.com/charmbracelet/bubbletea"}, denied: []string{"os", "net", "os/exec"}},
	"tui/theme":   {own: append([]string{"tui/unit"}, model...), others: style, denied: []string{"net", "os/exec"}},
	"tui/unit":    {own: []string{"probes"}, others: style, denied: []string{"os", "net", "os/exec"}},
	"tui/layout":  {own: []string{"tui/theme", "tui/unit"}, others: style, denied: []string{"os", "net", "os/exec"}},
	"tui/table":   {own: append([]string{"tui/theme", "tui/layout", "tui/unit"}, model...), others: style, denied: []string{"os", "net", "os/exec"}},
	"tui/chart":   {own: append([]string{"tui/theme", "tui/layout", "tui/unit"}, model...), others: append([]string{"github.com/NimbleMarkets/ntcharts/"}, style...), denied: []string{"os", "net", "os/exec"}},
	"tui/view":    {own: append([]string{"tui/theme", "tui/layout", "tui/chart", "tui/table", "tui/unit", "tui/keys"}, model...), others: style, denied: []string{"os", "net", "os/exec", "net/http"}},
	"tui/tuitest": {own: append([]string{"tui/..."}, model...), others: append([]string{"github.com/charmbracelet/bubbletea", "github.com/charmbracelet/x/"}, style...)},
}

type listedPackage struct {
	ImportPath, Dir  string
	Imports, GoFiles []string
}

func listPackages(t *testing.T) []listedPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Dir,Imports,GoFiles", "./...")
	cmd.Dir = filepath.Join("..", "..")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listedPackage
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listedPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if len(all) < 3 {
		t.Fatalf("go list knows %d packages only", len(all))
	}
	return all
}

// breach returns why name may not import path, or "".
func breach(name, path string) string {
	rule, known := importRules[name]
	own, isOwn := strings.CutPrefix(path, module)
	standard := !strings.Contains(strings.SplitN(path, "/", 2)[0], ".")
	if strings.HasPrefix(name, "tui/tuitest/") {
		rule, known = importRules["tui/tuitest"], true // commands that print and picture screens
	}
	switch {
	case name == "cmd" || strings.HasPrefix(name, "cmd/"):
		return ""
	case !known:
		return "the package has no rule: add one here, in .golangci.yml and in docs/architecture.md"
	case isOwn:
		for _, allowed := range rule.own {
			if below, tree := strings.CutSuffix(allowed, "/..."); own == allowed || tree && strings.HasPrefix(own, below+"/") {
				return ""
			}
		}
	case standard:
		if !slices.Contains(rule.denied, path) {
			return ""
		}
	default:
		for _, prefix := range rule.others {
			if path == prefix || strings.HasPrefix(path, strings.TrimSuffix(prefix, "/")+"/") {
				return ""
			}
		}
	}
	return "not allowed by the import graph"
}

func TestImportGraph(t *testing.T) {
	for _, p := range listPackages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		if top, _, _ := strings.Cut(name, "/"); !slices.Contains([]string{"attach", "cmd", "probes", "tui"}, top) {
			t.Errorf("%s: code lives in attach, cmd, probes and tui only", name)
			continue
		}
		for _, path := range p.Imports {
			if why := breach(name, path); why != "" {
				t.Errorf("%s imports %s: %s", name, strings.TrimPrefix(path, module), why)
			}
		}
	}
}

func TestImportRulesCanFail(t *testing.T) {
	for _, c := range [][2]string{
		{"tui/view", "github.com/charmbracelet/bubbletea"}, {"tui/view", "os"}, {"tui/view", "net"},
		{"tui", module + "attach"}, {"probes", "golang.org/x/sys/unix"}, {"probes/store", module + "tui"},
		{"attach", module + "probes"}, {"probes/series", module + "probes"}, {"tui/table", "github.com/NimbleMarkets/ntcharts/canvas"},
		{"probes/novel", "fmt"}, {"probes/load", module + "attach"},
	} {
		if breach(c[0], c[1]) == "" {
			t.Errorf("%s may import %s", c[0], c[1])
		}
	}
	for _, c := range [][2]string{
		{"tui", module + "tui/view"}, {"tui/view", "strings"}, {"cmd/jtop", "os"}, {"attach", "golang.org/x/sys/unix"},
	} {
		if why := breach(c[0], c[1]); why != "" {
			t.Errorf("%s may not import %s: %s", c[0], c[1], why)
		}
	}
}

// forbiddenCalls are calls that a kind of package must not make, whatever it imports.
func forbiddenCalls(name string) []string {
	switch {
	case name == "cmd/jtop":
		return nil
	case strings.HasPrefix(name, "tui/") && name != "tui/tuitest":
		return []string{"os.Exit", "log.Fatal", "fmt.Print", "fmt.Println", "fmt.Printf", "time.Now", "time.Since"}
	case name == "cmd/internal/term":
		// Its os.Exit is the last resort for a terminal loop that does not end; everything else returns to cmd/jtop.
		return []string{"log.Fatal", "fmt.Print", "fmt.Println", "fmt.Printf"}
	case strings.HasPrefix(name, "cmd/"):
		return []string{"os.Exit", "log.Fatal", "fmt.Print", "fmt.Println", "fmt.Printf"}
	default:
		return []string{"os.Exit", "log.Fatal", "fmt.Print", "fmt.Println", "fmt.Printf", "signal.Notify"}
	}
}

func TestNoForbiddenCalls(t *testing.T) {
	files := token.NewFileSet()
	for _, p := range listPackages(t) {
		forbidden := forbiddenCalls(strings.TrimPrefix(p.ImportPath, module))
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if x, ok := sel.X.(*ast.Ident); ok && slices.Contains(forbidden, x.Name+"."+sel.Sel.Name) {
					t.Errorf("%s: %s.%s is not allowed in this package", files.Position(sel.Pos()), x.Name, sel.Sel.Name)
				}
				return true
			})
		}
	}
}
