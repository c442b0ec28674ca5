package probes

import (
	"encoding/json"
	"errors"
	"math"
)

// Opt is a figure that may be unknown. The zero value is unknown. It encodes
// to JSON as the value or as null.
type Opt[T any] struct {
	V  T    // meaningful only when OK
	OK bool // whether V was really read or derived
}

// Some returns a known value.
func Some[T any](v T) Opt[T] { return Opt[T]{V: v, OK: true} }

// None returns an unknown value.
func None[T any]() Opt[T] { return Opt[T]{} }

// Get returns the value and whether it is known.
func (o Opt[T]) Get() (T, bool) { return o.V, o.OK }

// Or returns the value, or d where it is unknown.
func (o Opt[T]) Or(d T) T {
	if o.OK {
		return o.V
	}
	return d
}

// MarshalJSON writes null for an unknown value, and for one that is or holds a
// float that JSON has no form of (NaN, infinities), so that no such figure ever
// leaves jtop and none makes a whole sample unwritable.
func (o Opt[T]) MarshalJSON() ([]byte, error) {
	if !o.OK {
		return []byte("null"), nil
	}
	b, err := json.Marshal(o.V)
	if no := (*json.UnsupportedValueError)(nil); errors.As(err, &no) {
		return []byte("null"), nil
	}
	return b, err
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (o *Opt[T]) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*o = Opt[T]{}
		return nil
	}
	if err := json.Unmarshal(b, &o.V); err != nil {
		return err
	}
	o.OK = true
	return nil
}

// Ratio returns num/den, unknown where either is unknown, den is not positive
// or the result is not finite. It is the one place that percentages and rates
// divide.
func Ratio(num, den Opt[float64]) Opt[float64] {
	if !num.OK || !den.OK || !(den.V > 0) {
		return None[float64]()
	}
	q := num.V / den.V
	if math.IsNaN(q) || math.IsInf(q, 0) {
		return None[float64]()
	}
	return Some(q)
}

// Float turns a known integer into a known float.
func Float(o Opt[int64]) Opt[float64] {
	if !o.OK {
		return None[float64]()
	}
	return Some(float64(o.V))
}
