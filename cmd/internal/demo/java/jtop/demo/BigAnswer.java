package jtop.demo;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/** A large text response, streamed from one block so that its size costs the heap nothing. */
final class BigAnswer {
    private static final byte[] BLOCK = block();

    private BigAnswer() {
    }

    private static byte[] block() {
        StringBuilder text = new StringBuilder(1024);
        for (int i = 0; text.length() < 1024; i++) {
            text.append("answer ").append(i * 2654435761L).append(" keeps the lines apart\n");
        }
        text.setLength(1023);
        return text.append('\n').toString().getBytes(StandardCharsets.US_ASCII);
    }

    static void send(HttpExchange exchange, int kb) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", "text/plain; charset=utf-8");
        headers.set("Vary", "Accept-Encoding");
        boolean gzip = accepts(exchange.getRequestHeaders().getFirst("Accept-Encoding"));
        long length = kb * 1024L;
        if (gzip) {
            headers.set("Content-Encoding", "gzip");
        }
        if (exchange.getRequestMethod().equals("HEAD")) {
            if (!gzip) {
                headers.set("Content-Length", Long.toString(length));
            }
            exchange.sendResponseHeaders(200, -1);
            return;
        }
        exchange.sendResponseHeaders(200, gzip ? 0 : length); // 0 means chunked: the packed size is not known yet
        try (OutputStream body = gzip ? new GZIPOutputStream(exchange.getResponseBody(), 8192) : exchange.getResponseBody()) {
            for (int i = 0; i < kb; i++) {
                body.write(BLOCK);
            }
        }
    }

    /** True where the header names gzip without forbidding it by q=0. */
    private static boolean accepts(String header) {
        if (header == null) {
            return false;
        }
        for (String coding : header.toLowerCase(Locale.ROOT).split(",")) {
            String[] parts = coding.trim().split("\\s*;\\s*");
            if (parts[0].equals("gzip")) {
                return parts.length < 2 || !parts[1].matches("q=0(\\.0*)?");
            }
        }
        return false;
    }
}
