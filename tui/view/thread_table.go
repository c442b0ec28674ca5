package view

import (
	"math"
	"strconv"
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/tui/table"
	"example.com/jtop/tui/theme"
)

// threadColumns is the table's columns; the ones with a low priority go first
// where the screen is narrow.
var threadColumns = []table.Column{
	{ID: "cpu", Title: "CPU %", Width: 6, Right: true, Priority: 9, Desc: true},
	{ID: "user", Title: "USR", Width: 4, Right: true, Priority: 6, Desc: true},
	{ID: "system", Title: "SYS", Width: 4, Right: true, Priority: 6, Desc: true},
	{ID: "alloc", Title: "ALLOC/S", Width: 9, Right: true, Priority: 5, Desc: true},
	{ID: "state", Title: "STATE", Width: 15, Priority: 8},
	{ID: "name", Title: "NAME", Width: 24, Min: 17, Flex: true, Priority: 10},
	{ID: "id", Title: "#ID", Width: 6, Right: true, Priority: 2},
	{ID: "nid", Title: "NID", Width: 7, Right: true, Priority: 7},
	{ID: "hex", Title: "HEX", Width: 8, Right: true, Priority: 4},
	{ID: "daemon", Title: "DAEMON", Width: 6, Priority: 3},
	{ID: "prio", Title: "PRIO", Width: 4, Right: true, Priority: 1},
	{ID: "top", Title: "TOP OF STACK", Width: 30, Min: 16, Flex: true, Priority: 3},
}

// rowCache keeps the cells of a frame: paints of the same frame (a key, a
// scroll) need not make them anew.
type rowCache struct {
	from *probes.ThreadRow
	n    int
	th   *theme.Theme
	rows []table.Row
	who  map[identity]*whoCells // cells that stay as long as their thread

	// The rows in order, for as long as order and filter stay.
	vis     []table.Row
	visOK   bool
	sortCol string
	desc    bool
	filter  string
}

// threadKey is a thread's identity from dump to dump.
func threadKey(r *probes.ThreadRow) string { return r.Key() }

func (st *ThreadsState) tableRows(c *Ctx, f *probes.Frame) []table.Row {
	if len(f.Rows) == 0 {
		return nil
	}
	if files := f.DumpAt != nil; files != st.files {
		st.files, st.rows = files, rowCache{}
	}
	k := &st.rows
	if k.from == &f.Rows[0] && k.n == len(f.Rows) && (c == nil || k.th == c.Th) && k.rows != nil {
		return k.rows
	}
	if c == nil {
		c = &Ctx{}
	}
	rows := make([]table.Row, len(f.Rows))
	cells := make([]table.Cell, len(f.Rows)*len(threadColumns))
	states := make(map[stateKey]table.Cell)
	was, now := k.who, make(map[identity]*whoCells, len(f.Rows))
	for i := range f.Rows {
		r := &f.Rows[i]
		row := cells[i*len(threadColumns) : (i+1)*len(threadColumns) : (i+1)*len(threadColumns)]
		id := identity{r.NID, r.ID, r.Priority, r.Daemon, r.Name}
		who := was[id]
		if who == nil {
			who = newWho(r)
		}
		now[id] = who
		fillThread(c, r, row, states, who)
		if st.files {
			row = fileRow(r, row)
		}
		rows[i] = table.Row{Key: who.key, Cells: row}
	}
	if c.Th != nil {
		*k = rowCache{from: &f.Rows[0], n: len(f.Rows), th: c.Th, rows: rows, who: now}
	}
	return rows
}

// stateKey is what a state's cell is made of: thousands of threads share a few.
type stateKey struct {
	state  probes.ThreadState
	detail string
	inDump bool
}

