package theme

// Glyphs is every sign that the screen uses, each one cell wide.
type Glyphs struct {
	Bar      string    // a full cell of a bar
	BarParts [7]string // one to seven eighths of a cell, from the left
	BarEmpty string    // the rest of a bar
	Fills    [4]string // segments of a stacked bar, told apart without colour
	Spark    [8]string // heights of a sparkline, lowest first

	H, V                                       string // lines of borders and axes
	TopLeft, TopRight, BottomLeft, BottomRight string
	TickLeft                                   string // tick on a y axis
	TickUp                                     string // tick on an x axis
	Cursor                                     string // vertical line of a chart's cursor

	SortUp, SortDown string // ascending, descending
	Select           string // marks the selected row
	Mark             string // an event on a chart's top edge, a GC pause
	OK, Warn, Bad    string
	Ellipsis         string // text was cut here
	Dot              string // separates, or marks a neutral item
}

var unicodeGlyphs = Glyphs{
	Bar:      "█",
	BarParts: [7]string{"▏", "▎", "▍", "▌", "▋", "▊", "▉"},
	BarEmpty: "░",
	Fills:    [4]string{"█", "▓", "▒", "▚"},
	Spark:    [8]string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
	H:        "─", V: "│",
	TopLeft: "╭", TopRight: "╮", BottomLeft: "╰", BottomRight: "╯",
	TickLeft: "┤", TickUp: "┬", Cursor: "┃",
	SortUp: "▲", SortDown: "▼",
	Select: "▶", Mark: "▼",
	OK: "✓", Warn: "▲", Bad: "✗",
	Ellipsis: "…", Dot: "•",
}

var asciiGlyphs = Glyphs{
	Bar:      "#",
	BarParts: [7]string{".", ".", ".", "=", "=", "=", "#"},
	BarEmpty: ".",
	Fills:    [4]string{"#", "=", "+", ":"},
	Spark:    [8]string{"_", ".", ":", "-", "=", "+", "*", "#"},
	H:        "-", V: "|",
	TopLeft: "+", TopRight: "+", BottomLeft: "+", BottomRight: "+",
	TickLeft: "+", TickUp: "+", Cursor: "!",
	SortUp: "^", SortDown: "v",
	Select: ">", Mark: "v",
	OK: "+", Warn: "!", Bad: "x",
	Ellipsis: "~", Dot: "*",
}
