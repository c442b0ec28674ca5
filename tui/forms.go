package tui

import (
	"strconv"

	"example.com/jtop/probes"
	"example.com/jtop/tui/view"
)

// maxForms bounds the forms that are kept.
const maxForms = 100

// formOf names the form of a JVM: a pid alone may be another process's by now.
func formOf(j *probes.JVM) string {
	if j == nil {
		return ""
	}
	return strconv.Itoa(j.PID) + " " + j.Name
}

// keepForm remembers what the load form of the JVM on the screen says.
func (m *Model) keepForm() {
	if m.sess == nil || m.target == nil {
		return
	}
	if m.forms == nil || len(m.forms) >= maxForms {
		m.forms = map[string][view.FieldCount]string{}
	}
	m.forms[formOf(m.target)] = m.watch.load.Text
}

// oldForm puts back what the form said when the JVM was left.
func (m *Model) oldForm() {
	text, ok := m.forms[formOf(m.target)]
	if !ok {
		return
	}
	l := &m.watch.load
	for i, t := range text {
		l.Text[i], l.Caret[i] = t, len([]rune(t))
	}
}
