package load

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/jtop/probes"
)

// service is the JDK's own HTTP server: chunked, with a length, without a
// body, and an error.
const service = `
import com.sun.net.httpserver.*;
import java.net.*;

public class Service {
    public static void main(String[] args) throws Exception {
        HttpServer s = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        s.createContext("/chunked", e -> answer(e, 200, 0, new byte[20000]));
        s.createContext("/length", e -> answer(e, 200, 20000, new byte[20000]));
        s.createContext("/empty", e -> answer(e, 204, -1, new byte[0]));
        s.createContext("/error", e -> answer(e, 500, 5, "oops!".getBytes()));
        s.start();
        System.out.println(s.getAddress().getPort());
        System.in.read();
        System.exit(0);
    }

    static void answer(HttpExchange e, int code, long length, byte[] body) throws java.io.IOException {
        e.getRequestBody().readAllBytes();
        e.sendResponseHeaders(code, length);
        if (length >= 0) {
            e.getResponseBody().write(body);
        }
        e.close();
    }
}
`

// The server in a real JVM: each way to end a body is understood, and the
// connections are kept.
func TestRealJVM(t *testing.T) {
	java, err := exec.LookPath("java")
	if err != nil {
		t.Fatalf("%v; install a JDK: apt-get install openjdk-17-jdk-headless", err)
	}
	file := filepath.Join(t.TempDir(), "Service.java")
	if err := os.WriteFile(file, []byte(service), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(java, "-XX:TieredStopAtLevel=1", file)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer in.Close() // ends it
	port, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	base := "http://localhost:" + strings.TrimSpace(port)
	for _, tc := range []struct {
		path, method, body string
		status             int
		least              int64 // bytes of an answer's body
	}{
		{"/chunked", "GET", "", 200, 20000}, {"/length", "GET", "", 200, 20000}, {"/empty", "GET", "", 204, 0}, {"/empty", "HEAD", "", 204, 0},
		{"/error", "POST", "{}", 500, 5}, {"/missing", "GET", "", 404, 0},
	} {
		s := run(t, probes.LoadConfig{URL: base + tc.path, Method: tc.method, Body: tc.body, Users: 4, Loops: 25})
		if s.Status[tc.status] != 100 || s.Total.Samples != 100 || s.Total.Received < 100*tc.least {
			t.Errorf("%s %s: %v, %+v, %d bytes", tc.method, tc.path, s.Status, s.Errors, s.Total.Received)
		}
	}
}
