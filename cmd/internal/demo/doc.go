// Package demo is the bundled Java program that jtop can watch and load without any other service at hand.
//
// It is two JVMs, gateway and question: the gateway forwards to the question service over HTTP on loopback.
// Their source is in java/, their class files (Java 8 format, so that any JRE runs them) are in classes/ and are
// embedded. [Start] packs them into gateway.jar and question.jar in a temporary directory, which is where the names
// that jtop shows come from.
//
// Both end when their standard input closes, when their parent dies, and on SIGTERM.
package demo

//go:generate sh -c "rm -rf classes && javac --release 8 -encoding UTF-8 -g:source,lines -Xlint:all,-options -Werror -d classes java/jtop/demo/*.java"
