package threads

import (
	"bytes"
	"math"
	"strings"

	"example.com/jtop/probes"
)

// header is what stands behind a thread's name.
type header struct {
	id       int64 // #N; 0: none
	nid      int64
	tid      uint64 // address of HotSpot's own Thread
	wide     bool   // the address has the width that HotSpot prints
	daemon   bool
	prio     int
	alloc    probes.Opt[int64]
	words    []byte // "waiting on condition"
	noFrames bool   // [0x0000000000000000]: no Java frame
}

// parseHeader reads the last line of a header from its right end: the last
// quote closes the name, as nothing behind a name holds one.
//
//	"main" #1 [8297] daemon prio=5 os_prio=0 cpu=90.98ms elapsed=3.32s allocated=575K
//	  defined_classes=151 tid=0x00007f10b80198b0 nid=8297 waiting on condition  [0x00007f10bcfd0000]
//
// It returns where in the line the name ends.
func parseHeader(line []byte) (h header, nameEnd int, ok bool) {
	nameEnd = bytes.LastIndexByte(line, '"')
	if nameEnd < 0 {
		return h, 0, false
	}
	rest := line[nameEnd+1:]
	if len(rest) == 0 || rest[0] != ' ' {
		return h, 0, false
	}
	for {
		var tok []byte
		tok, rest = token(rest)
		if len(tok) == 0 {
			return h, 0, false
		}
		key, value, isPair := bytes.Cut(tok, []byte("="))
		switch {
		case tok[0] == '#':
			if h.id, ok = number(tok[1:]); !ok || h.id == 0 {
				return h, 0, false
			}
		case tok[0] == '[' && tok[len(tok)-1] == ']':
			// The native id; it also stands behind nid=, but not for carriers.
			if h.nid, ok = number(tok[1 : len(tok)-1]); !ok {
				return h, 0, false
			}
		case string(tok) == "daemon":
			h.daemon = true
		case !isPair:
			return h, 0, false
		case string(key) == "prio":
			p, ok := number(value)
			if !ok || p > 10 {
				return h, 0, false
			}
			h.prio = int(p)
		case string(key) == "allocated":
			h.alloc = allocated(value)
		case string(key) == "tid":
			hex, isHex := after(value, "0x")
			if h.tid, ok = hexNumber(hex); !isHex || !ok {
				return h, 0, false
			}
			h.wide = len(hex) >= 8
			h.state(rest)
			return h, nameEnd, true
		}
	}
}

// state reads what follows tid: "nid=0x1df6 sleeping[0x00007f6bb23fe000]".
func (h *header) state(rest []byte) {
	if tok, r := token(rest); has(tok, "nid=") {
		rest = r
		value := tok[len("nid="):]
		if hex, ok := after(value, "0x"); ok {
			if n, ok := hexNumber(hex); ok && n <= math.MaxInt32 {
				h.nid = int64(n)
			}
		} else if n, ok := number(value); ok && n <= math.MaxInt32 {
			h.nid = n
		}
	}
	if i := bytes.LastIndexByte(rest, '['); i >= 0 {
		sp := bytes.Trim(rest[i:], "[]0x")
		h.noFrames = len(sp) == 0
		rest = rest[:i]
	}
	h.words = bytes.TrimSpace(rest)
}

func token(b []byte) (tok, rest []byte) {
	b = bytes.TrimLeft(b, " ")
	if i := bytes.IndexByte(b, ' '); i >= 0 {
		return b[:i], b[i:]
	}
	return b, nil
}

// number reads a decimal number that fits.
func number(b []byte) (int64, bool) {
	var n int64
	for _, c := range b {
		d := int64(c) - '0'
		if d < 0 || d > 9 || n > (math.MaxInt64-d)/10 {
			return 0, false
		}
		n = n*10 + d
	}
	return n, len(b) > 0
}

func hexNumber(b []byte) (uint64, bool) {
	if len(b) == 0 || len(b) > 16 {
		return 0, false
	}
	var n uint64
	for _, c := range b {
		i := strings.IndexByte("0123456789abcdef", c|0x20)
		if i < 0 || c < '0' {
			return 0, false
		}
		n = n<<4 | uint64(i)
	}
	return n, true
}

// allocated reads "11992B", "575K", "13M": what the thread has allocated since
// it began, rounded down by HotSpot. Unknown where it does not fit.
func allocated(b []byte) probes.Opt[int64] {
	if len(b) < 2 {
		return probes.None[int64]()
	}
	n, ok := number(b[:len(b)-1])
	shift := strings.IndexByte("BKMGT", b[len(b)-1]) * 10
	if !ok || shift < 0 || n > math.MaxInt64>>shift {
		return probes.None[int64]()
	}
	return probes.Some(n << shift)
}
