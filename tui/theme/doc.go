// Package theme holds the styles and glyphs of the screen. Everything is
// built once, on a renderer whose colour profile is fixed, so that what a
// view draws depends on its arguments alone and never on the terminal, the
// locale or NO_COLOR: cmd looks at those and picks the Options.
//
// Colours are the sixteen of ANSI, so that they follow the user's own
// palette, and never the only sign: a glyph or a word always says the same.
package theme
