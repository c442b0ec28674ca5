#!/bin/bash
# Makes docs/screen.svg, the README's picture, from the real program: the demo under load, in tmux.
set -euo pipefail
cd "$(dirname "$0")/.."
make -s build
t=$(mktemp -d); trap 'tmux -S "$t/tmux" kill-server 2>/dev/null; rm -rf "$t"' EXIT
tmux -S "$t/tmux" -f /dev/null new-session -d -x 120 -y 40 "env TERM=xterm-256color LC_ALL=C.UTF-8 bin/jtop demo"
tmux -S "$t/tmux" set-option -g status off
sleep 8
tmux -S "$t/tmux" send-keys Enter
sleep 18
tmux -S "$t/tmux" send-keys 1
sleep 2
tmux -S "$t/tmux" capture-pane -e -p | go run ./tui/tuitest/picture > docs/screen.svg
tmux -S "$t/tmux" send-keys q; sleep 1; tmux -S "$t/tmux" send-keys y; sleep 4
