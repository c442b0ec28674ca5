package plan

import (
	"fmt"
	"strings"

	"example.com/jtop/probes"
)

// Describe says in plain lines what a plan does: for reading before a run.
// Passwords, tokens and bodies are not in it. It is safe to print.
func Describe(p *Plan) string {
	var b strings.Builder
	say := func(format string, a ...any) {
		fmt.Fprintf(&b, "%s\n", probes.Clean(fmt.Sprintf(format, a...)))
	}
	if p.Name != "" {
		say("%s", p.Name)
	}
	if p.WebSocket != nil {
		say("%s", describeSocket(p))
		return b.String() + describeConnectionLine(p)
	}
	if len(p.Groups) > 0 {
		return b.String() + describeGroups(p) + describeConnectionLine(p)
	}
	describeLoad(p, "", say)
	describeData(p, say)
	return b.String() + describeConnectionLine(p)
}

// describeGroups is each group by itself.
func describeGroups(p *Plan) string {
	var b strings.Builder
	say := func(format string, a ...any) {
		fmt.Fprintf(&b, "%s\n", probes.Clean(fmt.Sprintf(format, a...)))
	}
	how := "at once"
	if p.Sequence {
		how = "one after the other"
	}
	if p.Duration > 0 {
		how += ", for " + FormatDuration(p.Duration) + " at most"
	}
	say("%s, %s", count(len(p.Groups), "group"), how)
	for i, g := range p.Groups {
		when := ""
		switch g.When {
		case Before:
			when = ", before the others"
		case After:
			when = ", after the others"
		}
		if g.Delay > 0 {
			when += ", beginning after " + FormatDuration(g.Delay)
		}
		say("%s%s:", p.GroupName(i), when)
		describeLoad(p.Group(i), "  ", say)
	}
	describeData(p, say)
	return b.String()
}

// describeLoad is who sends what and when.
func describeLoad(p *Plan, indent string, tell func(format string, a ...any)) {
	say := func(format string, a ...any) { tell("%s", indent+fmt.Sprintf(format, a...)) }
	say("%s", describeModel(p))
	if p.WarmUp > 0 {
		say("the first %s are sent and not counted", FormatDuration(p.WarmUp))
	}
	sum := 0.0
	for _, r := range p.Requests {
		sum += weightOf(r)
	}
	if p.Order == Scenario {
		say("%s, in this order in each iteration:", count(len(p.Requests), "request"))
	} else {
		say("%s, one in each iteration, by weight:", count(len(p.Requests), "request"))
	}
	for i := range p.Requests {
		r := &p.Requests[i]
		share := ""
		if p.Order != Scenario {
			share = fmt.Sprintf("%5.1f %%  ", weightOf(*r)/sum*100)
		}
		name := ""
		if r.Name != "" {
			name = r.Name + ": "
		}
		say("  %s%s%s %s%s", share, name, methodOf(r), probes.MaskArg(p.URLOf(r)), describeRequest(r))
	}
}

// describeData is the files of rows.
func describeData(p *Plan, say func(format string, a ...any)) {
	for i := range p.CSV {
		d := &p.CSV[i]
		columns := "columns of its first line"
		if len(d.Columns) > 0 {
			columns = strings.Join(d.Columns, ", ")
		}
		say("rows of %s: ${%s....} %s", d.File, d.Prefix(), columns)
	}
}

func describeConnectionLine(p *Plan) string {
	if c := describeConnection(p); c != "" {
		return probes.Clean(c) + "\n"
	}
	return ""
}

