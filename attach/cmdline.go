package attach

import (
	"bytes"
	"strings"
)

// args is a process's command line, raw.
func (r ProcRoot) args(pid int) ([]string, error) {
	b, err := r.read(argsFile, pid, "cmdline")
	if err != nil || len(b) == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(b), "\x00"), "\x00"), nil
}

const (
	disableOn  = "-XX:+DisableAttachMechanism"
	disableOff = "-XX:-DisableAttachMechanism"
)

// attachDisabled looks for the flag where it can be seen without asking the JVM.
// It is the second source: the counters file knows for sure. A flag in an
// @argfile or a flags file is not seen, nor is an unreadable environment.
func (r ProcRoot) attachDisabled(pid int) bool {
	args, _ := r.args(pid)                     // unreadable: not known to be disabled
	env, _ := r.read(argsFile, pid, "environ") // the same
	before, after := environArgs(env)
	return disabledBy(before, launcherFlags(args), after)
}

// environArgs takes the JVM flags out of a process's environment, in the order in
// which HotSpot and the launcher apply them before the command line's. Nothing
// else of the environment is kept: it may hold secrets.
func environArgs(env []byte) (before, after []string) {
	for entry := range bytes.SplitSeq(env, []byte{0}) {
		key, value, _ := bytes.Cut(entry, []byte{'='})
		switch string(key) {
		case "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS":
			before = append(before, strings.Fields(string(value))...)
		case "_JAVA_OPTIONS": // wins over the command line
			after = append(after, strings.Fields(string(value))...)
		}
	}
	return before, after
}

// takesValue are launcher options whose value is the next argument, so that the
// value is not taken for the main class.
var takesValue = map[string]bool{
	"-cp": true, "-classpath": true, "--class-path": true,
	"-p": true, "--module-path": true, "--upgrade-module-path": true,
	"--add-modules": true, "--add-reads": true, "--add-exports": true,
	"--add-opens": true, "--patch-module": true, "--limit-modules": true,
	"--enable-native-access": true,
}

// launcherFlags are the arguments before the main class: what follows belongs to
// the program and may say anything.
func launcherFlags(args []string) []string {
	var flags []string
	for i := 1; i < len(args); i++ {
		a := args[i]
		if a == "-jar" || a == "-m" || a == "--module" || !strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "@") {
			break
		}
		flags = append(flags, a)
		if takesValue[a] {
			i++
		}
	}
	return flags
}

// disabledBy: the last mention wins, as in HotSpot.
func disabledBy(lists ...[]string) bool {
	disabled := false
	for _, list := range lists {
		for _, a := range list {
			switch a {
			case disableOn:
				disabled = true
			case disableOff:
				disabled = false
			}
		}
	}
	return disabled
}
