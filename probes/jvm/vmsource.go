package jvm

import (
	"context"
	"sync"
	"time"

	"example.com/jtop/attach"
	"example.com/jtop/probes"
	"example.com/jtop/probes/proc"
	"example.com/jtop/probes/vmtext"
)

// VM is the source of what hardly changes: versions, arguments, properties.
// It reads them once without cost; flags and the full properties are asked of
// the JVM when the user says so.
type VM struct {
	fs       proc.FS
	target   *attach.Target
	client   *attach.Client
	refused  attach.Status
	counters *Counters
	row      probes.JVM

	mu    sync.Mutex
	info  probes.VMInfo
	facts bool // info has what the counters say
	dirty bool
}

// NewVM returns the source of a JVM that the list has shown as row.
func NewVM(fs proc.FS, t *attach.Target, client *attach.Client, refused attach.Status, counters *Counters, row probes.JVM) *VM {
	return &VM{fs: fs, target: t, client: client, refused: refused, counters: counters, row: row}
}

// Name is the source's name on the screen.
func (v *VM) Name() string { return "vm" }

// Period is one second; all but the first reading cost nothing.
func (v *VM) Period() time.Duration { return time.Second }

// Collect delivers the facts once, and again after they changed.
func (v *VM) Collect(_ context.Context, s *probes.Sample) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.facts {
		info, ok := v.counters.facts()
		v.merge(info)
		v.facts = ok
		v.dirty = v.dirty || ok || v.info.PID == 0
		v.os()
	}
	if !v.dirty {
		return nil
	}
	v.dirty = false
	out := v.info
	s.VM = &out
	return nil
}

// merge takes the counters' facts and keeps what was asked of the JVM.
func (v *VM) merge(info probes.VMInfo) {
	info.Flags = v.info.Flags
	if v.info.PropertiesFull {
		info.Properties, info.PropertiesFull = v.info.Properties, true
	}
	since := v.info.Since
	v.info = info
	if v.info.Started.IsZero() {
		v.info.Started = v.row.Started
	}
	if !since.OK { // once: a step of the clock must not move it
		since = v.counters.sinceOf(v.info.Started)
	}
	v.info.Since = since
}

// os fills what /proc says.
func (v *VM) os() {
	v.info.PID, v.info.User, v.info.MainClass = v.target.PID, v.row.User, v.row.MainClass
	v.info.CommandLine = v.row.Args
	v.info.OS, v.info.Arch = osRelease()
	if cwd, err := v.fs.Cwd(v.target.PID); err == nil {
		v.info.Cwd = probes.Clean(cwd)
	}
	v.info.Attach = probes.AttachStatus{OK: v.client != nil, Reason: v.refused.Reason, Fix: v.refused.Fix}
	v.info.Counters = v.counters.Via()
}

// FetchFlags asks the JVM for its flags (VM.flags: a fraction of a millisecond
// of one of its threads, no pause).
func (v *VM) FetchFlags(ctx context.Context) error {
	b, err := v.command(func() ([]byte, error) { return v.client.Jcmd(ctx, "VM.flags") })
	if err != nil {
		return attachOr("the flags could not be read", err)
	}
	flags, err := vmtext.ParseFlags(b)
	if err != nil {
		return &probes.Problem{What: "the flags were not understood", Why: errText(err)}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.info.Flags, v.dirty = flags, true
	return nil
}

// FetchProperties asks the JVM for its system properties. This runs Java code
// in the target: 1-6 ms of one thread, and up to 170 ms the first time.
func (v *VM) FetchProperties(ctx context.Context) error {
	b, err := v.command(func() ([]byte, error) { return v.client.Do(ctx, "properties") })
	if err != nil {
		return attachOr("the system properties could not be read", err)
	}
	props, err := vmtext.ParseProperties(b)
	if err != nil {
		return &probes.Problem{What: "the system properties were not understood", Why: errText(err)}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.info.Properties, v.info.PropertiesFull, v.dirty = props, true, true
	return nil
}

func (v *VM) command(do func() ([]byte, error)) ([]byte, error) {
	if v.client == nil {
		return nil, &probes.Problem{What: "attach is not possible", Why: v.refused.Reason, Next: v.refused.Fix}
	}
	return do()
}

func attachOr(what string, err error) error {
	if p, ok := err.(*probes.Problem); ok {
		return p
	}
	return attachProblem(what, err)
}

// facts reads what the counters say of the JVM itself.
func (c *Counters) facts() (probes.VMInfo, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, err := c.read()
	if err != nil {
		return probes.VMInfo{}, false
	}
	return vmFacts(newReading(v.Layout(), v.Bytes())), true
}

// JVMArgs is the arguments as the JVM took them, those of JAVA_TOOL_OPTIONS
// too; nil where the counters cannot be read.
func (c *Counters) JVMArgs() []string {
	info, _ := c.facts()
	return info.JVMArgs
}

// Capabilities reads sun.rt.jvmCapabilities, "" where it is unknown: what the
// preflight of an attach wants to know.
func (c *Counters) Capabilities() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, err := c.read()
	if err != nil {
		return ""
	}
	s, _ := v.Layout().String(v.Bytes(), "sun.rt.jvmCapabilities")
	return s
}
