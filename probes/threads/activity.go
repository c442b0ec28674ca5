package threads

import (
	"strings"

	"example.com/jtop/probes"
)

// Activity is what a thread is about, judged by its state and stack. Java's
// own states do not tell: a thread in a socket's read is RUNNABLE, and a worker
// without work is WAITING like one that waits for an answer.
type Activity int

// Activities. Every thread has one.
const (
	ActWaiting Activity = iota // for something else than the ones below: an answer, a time, a condition
	ActRunning                 // RUNNABLE in code, or carrying a virtual thread
	ActIO                      // RUNNABLE in a blocking read, write or connect
	ActIdle                    // a worker, event loop or acceptor without work
	ActBlocked                 // waits for a lock
	ActUnknown                 // the dump does not tell
)

// idleIn are methods that stand on a stack only while a worker waits for work.
var idleIn = map[string]bool{
	"java.util.concurrent.ThreadPoolExecutor.getTask":                                  true,
	"java.util.concurrent.ForkJoinPool.awaitWork":                                      true,
	"java.util.TimerThread.mainLoop":                                                   true, // unless a task runs: see idle
	"java.lang.ref.ReferenceQueue.remove":                                              true,
	"java.lang.ref.Reference.waitForReferencePendingList":                              true,
	"java.lang.ref.Reference.tryHandlePending":                                         true, // JDK 8
	"java.lang.ref.NativeReferenceQueue.remove":                                        true,
	"sun.nio.ch.SelectorImpl.lockAndDoSelect":                                          true,
	"io.netty.channel.epoll.Native.epollWait":                                          true,
	"io.netty.channel.epoll.Native.epollWait0":                                         true,
	"io.netty.util.concurrent.SingleThreadEventExecutor.takeTask":                      true,
	"org.apache.tomcat.util.threads.ThreadPoolExecutor.getTask":                        true,
	"org.eclipse.jetty.util.thread.QueuedThreadPool.idleJobPoll":                       true,
	"org.eclipse.jetty.util.thread.QueuedThreadPool$Runner.idleJobPoll":                true,
	"org.eclipse.jetty.util.thread.ReservedThreadExecutor$ReservedThread.reservedWait": true,
	"sun.nio.ch.ServerSocketChannelImpl.accept":                                        true,
	"java.net.ServerSocket.accept":                                                     true,
	"sun.nio.ch.NioSocketImpl.accept":                                                  true,
}

// ioIn are the innermost methods of blocking input and output.
var ioIn = map[string]bool{
	"java.net.SocketInputStream.socketRead0":          true,
	"java.net.SocketOutputStream.socketWrite0":        true,
	"java.net.PlainSocketImpl.socketConnect":          true,
	"java.io.FileInputStream.readBytes":               true,
	"java.io.FileInputStream.read0":                   true,
	"java.io.FileInputStream.readBytes0":              true,
	"java.io.FileOutputStream.writeBytes":             true,
	"java.io.RandomAccessFile.readBytes":              true,
	"java.io.RandomAccessFile.readBytes0":             true,
	"sun.nio.ch.Net.poll":                             true,
	"sun.nio.ch.Net.connect0":                         true,
	"sun.nio.ch.SocketDispatcher.read0":               true,
	"sun.nio.ch.SocketDispatcher.write0":              true,
	"sun.nio.ch.FileDispatcherImpl.read0":             true,
	"sun.nio.ch.FileDispatcherImpl.write0":            true,
	"sun.nio.ch.FileDispatcherImpl.force0":            true,
	"sun.nio.ch.UnixFileDispatcherImpl.read0":         true,
	"sun.nio.ch.UnixFileDispatcherImpl.write0":        true,
	"sun.nio.ch.UnixFileDispatcherImpl.force0":        true,
	"java.net.Inet4AddressImpl.lookupAllHostAddr":     true,
	"java.net.Inet6AddressImpl.lookupAllHostAddr":     true,
	"java.lang.ProcessImpl.waitForProcessExit0":       true,
	"java.lang.ProcessHandleImpl.waitForProcessExit0": true,
}

// deepest bounds the search for a waiting worker's frame: between it and the
// innermost frame are only the queue and the lock that it waits at.
const deepest = 16

// ActivityOf judges one thread.
func ActivityOf(t *probes.Thread) Activity {
	switch t.State {
	case probes.StateBlocked:
		return ActBlocked
	case probes.StateCarrier:
		return ActRunning
	case probes.StateRunnable, probes.StateWaiting, probes.StateTimedWaiting:
	case probes.StateUnknown: // JDK 21's dump to a file has frames and no states
		if idle(t) {
			return ActIdle
		}
		return ActUnknown
	default:
		return ActUnknown
	}
	if idle(t) {
		return ActIdle
	}
	if t.State == probes.StateRunnable {
		switch {
		case len(t.Stack) == 0:
			return ActUnknown // in the JVM's own code
		case t.Detail != "":
			return ActWaiting // for a class to be initialised
		case ioIn[methodOf(t.Stack[0].Method)]:
			return ActIO
		}
		return ActRunning
	}
	if t.WaitsFor != nil && t.WaitsFor.Kind == synchronizer && isLock(t.WaitsFor.Class) {
		return ActBlocked
	}
	return ActWaiting
}

func idle(t *probes.Thread) bool {
	for i, f := range t.Stack {
		if i == deepest {
			return false
		}
		m := methodOf(f.Method)
		if idleIn[m] {
			return true
		}
		if !machinery(m) {
			return false // it is called from there: the work's own waiting
		}
	}
	return false
}

// machinery tells the classes of the JDK and of servers that stand between a
// worker's loop and the place where it waits.
func machinery(m string) bool {
	for _, p := range []string{
		"java.", "jdk.internal.", "sun.", "io.netty.", "org.apache.tomcat.", "org.eclipse.jetty.",
	} {
		if strings.HasPrefix(m, p) {
			return true
		}
	}
	return false
}