func stateCell(c *Ctx, r *probes.ThreadRow, made map[stateKey]table.Cell) table.Cell {
	k := stateKey{r.State, r.Detail, r.InDump}
	cell, ok := made[k]
	switch {
	case ok:
		return cell
	case !r.InDump:
		cell = table.Cell{Text: "not in dump"}
	case c.Th == nil:
		cell = table.Cell{Text: " " + stateDetail(r), Sort: string(r.State)}
	default:
		style, letter := c.Th.State(r.State)
		cell = table.Cell{Text: letter + " " + stateDetail(r), Style: &style, Sort: string(r.State)}
	}
	made[k] = cell
	return cell
}

// fillThread fills the cells of one row.
func fillThread(c *Ctx, r *probes.ThreadRow, row []table.Cell, states map[stateKey]table.Cell, who *whoCells) {
	top := table.Cell{}
	if len(r.Stack) > 0 {
		top = table.Cell{Text: r.Stack[0].Method, Sort: &r.Stack[0].Method}
	}
	row[0], row[1], row[2], row[3] = share(r.CPUPercent, 1), share(r.User, 0), share(r.System, 0), allocCell(r.AllocRate)
	row[4], row[5], row[6], row[7], row[8] = stateCell(c, r, states), who.name, who.id, who.nid, who.hex
	row[9], row[10], row[11] = who.daemon, who.prio, top
}

// identity is what the cells of whoCells are made of.
type identity struct {
	nid, id  int64
	priority int
	daemon   bool
	name     string
}

// whoCells is the cells that do not change while a thread lives: with
// thousands of threads, making them anew is most of a frame.
type whoCells struct {
	key                              string
	name, id, nid, hex, daemon, prio table.Cell
}

func newWho(r *probes.ThreadRow) *whoCells {
	id, nid, hex, prio := table.Cell{Text: "-"}, table.Cell{Text: "-"}, table.Cell{Text: "-"}, table.Cell{Text: "-"}
	if r.ID != 0 {
		id = table.Cell{Text: strconv.FormatInt(r.ID, 10), Sort: r.ID}
	}
	if r.NID != 0 {
		var sort any = r.NID
		nid = table.Cell{Text: strconv.FormatInt(r.NID, 10), Sort: sort}
		hex = table.Cell{Text: "0x" + strconv.FormatInt(r.NID, 16), Sort: sort}
	}
	if r.Priority != 0 {
		prio = table.Cell{Text: strconv.Itoa(r.Priority), Sort: r.Priority}
	}
	daemon, word := "", "no"
	if r.Daemon {
		daemon, word = "daemon", "yes"
	}
	return &whoCells{key: threadKey(r), name: table.Cell{Text: r.Name, Sort: r.Name}, id: id, nid: nid, hex: hex,
		daemon: table.Cell{Text: daemon, Sort: word}, prio: prio}
}

// shares is the cells of 0 to 100 %, by tenths and whole: they sort by what
// they say.
var shares = func() (s [2][]table.Cell) {
	for i := range 101 {
		s[0] = append(s[0], table.Cell{Text: strconv.Itoa(i), Sort: float64(i)})
	}
	for i := range 1001 {
		v := float64(i) / 10
		s[1] = append(s[1], table.Cell{Text: strconv.FormatFloat(v, 'f', 1, 64), Sort: v})
	}
	return s
}()

// share is a share in percent with no digit, or with one.
func share(v probes.Opt[float64], digits int) table.Cell {
	if !v.OK {
		return table.Cell{Text: "-"}
	}
	made, scale := shares[min(digits, 1)], 1.0
	if digits > 0 {
		scale = 10
	}
	if i := math.RoundToEven(v.V * scale); i >= 0 && i < float64(len(made)) {
		return made[int(i)]
	}
	return table.Cell{Text: decimalOpt(v, digits), Sort: v.V}
}

func allocCell(r probes.Opt[probes.Rate]) table.Cell {
	if !r.OK {
		return table.Cell{Text: "-"}
	}
	return table.Cell{Text: boundedRate(r.V), Sort: r.V.PerSecond}
}

