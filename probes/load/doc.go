// Package load is the load runner: an active probe on the same clock as
// the JVM's figures. It speaks HTTP/1.1 over its own connections, one per
// user, so that what it counts is what happened on the wire: one request sent
// is one request counted, nothing is retried, redirects are followed only where
// the plan says so, and bytes are counted as received, heads and interim
// answers included.
//
// HTTP/2 is carried by the client of net/http on connections that it is handed
// one by one, so that it retries nothing; WebSockets are its own. Both count as
// HTTP/1.1 does.
//
// In the closed model a user sends its next request when the last one is
// answered. A server that stalls therefore also stalls the arrivals, and the
// percentiles of a closed run do not show what users of a busy site would
// have waited (coordinated omission). In the open model (Plan.Rate) arrivals
// follow one schedule whatever is answered, and a response time counts from
// when the request was to be sent; what the server took and how late jtop was
// are told apart. Failed requests are in every statistic, as in JMeter's
// reports, whose own table is beside it, exact to the millisecond.
//
// Before a request a kept connection is looked at. One that the server has
// closed, or on which something came that nobody asked for, is replaced before
// anything is sent. One that dies with a request on its way is a failure. The
// look is left out where it has long found nothing and would find nothing new.
//
// A user whose connection attempt fails waits, 1 ms at first and doubling to
// 1 s, before the next. Passwords in the URL and the values of headers that
// carry credentials never leave the package in clear.
package load
