package jtop.demo;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;

/** Forwards /question/... to the question service over kept-alive loopback connections. */
final class Gateway extends Service {
    /** Fewer than the service behind it has: under load it is the gateway that runs out of workers. */
    private static final int WORKERS = 16;
    private static final int CONNECT_MS = 2_000;
    /** Longer than any path may take, queueing for a lock included. */
    private static final int READ_MS = 180_000;
    private static final String[] PASSED_ON = {"Content-Type", "Content-Encoding", "Vary", "Allow"};

    private final int upstreamPort;

    private Gateway(int upstreamPort) {
        super("gateway", WORKERS);
        this.upstreamPort = upstreamPort;
    }

    public static void main(String[] argv) throws IOException {
        Args args;
        try {
            args = Args.parse(argv);
            if (args.upstreamPort == 0) {
                throw new IllegalArgumentException("--upstream PORT of the question service is needed");
            }
        } catch (IllegalArgumentException wrong) {
            System.err.println("gateway: " + wrong.getMessage());
            System.exit(2);
            return;
        }
        // The client keeps only 5 idle connections otherwise; one for each worker avoids a connect per request.
        System.setProperty("http.maxConnections", Integer.toString(WORKERS));
        new Gateway(args.upstreamPort).run(args);
    }

    @Override
    String help() {
        return Question.HELP;
    }

    @Override
    void handle(HttpExchange exchange, String path, Params params) throws IOException {
        if (!path.equals("/question") && !path.startsWith("/question/")) {
            throw new BadRequest(404, "no such path; GET / lists them all");
        }
        HttpURLConnection upstream;
        int status;
        try {
            upstream = open(exchange);
            status = upstream.getResponseCode();
        } catch (IOException failed) {
            throw new BadRequest(502, "the question service on port " + upstreamPort + " did not answer: " + failed.getMessage());
        }
        if (status < 0) {
            throw new BadRequest(502, "the question service on port " + upstreamPort + " did not answer with HTTP");
        }
        answer(exchange, upstream, status);
    }

    private HttpURLConnection open(HttpExchange exchange) throws IOException {
        // The raw path and query: what came in escaped goes out escaped, and only to loopback.
        String raw = exchange.getRequestURI().getRawPath();
        String query = exchange.getRequestURI().getRawQuery();
        URL url = new URL("http", "127.0.0.1", upstreamPort, query == null ? raw : raw + "?" + query);
        HttpURLConnection upstream = (HttpURLConnection) url.openConnection(java.net.Proxy.NO_PROXY);
        upstream.setConnectTimeout(CONNECT_MS);
        upstream.setReadTimeout(READ_MS);
        upstream.setUseCaches(false);
        upstream.setInstanceFollowRedirects(false);
        upstream.setRequestMethod(exchange.getRequestMethod());
        String encoding = exchange.getRequestHeaders().getFirst("Accept-Encoding");
        if (encoding != null) {
            upstream.setRequestProperty("Accept-Encoding", encoding);
        }
        return upstream;
    }

    private static void answer(HttpExchange exchange, HttpURLConnection upstream, int status) throws IOException {
        for (String name : PASSED_ON) {
            String value = upstream.getHeaderField(name);
            if (value != null) {
                exchange.getResponseHeaders().set(name, value);
            }
        }
        exchange.getResponseHeaders().set("Via", "1.1 gateway");
        long length = upstream.getContentLengthLong();
        // An error's body is in another stream; unread bytes of either would cost the kept-alive connection.
        try (InputStream in = status >= 400 ? upstream.getErrorStream() : upstream.getInputStream()) {
            if (in == null || exchange.getRequestMethod().equals("HEAD")) {
                if (length >= 0) {
                    exchange.getResponseHeaders().set("Content-Length", Long.toString(length));
                }
                exchange.sendResponseHeaders(status, -1);
                return;
            }
            // For HttpExchange a length of 0 means chunked and -1 means no body.
            exchange.sendResponseHeaders(status, length > 0 ? length : length == 0 ? -1 : 0);
            try (OutputStream out = exchange.getResponseBody()) {
                byte[] buffer = new byte[16 * 1024];
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    out.write(buffer, 0, n);
                }
            }
        }
    }
}
