// Package attachtest gives tests of this and of other packages something to
// attach to: StartJVM runs a real HotSpot JVM of a chosen JDK, and Fake is a
// HotSpot in miniature, on a unix socket under a temporary proc root, that can
// be told to misbehave.
//
// A JDK that is missing fails the test and says how to get it: a test that
// skips itself proves nothing.
package attachtest
