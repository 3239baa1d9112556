package dev.outrider.hub;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/// A local server that speaks the hub's protocol for one model, `org/model`, and a second server
/// that stores large files.
final class LocalHub implements AutoCloseable {
    static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";
    static final String LATER = "fedcba9876543210fedcba9876543210fedcba98";

    /// A received request.
    record Asked(String server, String method, String path, String range, String authorization) {}

    /// Answers a request in place of the server; returns whether it did.
    interface Whim {
        boolean answer(HttpExchange exchange) throws IOException;
    }

    final List<Asked> asked = new CopyOnWriteArrayList<>();

    /// Special answers of the next requests for content, one each.
    final ConcurrentLinkedDeque<Whim> whims = new ConcurrentLinkedDeque<>();

    private final Map<String, byte[]> files = new TreeMap<>();
    private final List<String> large = new ArrayList<>();
    private final Map<String, String> headers = new HashMap<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer hub;
    private final HttpServer store;

    /// The commit of the revision `main`.
    volatile String commit = COMMIT;

    /// The status of every answer, if set.
    volatile Optional<Integer> status = Optional.empty();

    /// The list of files, if not the true one.
    volatile Optional<String> listing = Optional.empty();

    LocalHub() throws IOException {
        hub = server("hub");
        store = server("store");
    }

    private HttpServer server(String name) throws IOException {
        var server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext(
                "/",
                exchange -> {
                    try (exchange) {
                        note(name, exchange);
                        answer(name, exchange);
                    }
                });
        server.start();
        return server;
    }

    URI endpoint() {
        return address(hub);
    }

    private static URI address(HttpServer server) {
        return URI.create(
                "http://%s:%d"
                        .formatted(
                                InetAddress.getLoopbackAddress().getHostAddress(),
                                server.getAddress().getPort()));
    }

    /// Adds a file that the hub itself stores, with git's hash.
    LocalHub small(String name, String content) {
        files.put(name, content.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /// Adds a file that the other server stores, with SHA-256.
    LocalHub large(String name, byte[] content) {
        files.put(name, content);
        large.add(name);
        return this;
    }

    /// Sets a header of every file description, in place of the true one.
    LocalHub header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    HubSettings settings(Path cache, Map<String, String> variables) {
        var all = new HashMap<>(variables);
        all.put("HF_ENDPOINT", endpoint().toString());
        all.put("HF_HOME", cache.toString());
        return HubSettings.of(all, cache.resolve("no-home"));
    }

    /// Returns the requests for content to the server that stores it.
    List<Asked> content(String file) {
        return asked.stream()
                .filter(each -> each.method().equals("GET") && each.path().endsWith("/" + file))
                .toList();
    }

    private byte[] file(String name) {
        return Objects.requireNonNull(files.get(name));
    }

    static ContentHash hash(byte[] content, boolean sha256) {
        var reading = new ContentHash("0".repeat(sha256 ? 64 : 40), sha256).reading(content.length);
        reading.add(ByteBuffer.wrap(content));
        return new ContentHash(reading.hex(), sha256);
    }

    private void note(String server, HttpExchange exchange) {
        var given = exchange.getRequestHeaders();
        asked.add(
                new Asked(
                        server,
                        exchange.getRequestMethod(),
                        exchange.getRequestURI().getRawPath(),
                        Optional.ofNullable(given.getFirst("Range")).orElse(""),
                        Optional.ofNullable(given.getFirst("Authorization")).orElse("")));
    }

    private void answer(String server, HttpExchange exchange) throws IOException {
        if (status.isPresent()) {
            headers.forEach(exchange.getResponseHeaders()::set);
            exchange.sendResponseHeaders(status.get(), -1);
            return;
        }
        var path = exchange.getRequestURI().getPath();
        if (path.startsWith("/api/models/org/model/revision/")) {
            var json = listing.orElseGet(this::listing).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, json.length);
            exchange.getResponseBody().write(json);
            return;
        }
        var resolve = "/org/model/resolve/%s/".formatted(commit);
        var name = path.startsWith(resolve) ? path.substring(resolve.length()) : path.substring(1);
        if (!files.containsKey(name)) {
            var kind = path.startsWith(resolve) ? "EntryNotFound" : "RepoNotFound";
            exchange.getResponseHeaders().set("X-Error-Code", kind);
            exchange.sendResponseHeaders(path.startsWith(resolve) ? 404 : 401, -1);
        } else if (server.equals("hub")) {
            resolve(exchange, name);
        } else {
            content(exchange, file(name));
        }
    }

    private String listing() {
        return files.keySet().stream()
                .map("{\"rfilename\": \"%s\"}"::formatted)
                .collect(
                        Collectors.joining(
                                ", ", "{\"sha\": \"%s\", \"siblings\": [".formatted(commit), "]}"));
    }

    private void resolve(HttpExchange exchange, String name) throws IOException {
        var content = file(name);
        boolean elsewhere = large.contains(name);
        var answer = exchange.getResponseHeaders();
        var tag = "\"%s\"".formatted(hash(content, elsewhere).hex());
        answer.set("X-Repo-Commit", commit);
        answer.set("X-Linked-Size", String.valueOf(content.length));
        answer.set(elsewhere ? "X-Linked-ETag" : "ETag", tag);
        headers.forEach(answer::set);
        if (elsewhere) {
            answer.set("Location", address(store) + "/" + name);
            exchange.sendResponseHeaders(302, -1);
        } else if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(200, -1);
        } else {
            content(exchange, content);
        }
    }

