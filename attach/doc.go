// Package attach reaches HotSpot JVMs on this machine without a JDK and without
// an agent: it finds them (ListJVMs), says whether one can be attached to before
// anyone tries (Inspect, Preflight), and runs one command at a time over the
// attach socket (Client).
//
// Nothing here harms a target. SIGQUIT asks a JVM to open its attach socket; it
// ends a process that does not catch it, and makes a JVM that may not attach
// print a thread dump on its stdout. So it is sent only after every check in
// Preflight has passed on facts read at that moment, through a pidfd, so that a
// reused pid cannot receive it. On JDK 25+ every command carries streaming=0:
// otherwise the JVM writes its reply from inside the safepoint, and a slow
// reader would stop the application.
//
// Two numbers name a process. PID is the one in our pid namespace; NSPID is the
// one the process itself sees, which is in its file names. They never share a
// variable.
//
// Format of the protocol: HotSpot's attachListener.cpp, JDK 8 to 28.
package attach
