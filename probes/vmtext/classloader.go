package vmtext

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"example.com/jtop/probes"
)

const loadersCmd = "VM.classloader_stats"

// ParseClassLoaders reads the answer to VM.classloader_stats of JDK 8 to 28:
//
//	ClassLoader         Parent              CLD*               Classes   ChunkSz   BlockSz  Type
//	0x0000000000000000  0x0000000000000000  0x00007f3b041552c0    1078   4456448    955200  <boot class loader>
//	                                                                10     30720     17584   + hidden classes
//	Total = 32                                                    1128   4705280   1047976
//
// The total must be there and be the sum of the lines.
func ParseClassLoaders(b []byte) (*probes.ClassLoaders, error) {
	text := string(b)
	if err := uncut(loadersCmd, text); err != nil {
		return nil, err
	}
	head, rest, ok := strings.Cut(text, "\n")
	if !ok || !strings.HasPrefix(head, "ClassLoader ") {
		return nil, missing(loadersCmd, "heading")
	}
	c := &probes.ClassLoaders{}
	var sum probes.HiddenClasses
	for line := range strings.Lines(rest) {
		line = strings.TrimRight(line, " \n")
		if total, ok := strings.CutPrefix(line, "Total ="); ok {
			if err := loadersTotal(c, sum, total); err != nil {
				return nil, fail(loadersCmd, err.Error(), line)
			}
			slices.SortStableFunc(c.Rows, func(a, b probes.ClassLoaderRow) int { return cmp.Compare(b.ChunkBytes, a.ChunkBytes) })
			return c, nil // legends follow
		}
		figures, err := loaderLine(c, line)
		if err == nil {
			err = sumFigures(&sum, figures)
		}
		if err != nil {
			return nil, fail(loadersCmd, err.Error(), line)
		}
	}
	return nil, missing(loadersCmd, "line with the total")
}

// loaderLine adds a loader, or the hidden classes of the last one.
func loaderLine(c *probes.ClassLoaders, line string) (f probes.HiddenClasses, err error) {
	var ids [3]string
	rest := strings.TrimLeft(line, " ")
	loader := strings.HasPrefix(line, "0x")
	if loader {
		for i := range ids {
			var word string
			word, rest, _ = strings.Cut(rest, " ")
			rest = strings.TrimLeft(rest, " ")
			if ids[i], err = address(word); err != nil {
				return f, err
			}
		}
	}
	for _, to := range []*int64{&f.Classes, &f.ChunkBytes, &f.BlockBytes} {
		var word string
		word, rest, _ = strings.Cut(rest, " ")
		rest = strings.TrimLeft(rest, " ")
		if *to, err = count(word); err != nil {
			return f, err
		}
	}
	switch {
	case loader && rest != "":
		c.Rows = append(c.Rows, probes.ClassLoaderRow{ID: ids[0], Parent: ids[1], Data: ids[2], Type: probes.Clean(rest),
			Classes: f.Classes, ChunkBytes: f.ChunkBytes, BlockBytes: f.BlockBytes})
	case !loader && len(c.Rows) > 0 && strings.HasPrefix(rest, "+ ") && c.Rows[len(c.Rows)-1].Hidden == (probes.HiddenClasses{}):
		c.Rows[len(c.Rows)-1].Hidden = f
	default:
		return f, errors.New("a class loader was expected")
	}
	return f, nil
}

func loadersTotal(c *probes.ClassLoaders, sum probes.HiddenClasses, text string) error {
	words := strings.Fields(text)
	if len(words) != 4 {
		return errors.New("four totals were expected")
	}
	for i, want := range []int64{int64(len(c.Rows)), sum.Classes, sum.ChunkBytes, sum.BlockBytes} {
		n, err := count(words[i])
		if err != nil {
			return err
		}
		if n != want {
			return errors.New("the total is not the sum of the loaders; some are missing")
		}
	}
	c.Classes, c.ChunkBytes, c.BlockBytes = sum.Classes, sum.ChunkBytes, sum.BlockBytes
	return nil
}

func sumFigures(to *probes.HiddenClasses, f probes.HiddenClasses) (err error) {
	if to.Classes, err = add(to.Classes, f.Classes); err != nil {
		return err
	}
	if to.ChunkBytes, err = add(to.ChunkBytes, f.ChunkBytes); err != nil {
		return err
	}
	to.BlockBytes, err = add(to.BlockBytes, f.BlockBytes)
	return err
}

// address checks "0x000000010000f730" and makes zeros "".
func address(s string) (string, error) {
	hex, ok := strings.CutPrefix(s, "0x")
	if !ok || hex == "" || len(hex) > 16 {
		return "", errors.New("an address was expected")
	}
	for i := range len(hex) {
		if _, ok := hexDigit(hex[i]); !ok {
			return "", errors.New("an address was expected")
		}
	}
	if strings.Trim(hex, "0") == "" {
		return "", nil
	}
	return s, nil
}
