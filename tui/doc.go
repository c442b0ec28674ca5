// Package tui is the screen: one bubbletea model that routes keys, takes in
// frames and caches what it draws. It does no IO in Update or View: whatever
// can block (the backend) runs in a command with a context, and its reply is
// tagged so that a late one is dropped. Nobody sends messages to the program;
// the screen asks for the next frame when it has drawn the last.
package tui
