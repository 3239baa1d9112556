package dev.outrider.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/// A hub on this machine that publishes a folder as the model `org/model`.
final class FolderHub implements AutoCloseable {
    static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";

    private final Path folder;
    private final Path cache;
    private final HttpServer server;
    private final AtomicInteger requests = new AtomicInteger();

    FolderHub(Path folder, Path cache) throws IOException {
        this.folder = folder;
        this.cache = cache;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    try (exchange) {
                        requests.incrementAndGet();
                        answer(exchange);
                    }
                });
        server.start();
    }

    /// Returns the environment variables that make programs use this hub.
    Map<String, String> variables() {
        return Map.of(
                "HF_HOME",
                cache.toString(),
                "HF_ENDPOINT",
                "http://%s:%d"
                        .formatted(
                                InetAddress.getLoopbackAddress().getHostAddress(),
                                server.getAddress().getPort()));
    }

    int requests() {
        return requests.get();
    }

    private void answer(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath();
        var resolve = "/org/model/resolve/%s/".formatted(COMMIT);
        if (path.equals("/api/models/org/model/revision/main")) {
            send(exchange, listing().getBytes(StandardCharsets.UTF_8));
        } else if (path.startsWith(resolve)) {
            var content = Files.readAllBytes(folder.resolve(path.substring(resolve.length())));
            exchange.getResponseHeaders().set("X-Linked-ETag", "\"%s\"".formatted(hash(content)));
            exchange.getResponseHeaders().set("X-Linked-Size", String.valueOf(content.length));
            send(exchange, content);
        } else {
            exchange.sendResponseHeaders(404, -1);
        }
    }

    private static void send(HttpExchange exchange, byte[] content) throws IOException {
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(200, -1);
            return;
        }
        exchange.sendResponseHeaders(200, content.length);
        exchange.getResponseBody().write(content);
    }

    private String listing() throws IOException {
        try (var files = Files.list(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> "{\"rfilename\": \"%s\"}".formatted(file.getFileName()))
                    .collect(
                            Collectors.joining(
                                    ",",
                                    "{\"sha\": \"%s\", \"siblings\": [".formatted(COMMIT),
                                    "]}"));
        }
    }

    private static String hash(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