// boundedRate is a rate of bytes as far as it is known: "<512 KB" where its
// counter did not move by a step, "~1.5 MB" where a step is a good part of it.
func boundedRate(r probes.Rate) string {
	switch {
	case r.PerSecond == 0 && r.Within < 1:
		return "0"
	case r.PerSecond == 0:
		return "<" + rateAmount(r.Within)
	case r.Within > r.PerSecond/4:
		return "~" + rateAmount(r.PerSecond)
	}
	return rateAmount(r.PerSecond)
}

func rateAmount(v float64) string { return bytesAxis(v) }

// stateDetail is the state as the table says it: the refinement where there
// is one that says more than Java's word.
func stateDetail(r *probes.ThreadRow) string {
	switch r.Detail {
	case "parking":
		return "parked"
	case "sleeping":
		return "sleeping"
	}
	return stateWord(r.State)
}

// columns is the table's: of a JVM's threads, or of those in a file.
func (st *ThreadsState) columns() []table.Column {
	if st.files {
		return fileColumns
	}
	return threadColumns
}

func (st *ThreadsState) defaults() {
	if st.Table.SortCol == "" {
		if st.Table.SortCol, st.Table.Desc = "cpu", true; st.files {
			st.Table.SortCol, st.Table.Desc = "since", false
		}
	}
}

func (st *ThreadsState) visible(f *probes.Frame) []table.Row {
	if f == nil {
		return nil
	}
	rows := st.tableRows(nil, f)
	st.defaults()
	return st.ordered(f, rows)
}

// ordered filters and sorts rows, or gives the answer of last time where
// neither they nor what was asked has changed.
func (st *ThreadsState) ordered(f *probes.Frame, rows []table.Row) []table.Row {
	k, t := &st.rows, &st.Table
	cached := len(rows) > 0 && len(k.rows) > 0 && &rows[0] == &k.rows[0]
	if cached && k.visOK && k.sortCol == t.SortCol && k.desc == t.Desc && k.filter == t.Filter {
		return k.vis
	}
	q := parseThreadQuery(t.Filter)
	asked := *t
	asked.Filter = q.text
	vis := table.Visible(st.columns(), q.keep(f.Rows, rows), &asked)
	if cached {
		k.vis, k.visOK, k.sortCol, k.desc, k.filter = vis, true, t.SortCol, t.Desc, t.Filter
	}
	return vis
}

// State is the table's.
func (st *ThreadsState) State() *table.State { return &st.Table }

// Typed is whether keys go to the filter.
func (st *ThreadsState) Typed() *bool { return &st.Typing }

// Move moves the selection by n rows of those that are shown.
func (st *ThreadsState) Move(f *probes.Frame, n int) { st.Table.Move(st.visible(f), n) }

// NextSort sorts by the next column; Reverse turns the order round.
func (st *ThreadsState) NextSort() { st.defaults(); st.Table.NextSort(st.columns()) }

// Reverse turns the order round.
func (st *ThreadsState) Reverse() { st.defaults(); st.Table.Reverse() }

// Selected is the selected thread, or the first one shown before a selection
// was made; nil when there is none or it has ended.
func (st *ThreadsState) Selected(f *probes.Frame) *probes.ThreadRow {
	if f == nil || len(f.Rows) == 0 {
		return nil
	}
	row, ok := st.Table.Selected(st.visible(f))
	if !ok {
		return nil
	}
	for i := range f.Rows {
		if threadKey(&f.Rows[i]) == row.Key {
			return &f.Rows[i]
		}
	}
	return nil
}

func (c Ctx) threadTable(f *probes.Frame, st *ThreadsState, h int) string {
	if h <= 0 {
		return ""
	}
	if len(f.Rows) == 0 {
		if p := problemOf(f, "threads"); p != nil {
			return strings.Join(c.problemLines(p, c.W), "\n")
		}
		return c.dim(c.cut("no threads yet: the first dump is under way", c.W))
	}
	rows := st.tableRows(&c, f)
	st.defaults()
	ordered := st.ordered(f, rows)
	return table.DrawUnfolded(c.Th, st.columns(), ordered, len(rows), &st.Table, st.unfolded(c, f), c.W, h)
}
