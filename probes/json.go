package probes

import "encoding/json"

func marshalString(s string) ([]byte, error) { return json.Marshal(s) }

func unmarshalString(b []byte) (string, error) {
	var s string
	err := json.Unmarshal(b, &s)
	return s, err
}
