package probes

import "time"

// JVM is one row of the picker and of `jtop ps`. All text is cleaned.
type JVM struct {
	PID             int          `json:"pid"`
	NSPID           int          `json:"ns_pid"` // pid inside its own namespace
	UID             int          `json:"uid"`
	User            string       `json:"user"`
	Name            string       `json:"name"`         // short and telling: main class's last part, or jar's file name
	MainClass       string       `json:"main_class"`   // in full
	Args            []string     `json:"command_line"` // secrets masked
	JDK             string       `json:"jdk"`          // "17.0.15"; "" unknown
	GC              Algorithm    `json:"gc"`
	Started         time.Time    `json:"started"`
	Uptime          Opt[float64] `json:"uptime_seconds"`
	CPU             Opt[float64] `json:"cpu_percent"` // over the last interval; 100 = one core
	Heap            JVMHeap      `json:"heap"`
	Threads         Opt[int64]   `json:"threads"` // Java threads by the JVM's own count
	RSS             Opt[int64]   `json:"rss_bytes"`
	Ports           []int        `json:"ports"` // listening TCP ports, ascending; nil where not readable
	Attach          AttachStatus `json:"attach"`
	Counters        string       `json:"counters"` // how they are read: "file", "map_files", "memory", "" (not)
	CountersProblem *Problem     `json:"counters_problem,omitempty"`
	Container       string       `json:"container,omitempty"`
}

// JVMHeap is the heap columns of a picker row.
type JVMHeap struct {
	Used Opt[int64] `json:"used_bytes"`
	Max  Opt[int64] `json:"max_bytes"`
	AsOf time.Time  `json:"-"` // when Used was true; zero: now
}

// AttachStatus tells whether commands can be sent to a JVM, before anyone
// tries. It encodes as "ok" or as the reason.
type AttachStatus struct {
	OK     bool
	Reason string // why not
	Fix    string // what to do about it
}

// MarshalJSON writes "ok" or the reason with its remedy.
func (a AttachStatus) MarshalJSON() ([]byte, error) {
	if a.OK {
		return []byte(`"ok"`), nil
	}
	s := a.Reason
	if a.Fix != "" {
		s += "; " + a.Fix
	}
	return marshalString(s)
}

// UnmarshalJSON reads what MarshalJSON wrote; a reason and its remedy come
// back as one text.
func (a *AttachStatus) UnmarshalJSON(b []byte) error {
	s, err := unmarshalString(b)
	if err != nil {
		return err
	}
	if s == "ok" {
		*a = AttachStatus{OK: true}
	} else {
		*a = AttachStatus{Reason: s}
	}
	return nil
}

// VMInfo is what hardly changes during a JVM's life.
type VMInfo struct {
	PID         int                `json:"pid"`
	Name        string             `json:"name"`    // "OpenJDK 64-Bit Server VM"
	Version     string             `json:"version"` // java.version: "17.0.15"
	VMVersion   string             `json:"vm_version"`
	Vendor      string             `json:"vendor"`
	Home        string             `json:"home"`
	Started     time.Time          `json:"started"`
	Since       Opt[time.Duration] `json:"since_ns"`     // Started on the session's clock, mostly negative; recordings from before have none
	CommandLine []string           `json:"command_line"` // from /proc, whole, secrets masked
	MainClass   string             `json:"main_class"`
	JVMArgs     []string           `json:"jvm_args"` // as the JVM took them (also from JAVA_TOOL_OPTIONS), masked
	Flags       []VMFlag           `json:"flags"`    // nil: not read (needs attach)
	Properties  []Property         `json:"properties"`
	// PropertiesFull tells whether Properties is System.getProperties(), asked
	// for by the user, or only the ones that the counters hold.
	PropertiesFull bool         `json:"properties_full"`
	OS             string       `json:"os"`
	Arch           string       `json:"arch"`
	Cwd            string       `json:"cwd"`
	User           string       `json:"user"`
	Attach         AttachStatus `json:"attach"`
	Counters       string       `json:"counters"`
}

// VMFlag is one -XX flag.
type VMFlag struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Text  string `json:"text"` // as VM.flags prints it: "-XX:MaxHeapSize=268435456"
}

// Property is one system property; the value of a secret one is Masked.
type Property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}
