package load

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"example.com/jtop/probes/load/plan"
)

// maxBodyFile is the largest file that is sent, in bytes: it is kept in memory.
const maxBodyFile = 256 << 20

func readFile(name string) ([]byte, error) {
	st, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if st.Size() > maxBodyFile {
		return nil, fmt.Errorf("%s is larger than 256 MB", name)
	}
	return os.ReadFile(name)
}

// mergeHeaders puts a request's headers behind the defaults that they do not
// replace.
func mergeHeaders(defaults, own []plan.Pair) []plan.Pair {
	var out []plan.Pair
	for _, d := range defaults {
		replaced := false
		for _, o := range own {
			replaced = replaced || strings.EqualFold(d.Name, o.Name)
		}
		if !replaced {
			out = append(out, d)
		}
	}
	return append(out, own...)
}

// draft expands the templates.
func (c *call) draft(s *plan.Scope, gzip, closes bool) (*draft, error) {
	t := c.texts
	text := func(one *plan.Template) string { return string(one.Expand(nil, s)) }
	d := &draft{method: c.of.Method, url: text(t.url), gzip: gzip, closes: closes}
	for _, h := range t.headers {
		d.headers = append(d.headers, plan.Pair{Name: h.name, Value: text(h.value)})
	}
	switch {
	case t.raw != nil:
		d.body, d.mediaType = t.raw, "application/octet-stream"
	case t.body != nil:
		d.body = t.body.Expand(nil, s)
	case t.form != nil:
		var b strings.Builder
		for i, f := range t.form {
			if i > 0 {
				b.WriteByte('&')
			}
			b.WriteString(url.QueryEscape(f.name) + "=" + url.QueryEscape(text(f.value)))
		}
		d.body, d.mediaType = []byte(b.String()), "application/x-www-form-urlencoded"
	case t.parts != nil:
		var err error
		if d.body, d.mediaType, err = multipartBody(t.parts, text); err != nil {
			return nil, err
		}
	}
	if d.method == "" && len(d.body) > 0 {
		d.method = "POST"
	}
	switch {
	case t.bearer != nil:
		d.auth = "Bearer " + text(t.bearer)
	case t.user != nil:
		d.auth = basicAuth(text(t.user), text(t.pass))
	}
	return d, nil
}

var quoteEscaper = strings.NewReplacer("\\", "\\\\", `"`, "\\\"", "\r", "%0D", "\n", "%0A")

// multipartBody writes the parts of a form (RFC 7578).
func multipartBody(parts []partTemplate, text func(*plan.Template) string) (body []byte, mediaType string, err error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, p := range parts {
		h := textproto.MIMEHeader{}
		disposition := fmt.Sprintf(`form-data; name="%s"`, quoteEscaper.Replace(p.part.Name))
		kind, data := p.part.ContentType, p.file
		if p.value != nil {
			data = []byte(text(p.value))
		} else {
			name := p.part.FileName
			if name == "" {
				name = filepath.Base(p.part.File)
			}
			disposition += fmt.Sprintf(`; filename="%s"`, quoteEscaper.Replace(name))
			if kind == "" {
				kind = "application/octet-stream"
			}
		}
		h.Set("Content-Disposition", disposition)
		if kind != "" {
			h.Set("Content-Type", kind)
		}
		part, err := w.CreatePart(h)
		if err == nil {
			_, err = part.Write(data)
		}
		if err != nil {
			return nil, "", err
		}
	}
	if err := w.Close(); err != nil {
		return nil, "", err
	}
	return b.Bytes(), w.FormDataContentType(), nil
}
