package probes

// LoadRow is one row of JMeter's Aggregate Report, with the standard deviation of
// its Summary Report: the numbers that JMeter shows for the same samples.
// Times are whole milliseconds from the send; failed requests are included.
// Throughput is samples over the time from the first start to the last end;
// where that is 0 ms JMeter shows infinity and this is unknown.
type LoadRow struct {
	Label      string       `json:"label"`
	Samples    int64        `json:"samples"`
	Average    Opt[int64]   `json:"average"` // truncated
	Median     Opt[int64]   `json:"median"`
	P90        Opt[int64]   `json:"p90_line"`
	P95        Opt[int64]   `json:"p95_line"`
	P99        Opt[int64]   `json:"p99_line"`
	P999       Opt[int64]   `json:"p999_line"` // JMeter has none; ranked as its others are
	Min        Opt[int64]   `json:"min"`
	Max        Opt[int64]   `json:"max"`
	StdDev     Opt[float64] `json:"std_dev"` // of the population
	ErrorPct   Opt[float64] `json:"error_percent"`
	Throughput Opt[float64] `json:"throughput"` // a second
	Received   Opt[float64] `json:"received_kb_per_second"`
	Sent       Opt[float64] `json:"sent_kb_per_second"`
	AvgBytes   Opt[float64] `json:"avg_bytes"`
}
