package jtop.demo;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What both services have in common: a loopback HTTP server with a bounded, named worker pool that
 * ends together with the process that started it.
 */
abstract class Service {
    /** Longest wait of the listen queue; a load test opens many connections at once. */
    private static final int BACKLOG = 1024;

    private final String name;
    private final int workers;
    private final long startedNanos = System.nanoTime();

    Service(String name, int workers) {
        this.name = name;
        this.workers = workers;
    }

    /** Answers one request; a thrown {@link BadRequest} becomes its status and text. */
    abstract void handle(HttpExchange exchange, String path, Params params) throws IOException, InterruptedException;

    /** Plain text about every path, served at "/". */
    abstract String help();

    /** Binds to loopback, serves, and prints "READY port" for the parent. */
    final void run(Args args) throws IOException {
        // Without it, headers and body leave as two segments that Nagle and delayed ACK hold back for 40 ms.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.maxIdleConnections", "1000");
        HttpServer server = listen(args.port, args.preferredPort);
        server.setExecutor(pool());
        server.createContext("/", this::dispatch);
        server.start();
        if (args.churnMBps > 0) {
            BackgroundChurn.start(args.churnMBps);
        }
        endWithParent();
        System.out.println("READY " + server.getAddress().getPort());
        System.out.flush();
    }

    private static HttpServer listen(int port, int preferred) throws IOException {
        InetAddress loopback = InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1});
        if (preferred > 0) {
            try {
                return HttpServer.create(new InetSocketAddress(loopback, preferred), BACKLOG);
            } catch (BindException taken) {
                System.err.println("port " + preferred + " is taken, using another one");
            }
        }
        return HttpServer.create(new InetSocketAddress(loopback, port), BACKLOG);
    }

    private ExecutorService pool() {
        // The queue needs no bound of its own: one connection has at most one request in it.
        final AtomicInteger number = new AtomicInteger();
        ThreadFactory named = task -> new Thread(task, name + "-worker-" + number.incrementAndGet());
        return Executors.newFixedThreadPool(workers, named);
    }

    /** Standard input is a pipe whose other end the parent holds: end of file means that it is gone. */
    private static void endWithParent() {
        Thread watch = new Thread(() -> {
            byte[] ignored = new byte[256];
            try {
                while (System.in.read(ignored) >= 0) {
                    // nothing is ever asked this way
                }
            } catch (IOException closed) {
                System.err.println("standard input failed: " + closed);
            }
            System.exit(0);
        }, "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }

    private void dispatch(HttpExchange exchange) throws IOException {
        try {
            route(exchange);
        } catch (BadRequest refused) {
            text(exchange, refused.status, refused.getMessage() + "\n");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            text(exchange, 503, name + " is shutting down\n");
        } catch (OutOfMemoryError full) {
            text(exchange, 503, "heap is full; free it with /question/leak/clear\n");
        } catch (RuntimeException bug) {
            bug.printStackTrace();
            text(exchange, 500, "internal error: " + bug + "\n");
        } finally {
            exchange.close();
        }
    }

    private void route(HttpExchange exchange) throws IOException, InterruptedException {
        drain(exchange.getRequestBody());
        String method = exchange.getRequestMethod();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            exchange.getResponseHeaders().set("Allow", "GET, HEAD");
            throw new BadRequest(405, "only GET and HEAD are served, not " + method);
        }
        String path = exchange.getRequestURI().getPath();
        if (path.equals("/")) {
            text(exchange, 200, help());
        } else if (path.equals("/health")) {
            long ms = (System.nanoTime() - startedNanos) / 1_000_000;
            json(exchange, "{\"status\":\"UP\",\"service\":\"" + name + "\",\"uptime_ms\":" + ms + "}\n");
        } else {
            handle(exchange, path, new Params(exchange.getRequestURI().getRawQuery()));
        }
    }

    private static void drain(InputStream body) throws IOException {
        byte[] ignored = new byte[4096];
        // A connection is reused only when its request was read to the end; 1 MB is generous here.
        for (int left = 1 << 20; left > 0; ) {
            int n = body.read(ignored);
            if (n < 0) {
                return;
            }
            left -= n;
        }
        throw new BadRequest(413, "request bodies over 1 MB are not read");
    }

    static void json(HttpExchange exchange, String body) throws IOException {
        send(exchange, 200, "application/json; charset=utf-8", body);
    }

    static void text(HttpExchange exchange, int status, String body) throws IOException {
        send(exchange, status, "text/plain; charset=utf-8", body);
    }

    private static void send(HttpExchange exchange, int status, String type, String body) throws IOException {
        if (exchange.getResponseCode() != -1) {
            return; // the failure came after the headers: closing the connection is the only honest answer
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", type);
        if (exchange.getRequestMethod().equals("HEAD")) {
            headers.set("Content-Length", Integer.toString(bytes.length));
            exchange.sendResponseHeaders(status, -1);
            return;
        }
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }
}