// describeSocket is what a plan of WebSockets does.
func describeSocket(p *Plan) string {
	w := p.WebSocket
	parts := []string{count(max(w.Connections, 1), "WebSocket")}
	for i := range p.Requests {
		parts[0] += " to " + probes.MaskArg(p.URLOf(&p.Requests[i]))
	}
	if ramp := max(w.Ramp, p.Ramp); ramp > 0 {
		parts = append(parts, "all of them after "+FormatDuration(ramp))
	}
	switch {
	case len(w.Messages) == 0:
		parts = append(parts, "held open")
	case w.Rate > 0:
		parts = append(parts, fmt.Sprintf("%s in turn, %s of each", count(len(w.Messages), "message"), w.Rate))
	default:
		parts = append(parts, fmt.Sprintf("%s in turn, each after the answer to the last", count(len(w.Messages), "message")))
	}
	switch {
	case w.NoAnswer:
		parts = append(parts, "no answer expected")
	case w.Expect != "":
		parts = append(parts, "answered by "+w.Expect)
	}
	return strings.Join(append(parts, limits(p)...), ", ")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// describeModel is who sends, when, and until when.
func describeModel(p *Plan) string {
	var parts []string
	switch {
	case len(p.Stages) > 0:
		parts = append(parts, "open: "+p.Stages.String())
	case p.Rate > 0 && p.Ramp > 0:
		parts = append(parts, fmt.Sprintf("open: 0/s to %s for %s, then %s", p.Rate, FormatDuration(p.Ramp), p.Rate))
	case p.Rate > 0:
		parts = append(parts, "open: "+p.Rate.String())
	default:
		parts = append(parts, "closed: "+count(max(p.Users, 1), "user"))
		if p.Ramp > 0 {
			parts = append(parts, "all of them after "+FormatDuration(p.Ramp))
		}
		if p.Think.Kind != "" {
			parts = append(parts, "thinking "+p.Think.String())
		}
	}
	if p.Open() && p.MaxUsers > 0 {
		parts = append(parts, "over at most "+count(p.MaxUsers, "connection"))
	}
	return strings.Join(append(parts, limits(p)...), ", ")
}

// limits is when a run ends; none where nothing says so.
func limits(p *Plan) []string {
	each, sent := "iteration", "requests"
	if p.WebSocket != nil {
		each, sent = "message", "messages"
	}
	var until []string
	if p.Loops > 0 {
		until = append(until, count(p.Loops, each)+" of each user")
	}
	if p.Total > 0 {
		until = append(until, fmt.Sprintf("%d %s", p.Total, sent))
	}
	if p.Duration > 0 {
		until = append(until, FormatDuration(p.Duration))
	}
	if until == nil {
		return nil
	}
	return []string{"until " + strings.Join(until, " or ")}
}

// describeRequest is what a request has beside its URL.
func describeRequest(r *Request) string {
	var parts []string
	switch {
	case r.Body != "":
		parts = append(parts, fmt.Sprintf("body of %d characters", len([]rune(r.Body))))
	case r.BodyFile != "":
		parts = append(parts, "body from "+r.BodyFile)
	case len(r.Form) > 0:
		parts = append(parts, count(len(r.Form), "form field"))
	case len(r.Multipart) > 0:
		parts = append(parts, count(len(r.Multipart), "part"))
	}
	if r.Think != nil {
		parts = append(parts, "thinking "+r.Think.String())
	}
	for _, e := range r.Extract {
		parts = append(parts, "sets ${"+e.Var+"}")
	}
	if len(r.Assert) > 0 {
		parts = append(parts, count(len(r.Assert), "assertion"))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// describeConnection is what is not as by default.
func describeConnection(p *Plan) string {
	var parts []string
	for _, f := range []struct {
		on   bool
		text string
	}{
		{p.Protocol != "", string(p.Protocol)},
		{p.Streams > 1, fmt.Sprintf("%d users on a connection", p.Streams)},
		{p.KeepAlive != KeepAliveOn, "keep-alive " + p.KeepAlive.String()},
		{p.Cookies, "cookies kept"},
		{p.Redirects > 0, "up to " + count(p.Redirects, "redirect")},
		{p.Gzip, "gzip"},
		{p.Traceparent, "traceparent"},
		{p.TLS.Insecure, "any certificate accepted"},
		{p.UnixSocket != "", "over " + p.UnixSocket},
		{len(p.ConnectTo) > 0, "connecting to " + strings.Join(p.ConnectTo, ", ")},
		{p.Timeouts.Connect > 0, "connect within " + FormatDuration(p.Timeouts.Connect)},
		{p.Timeouts.FirstByte > 0, "first byte within " + FormatDuration(p.Timeouts.FirstByte)},
		{p.Timeouts.Total > 0, "all within " + FormatDuration(p.Timeouts.Total)},
	} {
		if f.on {
			parts = append(parts, f.text)
		}
	}
	return strings.Join(parts, ", ")
}
