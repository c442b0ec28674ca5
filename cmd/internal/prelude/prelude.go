// Package prelude tells lipgloss what the terminal's background is before
// anything asks the terminal. bubbletea's init sends an OSC 11 query and waits
// up to five seconds for the answer, for every command of the binary, and
// jtop needs no answer: it draws with the sixteen ANSI colours only.
//
// It works by Go's order of initialisation: packages whose dependencies are
// ready are initialised in the order of their import paths, so this one must
// import nothing that bubbletea does not, and example.com/jtop/... sorts before
// github.com/charmbracelet/bubbletea. Package main imports it for its effect.
package prelude

import "github.com/charmbracelet/lipgloss"

func init() { lipgloss.SetHasDarkBackground(true) }
