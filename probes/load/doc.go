// Package load is the HTTP load runner: an active probe on the same clock as
// the JVM's figures. It speaks HTTP/1.1 over its own connections, one per
// user, so that what it counts is what happened on the wire: one request sent
// is one request counted, nothing is retried, bytes are counted as received.
//
// The model is closed: a user sends its next request when the last one is
// answered. A server that stalls therefore also stalls the arrivals, and the
// percentiles of a closed run do not show what users of a busy site would
// have waited (coordinated omission). Failed requests are in every statistic,
// as in JMeter's reports.
package load
