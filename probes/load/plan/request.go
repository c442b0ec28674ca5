package plan

import "time"

// Request is one named request. At most one of Body, BodyFile, Form and
// Multipart is set.
type Request struct {
	Name      string     `plan:"name" about:"label in the tables (default: method and URL)"`
	Weight    float64    `plan:"weight" min:"0" max:"1000000" about:"share among all weights (default 1); unused in a scenario"`
	Method    string     `plan:"method" about:"default GET, or POST where there is a body"`
	URL       string     `plan:"url" required:"true" about:"absolute, or appended to defaults.url (template)"`
	Headers   []Pair     `plan:"headers" about:"name: value, or name: [value, value] (template)"`
	Body      string     `plan:"body" about:"sent as it is (template)"`
	BodyFile  string     `plan:"body_file" about:"file whose bytes are the body; no template"`
	Form      []Pair     `plan:"form" about:"fields, sent as application/x-www-form-urlencoded (template)"`
	Multipart []Part     `plan:"multipart" about:"parts, sent as multipart/form-data"`
	Auth      *Auth      `plan:"auth" about:"credentials; replace those of defaults"`
	Extract   []Extract  `plan:"extract" about:"values of the answer that become variables of the user"`
	Assert    []Assert   `plan:"assert" about:"what must hold, or the sample is a failure"`
	Think     *ThinkTime `plan:"think" about:"pause before this request, in place of the plan's"`
}

// Part is a part of a multipart form: a value or a file.
type Part struct {
	Name        string `plan:"name" required:"true" about:"field"`
	Value       string `plan:"value" about:"text (template)"`
	File        string `plan:"file" about:"path of a file, in place of value"`
	FileName    string `plan:"file_name" about:"name that is sent (default: the last part of file)"`
	ContentType string `plan:"content_type" about:"default application/octet-stream for a file, none for a value"`
}

// Auth is basic credentials (User and Password) or a bearer token.
type Auth struct {
	User     string `plan:"user" about:"basic: user (template)"`
	Password string `plan:"password" about:"basic: password (template)"`
	Bearer   string `plan:"bearer" about:"token, in place of user and password (template)"`
}

// Extract takes a value from an answer. Exactly one of JSON, Regexp and
// Header is set.
type Extract struct {
	Var    string `plan:"var" required:"true" about:"variable of this user that is set"`
	JSON   string `plan:"json" about:"path in a JSON body: $.a.b[0].c, [*] is the first that has the rest"`
	Regexp string `plan:"regexp" about:"expression (RE2) on the body; the value is its group"`
	Group  int    `plan:"group" min:"0" max:"99" about:"of regexp; 0: the first group, or the whole match where there is none"`
	Header string `plan:"header" about:"name of a response header"`
	// Default is the value where nothing was found; nil: the variable keeps
	// the value that it had.
	Default *string `plan:"default" about:"value where nothing was found (default: the variable stays as it was)"`
}

// Assert is what must hold of an answer; of several fields that are set, each
// must. Text is compared with the body after inflation, byte by byte.
type Assert struct {
	// Status is a list of codes and ranges: "200", "200-299, 304". It takes
	// the place of the rule that 200 to 399 is a success.
	Status      string        `plan:"status" about:"codes and ranges: 200-299, 304; in place of 200-399"`
	Contains    string        `plan:"contains" about:"text that the body has (template)"`
	NotContains string        `plan:"not_contains" about:"text that the body has not (template)"`
	Matches     string        `plan:"matches" about:"expression (RE2) that is found in the body"`
	NotMatches  string        `plan:"not_matches" about:"expression (RE2) that is not found in the body"`
	JSON        string        `plan:"json" about:"path in a JSON body that must exist, and be equal to value where that is given"`
	Header      string        `plan:"header" about:"response header that must be there, and be equal to value where that is given"`
	Value       *string       `plan:"value" about:"what json or header must be (template)"`
	MinSize     *int64        `plan:"min_size" min:"0" about:"least size of the body in bytes"`
	MaxSize     *int64        `plan:"max_size" min:"0" about:"greatest size of the body in bytes"`
	MaxTime     time.Duration `plan:"max_time" about:"the sample may take so long"`
}
