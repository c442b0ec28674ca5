// Package term runs a bubbletea model on a terminal and gives the terminal
// back, whatever ends the program: a quit, a signal, a suspend, or a panic in
// Update, View, a command or a goroutine of jtop's own. bubbletea alone
// restores it after a quit, SIGINT, SIGTERM and its own panics; it does not
// after SIGHUP, SIGQUIT, an outside SIGTSTP or a panic elsewhere, and it prints
// stacks into a screen that is still the alternate one.
package term
