package view

import (
	"fmt"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/tui/table"
)

var loaderColumns = []table.Column{
	{ID: "type", Title: "CLASS LOADER", Width: 40, Min: 16, Flex: true, Priority: 10},
	{ID: "loaders", Title: "LOADERS", Width: 8, Right: true, Priority: 9, Desc: true},
	{ID: "classes", Title: "CLASSES", Width: 9, Right: true, Priority: 8, Desc: true},
	{ID: "empty", Title: "EMPTY", Width: 7, Right: true, Priority: 5, Desc: true},
	{ID: "chunks", Title: "RESERVED", Width: 10, Right: true, Priority: 7, Desc: true},
	{ID: "blocks", Title: "USED", Width: 10, Right: true, Priority: 6, Desc: true},
}

// LoadersState is the page of class loaders.
type LoadersState struct {
	tableState
	from *probes.ClassLoaders // what rows were made of
	rows []table.Row
}

// NextSort sorts by the next column.
func (s *LoadersState) NextSort() { s.sortBy("loaders"); s.Table.NextSort(loaderColumns) }

// Move moves the selection by n rows of those that are shown.
func (s *LoadersState) Move(f *probes.Frame, n int) {
	if f == nil {
		return
	}
	s.sortBy("loaders")
	s.Table.Move(table.Visible(loaderColumns, s.tableRows(f), &s.Table), n)
}

// Loaders draws the class loaders by type: many of one type that have loaded
// nothing, or ever more of one type, is how a leak of loaders shows.
func Loaders(c Ctx, f *probes.Frame, st *LoadersState) string {
	if f == nil {
		return Waiting(c, nil, nil)
	}
	l := f.Loaders
	if l == nil {
		return c.asked("Class loaders by type, their classes and metaspace.", "l reads them (a pause of less than a millisecond; asks first)")
	}
	st.sortBy("loaders")
	head := []string{
		c.pad(c.strong(fmt.Sprintf("%d loaders, %s classes, %s of metaspace", len(l.Rows), count(l.Classes), bytesText(l.ChunkBytes)))+
			c.dim(fmt.Sprintf("  read %s, %s ago", l.Taken.Format("15:04:05"), ageText(max(f.Age(l.Taken), 0).Truncate(time.Second)))), c.W),
		c.pad(c.dim("a loader that nobody uses any more stays until a collection unloads it; nothing marks it but that it has loaded nothing (EMPTY) or that its type grows"), c.W),
	}
	return c.tablePage(head, loaderColumns, st.tableRows(f), &st.tableState)
}

// tableRows adds the loaders up once for each reading.
func (s *LoadersState) tableRows(f *probes.Frame) []table.Row {
	if f.Loaders == nil || s.from == f.Loaders {
		return s.rows
	}
	types := f.Loaders.ByType()
	rows := make([]table.Row, len(types))
	for i, t := range types {
		rows[i] = table.Row{Key: t.Type, Cells: []table.Cell{
			{Text: t.Type, Sort: t.Type},
			{Text: count(t.Loaders), Sort: float64(t.Loaders)},
			{Text: count(t.Classes), Sort: float64(t.Classes)},
			{Text: count(t.Empty), Sort: float64(t.Empty)},
			{Text: bytesText(t.ChunkBytes), Sort: float64(t.ChunkBytes)},
			{Text: bytesText(t.BlockBytes), Sort: float64(t.BlockBytes)},
		}}
	}
	s.from, s.rows = f.Loaders, rows
	return rows
}
