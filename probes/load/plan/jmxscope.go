package plan

import (
	"encoding/base64"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// isSetting tells whether an element holds for the samplers around it, or is
// only watching; the others are run.
func isSetting(e *element) bool {
	if isListener(e) {
		return true
	}
	for _, end := range []string{"Timer", "Manager", "Assertion", "Extractor", "PostProcessor", "PreProcessor", "Config", "ConfigTestElement", "DataSet", "Modifier", "UserParameters", "Arguments"} {
		if strings.HasSuffix(e.class, end) {
			return true
		}
	}
	return false
}

func isListener(e *element) bool {
	for _, end := range []string{"ResultCollector", "Listener", "Summariser", "Visualizer", "Reporter"} {
		if strings.HasSuffix(e.class, end) {
			return true
		}
	}
	return false
}

// settings reads what holds for every sampler on a level and below, and gives
// the scope with it.
func (m *jmxImport) settings(level []*element, at jmxScope) jmxScope {
	at.headers, at.timers = slices.Clone(at.headers), slices.Clone(at.timers)
	at.asserts, at.extracts = slices.Clone(at.asserts), slices.Clone(at.extracts)
	for _, e := range level {
		if !isSetting(e) {
			continue
		}
		if e.disabled {
			m.leftOut(e, "")
			continue
		}
		m.setting(e, &at)
	}
	return at
}

// setting reads one element into the scope.
func (m *jmxImport) setting(e *element, at *jmxScope) {
	switch e.class {
	case "Arguments", "CSVDataSet", "CounterConfig", "RandomVariableConfig": // collect has read them
	case "ConfigTestElement":
		m.defaults(e, at)
	case "HeaderManager":
		m.headers(e, at)
	case "CookieManager":
		m.plan.Cookies = true
		if len(e.lists["CookieManager.cookies"]) > 0 {
			m.note(e, "CookieManager.cookies", "cookies are those that the server sends: the given ones are left out")
		}
		if e.bool("CookieManager.clearEachIteration") {
			m.note(e, "CookieManager.clearEachIteration", "users keep their cookies")
		}
	case "AuthManager":
		m.authManager(e, at)
	case "ConstantTimer", "UniformRandomTimer", "GaussianRandomTimer":
		at.timers = append(at.timers, e)
	case "ConstantThroughputTimer", "PreciseThroughputTimer":
		m.throughput(e)
	case "ResponseAssertion", "DurationAssertion", "SizeAssertion", "JSONPathAssertion":
		if a, ok := m.assertion(e); ok {
			at.asserts = append(at.asserts, a)
		}
	case "RegexExtractor", "BoundaryExtractor", "JSONPostProcessor":
		at.extracts = append(at.extracts, m.extractor(e)...)
	default:
		if isListener(e) {
			m.leftOut(e, "a listener; the results are jtop's own")
			return
		}
		m.leftOut(e, "it has no counterpart here")
	}
}

// defaults reads HTTP Request Defaults; deeper ones go before.
func (m *jmxImport) defaults(e *element, at *jmxScope) {
	if e.gui != "" && e.gui != "HttpDefaultsGui" {
		m.leftOut(e, "it is no HTTP Request Defaults")
		return
	}
	merged := map[string]string{}
	maps.Copy(merged, at.defaults)
	for k, v := range e.props {
		if v != "" {
			merged[k] = v
		}
	}
	at.defaults = merged
	at.query = append(slices.Clone(at.query), e.list("HTTPsampler.Arguments", "Arguments.arguments")...)
}

// headers reads a header manager; a header replaces one of the same name from
// above.
func (m *jmxImport) headers(e *element, at *jmxScope) {
	for _, h := range e.lists["HeaderManager.headers"] {
		name, value := strings.TrimSpace(h.str("Header.name")), m.text(h.str("Header.value"), e)
		switch key := strings.ToLower(name); {
		case name == "":
			continue
		case !IsToken(name):
			m.note(e, short(name), "is left out: it is no name of a header")
			continue
		case key == "content-length" || key == "transfer-encoding":
			m.note(e, name, "is left out: it follows from the body")
			continue
		case key == "accept-encoding" && strings.Contains(strings.ToLower(value), "gzip"):
			m.plan.Gzip = true
			if strings.TrimSpace(value) != "gzip" {
				m.note(e, name, "becomes gzip: true; others cannot be inflated here")
			}
			continue
		case key == "authorization" && !strings.Contains(value, "${"):
			if a := authHeader(value); a != nil {
				at.auth = a
				continue
			}
		}
		at.headers = slices.DeleteFunc(at.headers, func(p Pair) bool { return strings.EqualFold(p.Name, name) })
		at.headers = append(at.headers, Pair{name, strings.Join(strings.FieldsFunc(value, func(r rune) bool { return r == '\r' || r == '\n' }), " ")})
	}
}

// authHeader reads the credentials that a header carries; nil where it is
// another scheme.
func authHeader(value string) *Auth {
	if token, ok := strings.CutPrefix(value, "Bearer "); ok && token != "" {
		return &Auth{Bearer: token}
	}
	code, ok := strings.CutPrefix(value, "Basic ")
	b, err := base64.StdEncoding.DecodeString(code)
	user, password, hasColon := strings.Cut(string(b), ":")
	if !ok || err != nil || !hasColon || user+password == "" {
		return nil
	}
	return &Auth{User: Literal(user), Password: Literal(password)}
}

func (m *jmxImport) authManager(e *element, at *jmxScope) {
	list := e.lists["AuthManager.auth_list"]
	for i, a := range list {
		mechanism := a.str("Authorization.mechanism")
		user, password := m.text(a.str("Authorization.username"), e), m.text(a.str("Authorization.password"), e)
		switch {
		case mechanism != "" && mechanism != "BASIC" && mechanism != "BASIC_DIGEST":
			m.note(e, short(mechanism), "only basic credentials are sent")
		case i > 0:
			m.note(e, short(a.str("Authorization.url")), "one set of credentials is sent: the first")
		case user+password == "":
		default:
			at.auth = &Auth{User: user, Password: password}
			if u := a.str("Authorization.url"); u != "" {
				m.note(e, short(u), "the credentials are sent with every request, before they are asked for")
			}
		}
	}
}

// think adds timers up, as JMeter does: fixed ones, and at most one that is
// random.
func (m *jmxImport) think(timers []*element) ThinkTime {
	var t ThinkTime
	for _, e := range timers {
		delay := millis(m.number(e, "ConstantTimer.delay", 0))
		next := ThinkTime{Kind: ThinkFixed, Mean: delay}
		if e.class != "ConstantTimer" {
			spread := millis(m.number(e, "RandomTimer.range", 0))
			next = ThinkTime{Kind: ThinkUniform, Min: delay, Max: delay + spread}
			if e.class == "GaussianRandomTimer" {
				next = ThinkTime{Kind: ThinkGaussian, Mean: delay, Deviation: spread}
			}
		}
		switch {
		case t.Kind == "":
			t = next
		case next.Kind == ThinkFixed:
			t = t.plus(next.Mean)
		case t.Kind == ThinkFixed:
			t = next.plus(t.Mean)
		default:
			m.note(e, "", "is left out: two random timers cannot be added up here")
		}
	}
	if t.Kind == ThinkFixed && t.Mean == 0 {
		return ThinkTime{}
	}
	return t
}

// throughput turns a throughput timer into a rate.
func (m *jmxImport) throughput(e *element) {
	value, err := strconv.ParseFloat(m.constant(e.str("throughput")), 64)
	if err != nil || !(value > 0) {
		m.leftOut(e, "its throughput is not known before the run")
		return
	}
	rate := value / 60
	if e.class == "PreciseThroughputTimer" {
		rate = value / float64(max(m.number(e, "throughputPeriod", 3600), 1))
	} else if mode := e.str("calcMode"); mode == "0" || mode == "" || mode == "this thread only" {
		m.perUser = true
	}
	if m.plan.Rate > 0 {
		m.leftOut(e, "the rate comes from another timer")
		return
	}
	m.plan.Rate = Rate(rate)
}
