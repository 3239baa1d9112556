package dev.outrider.hub;

import dev.outrider.common.FailureReason;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/// Requests to the hub: the commit of a revision, the description of a file, and content.
/// Thread-safe.
final class HubClient implements AutoCloseable {
    private static final int OK = 200;
    private static final int PARTIAL = 206;
    private static final int RANGE_REFUSED = 416;
    private static final int FIRST_ERROR = 400;

    /// Status codes for which a retry may help.
    private static final Set<Integer> PASSING = Set.of(408, 425, 429, 500, 502, 503, 504);

    private static final int LONGEST_LISTING = 64 << 20;

    private final URI endpoint;
    private final Patience patience;
    private final HttpClient http;
    private final Redirects redirects;
    private final HubErrors errors;

    HubClient(HubSettings settings, Patience patience) {
        this.endpoint = settings.endpoint();
        this.patience = patience;
        http =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .followRedirects(HttpClient.Redirect.NEVER) // Redirects knows whom to trust
                        .connectTimeout(patience.silence())
                        .proxy(settings.proxies())
                        .build();
        redirects = new Redirects(http, endpoint, settings.token(), patience.silence());
        errors = new HubErrors(endpoint, settings.token().isPresent());
    }

    /// Returns the commit of a revision and its files.
    ///
    /// @throws OutriderException `HUB_NOT_FOUND`, `HUB_ACCESS_DENIED`, `HUB_ANSWER_INVALID` or
    ///     `HUB_UNREACHABLE`
    ListingReader.Listing listing(HubName name, BooleanSupplier cancelled) {
        var address =
                URI.create(
                        "%s/api/models/%s/revision/%s"
                                .formatted(endpoint, name.repository(), encoded(name.revision())));
        var what = "the list of files of '%s'".formatted(name);
        return patiently(
                what,
                cancelled,
                () -> {
                    var answer = redirects.get(address, OptionalLong.empty(), false);
                    try (var bytes = answer.body()) {
                        if (answer.statusCode() != OK) {
                            throw refused(name, Optional.empty(), answer);
                        }
                        return ListingReader.listing(name, all(what, bytes));
                    }
                });
    }

    /// Asks for size and hash of a file of a commit.
    ///
    /// @throws OutriderException as [#listing]
    RemoteFile describe(HubName name, String commit, String file, BooleanSupplier cancelled) {
        return patiently(
                "'%s' of '%s'".formatted(file, name),
                cancelled,
                () -> {
                    var answer = redirects.head(address(name, commit, file));
                    answer.body().close();
                    if (answer.statusCode() >= FIRST_ERROR) {
                        throw refused(name, Optional.of(file), answer);
                    }
                    return described(commit, file, answer);
                });
    }

    private static RemoteFile described(
            String commit, String file, HttpResponse<ArrivingBytes> answer) {
        var headers = answer.headers();
        var of = headers.firstValue("X-Repo-Commit").orElse(commit);
        if (!of.equals(commit)) {
            throw HubErrors.invalid(
                    "the hub gives '%s' of the commit %s; asked for was %s"
                            .formatted(file, of, commit));
        }
        var tag = headers.firstValue("X-Linked-ETag").or(() -> headers.firstValue("ETag"));
        var hash =
                tag.flatMap(ContentHash::of)
                        .orElseThrow(() ->
                                HubErrors.invalid(
                                        "the hub gives no hash of '%s' to check it by; its ETag is %s"
                                                .formatted(file, tag.orElse("missing"))));
        var length =
                headers.firstValue("X-Linked-Size").or(() -> headers.firstValue("Content-Length"));
        return new RemoteFile(file, size(file, length), hash);
    }

    private static long size(String file, Optional<String> text) {
        try {
            long size = Long.parseLong(text.orElse(""));
            if (size >= 0) {
                return size;
            }
        } catch (NumberFormatException e) {
            // Refused below.
        }
        throw HubErrors.invalid(
                "the hub gives '%s' as the size of '%s'; expected a number of bytes"
                        .formatted(text.orElse(""), file));
    }

    /// Content of a response.
    ///
    /// @param from  position of its first byte
    /// @param bytes the content; the caller closes it
    record Content(long from, ArrivingBytes bytes) {}

