package jvm

import (
	"path"
	"strings"

	"example.com/jtop/probes"
)

// vmFacts reads what the counters say of the JVM itself.
func vmFacts(r reading) probes.VMInfo {
	v := probes.VMInfo{
		Name:      r.text("java.property.java.vm.name"),
		Version:   r.text("java.property.java.version"),
		VMVersion: r.text("java.property.java.vm.version"),
		Vendor:    r.text("java.property.java.vm.vendor"),
		Home:      r.text("java.property.java.home"),
		Started:   r.began(),
	}
	// The counters join arguments with spaces and cut at 1024 bytes; an
	// argument with a space in it comes apart, which the whole command line
	// beside it shows.
	v.JVMArgs = probes.MaskArgs(strings.Fields(r.text("java.rt.vmArgs")))
	const prefix = "java.property."
	for _, e := range r.l.Entries() {
		if !strings.HasPrefix(e.Name, prefix) {
			continue
		}
		name := probes.Clean(strings.TrimPrefix(e.Name, prefix))
		value := r.text(e.Name)
		if probes.IsSecret(name) {
			value = probes.Masked
		}
		v.Properties = append(v.Properties, probes.Property{Name: name, Value: value})
	}
	return v
}

// mainOf finds the main class or jar in a JVM's command line, as the java
// launcher reads it (java(1)): the first argument that is neither an option
// nor an option's value, or what follows -jar or -m. name is the short form:
// the jar's file name, or the class without its package.
func mainOf(args []string) (main, name string) {
	takesValue := map[string]bool{"-cp": true, "-classpath": true, "--class-path": true, "-p": true, "--module-path": true,
		"--add-modules": true, "--add-exports": true, "--add-opens": true, "--add-reads": true, "--limit-modules": true, "--patch-module": true,
		"--upgrade-module-path": true, "--describe-module": true, "--source": true, "--enable-native-access": true}
	for i := 1; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "-jar":
			if i+1 < len(args) {
				return args[i+1], path.Base(args[i+1])
			}
			return "", ""
		case a == "-m" || a == "--module":
			if i+1 < len(args) {
				return args[i+1], shortName(args[i+1])
			}
			return "", ""
		case takesValue[a]:
			i++
		case strings.HasPrefix(a, "-") || strings.HasPrefix(a, "@"):
		case a == "":
		default:
			return a, shortName(a)
		}
	}
	return "", ""
}

// shortName cuts module and package off a main class, and the folders off a
// path.
func shortName(s string) string {
	if strings.HasSuffix(s, ".java") || strings.HasSuffix(s, ".jar") {
		return path.Base(s)
	}
	if i := strings.LastIndexByte(s, '/'); i >= 0 {
		s = s[i+1:]
	}
	if i := strings.LastIndexByte(s, '.'); i >= 0 && i+1 < len(s) {
		s = s[i+1:]
	}
	return s
}

// javaCommand splits sun.rt.javaCommand: main class or jar, then arguments.
func javaCommand(r reading) (main, name string) {
	f := strings.Fields(r.text("sun.rt.javaCommand"))
	if len(f) == 0 {
		return "", ""
	}
	return f[0], shortName(f[0])
}

// cleanArgs masks secrets and makes the rest safe to draw.
func cleanArgs(args []string) []string {
	out := probes.MaskArgs(args)
	for i := range out {
		out[i] = probes.Clean(out[i])
	}
	return out
}