    private void content(HttpExchange exchange, byte[] content) throws IOException {
        var whim = whims.poll();
        if (whim != null && whim.answer(exchange)) {
            return;
        }
        var range = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Range"));
        int from =
                range.map(each -> Integer.parseInt(each.replaceAll("bytes=(\\d+)-", "$1")))
                        .orElse(0);
        if (from >= content.length && range.isPresent()) {
            exchange.sendResponseHeaders(416, -1);
            return;
        }
        if (range.isPresent()) {
            exchange.getResponseHeaders()
                    .set(
                            "Content-Range",
                            "bytes %d-%d/%d".formatted(from, content.length - 1, content.length));
        }
        exchange.sendResponseHeaders(range.isPresent() ? 206 : 200, content.length - from);
        exchange.getResponseBody().write(content, from, content.length - from);
    }

    /// Sends the first bytes of the announced content and cuts the connection.
    Whim cutAfter(String name, int bytes) {
        return exchange -> {
            var content = file(name);
            int from =
                    Optional.ofNullable(exchange.getRequestHeaders().getFirst("Range"))
                            .map(each -> Integer.parseInt(each.replaceAll("bytes=(\\d+)-", "$1")))
                            .orElse(0);
            if (from > 0) {
                exchange.getResponseHeaders()
                        .set("Content-Range", "bytes %d-%d/*".formatted(from, content.length - 1));
            }
            exchange.sendResponseHeaders(from > 0 ? 206 : 200, content.length - from);
            exchange.getResponseBody().write(content, from, bytes);
            exchange.getResponseBody().flush();
            return true; // closing the exchange before all was sent closes the connection
        };
    }

    /// Sends the whole content, whatever range was requested.
    Whim all(byte[] content) {
        return exchange -> {
            exchange.sendResponseHeaders(200, content.length == 0 ? -1 : content.length);
            exchange.getResponseBody().write(content);
            return true;
        };
    }

    /// Sends up to `most` bytes, whatever was announced.
    ///
    /// @param sent receives the number of bytes
    Whim flood(long most, AtomicLong sent) {
        return exchange -> {
            exchange.sendResponseHeaders(200, 0);
            for (var block = new byte[1 << 16]; sent.get() < most; sent.addAndGet(block.length)) {
                exchange.getResponseBody().write(block);
            }
            return true;
        };
    }

    /// Sends one byte, and then nothing.
    Whim silence() {
        return exchange -> {
            exchange.sendResponseHeaders(200, 1 << 20);
            exchange.getResponseBody().write(0);
            exchange.getResponseBody().flush();
            try {
                closing.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return true;
        };
    }

    Whim code(int code) {
        return exchange -> {
            exchange.sendResponseHeaders(code, -1);
            return true;
        };
    }

    @Override
    public void close() {
        closing.countDown();
        hub.stop(0);
        store.stop(0);
        threads.close();
    }
}