    /// Requests a file's content from a byte on, or from its beginning if the server does not
    /// support ranges. One attempt.
    ///
    /// @throws IOException       if a retry may help
    /// @throws OutriderException as [#listing]
    Content open(HubName name, String commit, RemoteFile file, long from) throws IOException {
        var part = from > 0 ? OptionalLong.of(from) : OptionalLong.empty();
        var answer = redirects.get(address(name, commit, file.name()), part, true);
        var begins = begins(answer, from);
        if (begins.isPresent()) {
            return new Content(begins.getAsLong(), answer.body());
        }
        answer.body().close();
        if (answer.statusCode() == RANGE_REFUSED && from > 0) {
            return open(name, commit, file, 0);
        }
        if (answer.statusCode() == PARTIAL) {
            throw new IOException("the server sent another part than was asked for");
        }
        throw refused(name, Optional.of(file.name()), answer);
    }

    private static OptionalLong begins(HttpResponse<ArrivingBytes> answer, long from) {
        if (answer.statusCode() == OK) {
            return OptionalLong.of(0);
        }
        var range = answer.headers().firstValue("Content-Range").orElse("");
        return answer.statusCode() == PARTIAL && range.startsWith("bytes %d-".formatted(from))
                ? OptionalLong.of(from)
                : OptionalLong.empty();
    }

    private OutriderException refused(
            HubName name, Optional<String> file, HttpResponse<ArrivingBytes> answer)
            throws IOException {
        if (PASSING.contains(answer.statusCode())) {
            throw new IOException("the server answered %d".formatted(answer.statusCode()));
        }
        return errors.of(name, file, answer.statusCode(), answer.headers());
    }

    private byte[] all(String what, ArrivingBytes bytes) throws IOException {
        var all = new ByteArrayOutputStream();
        while (true) {
            var next = bytes.next(patience.silence());
            if (!next.hasRemaining()) {
                return all.toByteArray();
            }
            all.write(next.array(), 0, next.remaining());
            if (all.size() > LONGEST_LISTING) {
                throw HubErrors.invalid(
                        "%s has more than %d bytes".formatted(what, LONGEST_LISTING));
            }
        }
    }

    private URI address(HubName name, String commit, String file) {
        var path =
                ListingReader.FileNames.parts(file).stream()
                        .map(HubClient::encoded)
                        .collect(Collectors.joining("/"));
        return URI.create(
                "%s/%s/resolve/%s/%s".formatted(endpoint, name.repository(), commit, path));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /// A request that may be retried.
    @FunctionalInterface
    private interface Attempt<T> {
        T run() throws IOException;
    }

    private <T> T patiently(String what, BooleanSupplier cancelled, Attempt<T> attempt) {
        for (int failures = 1; ; failures++) {
            try {
                return attempt.run();
            } catch (IOException e) {
                if (failures >= patience.attempts() || cancelled.getAsBoolean()) {
                    throw patience.exhausted(what, e);
                }
                patience.beforeRetry(failures, cancelled);
            }
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }

    /// A file of a commit, as the hub describes it.
    ///
    /// @param name its path in the model's folder
    /// @param size bytes
    /// @param hash of its content
    record RemoteFile(String name, long size, ContentHash hash) {}

    /// Timeout and retries of requests.
    ///
    /// @param silence  longest time without a byte
    /// @param attempts in a row that may bring nothing
    /// @param pause    before the second attempt; twice as long before each further one
    record Patience(Duration silence, int attempts, Duration pause) {
        private static final int MAX_DOUBLINGS = 5;

        /// The default values.
        static Patience usual() {
            return new Patience(Duration.ofSeconds(20), 5, Duration.ofSeconds(1));
        }

        /// Waits before an attempt.
        ///
        /// @param failures   attempts in a row without progress
        /// @param cancelled  whether to stop waiting
        void beforeRetry(int failures, BooleanSupplier cancelled) {
            long wait = pause.toMillis() << Math.min(failures - 1, MAX_DOUBLINGS);
            long step = Math.min(wait, pause.toMillis());
            for (long waited = 0; waited < wait && !cancelled.getAsBoolean(); waited += step) {
                sleep(step);
            }
        }

        /// Waits a moment for another process.
        void moment() {
            sleep(Math.max(1, pause.toMillis()));
        }

        /// Sleeps; an interrupt is kept and ends the next wait.
        private static void sleep(long millis) {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /// Returns the exception after the last attempt.
        OutriderException exhausted(String what, IOException last) {
            return ErrorCode.HUB_UNREACHABLE.error(
                    "%s cannot be fetched: %s (%d attempts in a row brought nothing)"
                            .formatted(what, reason(last), attempts),
                    "Check the connection, HF_ENDPOINT and https_proxy, and run the same command again: it goes on where it"
                            + " stopped.",
                    last);
        }

        private static String reason(IOException cause) {
            var message = cause.getMessage();
            return message == null || message.isBlank() ? FailureReason.of(cause) : message;
        }
    }
}
