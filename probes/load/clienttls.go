package load

import (
	"crypto/tls"
	"crypto/x509"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load/plan"
)

// clientTLS is the TLS that a plan asks for. The name to check is set for each
// server.
func clientTLS(t plan.TLS) (*tls.Config, *probes.Problem) {
	c := &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}, ServerName: t.ServerName,
		InsecureSkipVerify: t.Insecure} // #nosec G402 -- only where the user asked for it
	if t.CAFile != "" {
		pem, err := readFile(t.CAFile)
		if err != nil {
			return nil, bad("the CA file cannot be read", probes.Clean(err.Error()), "give a PEM file of the authorities to trust")
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(pem) {
			return nil, bad("the CA file has no certificate", probes.Clean(t.CAFile)+" is not PEM, or holds something else", "give a PEM file that begins with BEGIN CERTIFICATE")
		}
	}
	if t.CertFile == "" {
		if t.KeyFile != "" {
			return nil, bad("a key without a certificate", "the client's certificate is missing", "give the certificate too")
		}
		return c, nil
	}
	key := t.KeyFile
	if key == "" {
		key = t.CertFile
	}
	pair, err := tls.LoadX509KeyPair(t.CertFile, key)
	if err != nil {
		return nil, bad("the client's certificate cannot be used", probes.Clean(err.Error()), "give PEM files of a certificate and of its key")
	}
	c.Certificates = []tls.Certificate{pair}
	return c, nil
}
