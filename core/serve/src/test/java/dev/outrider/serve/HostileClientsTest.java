package dev.outrider.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.serving.Completion.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients whose connections the server keeps for a while, before it closes them, are tested side by side.
@Timeout(60)
class HostileClientsTest {
    private static final String KEY = "secret-key";
    private static final String AUTHORIZATION = "Bearer " + KEY;

    @TempDir private static Path folder;
    private static TestServer server;

    @BeforeAll
    static void start() {
        server =
                new TestServer(
                        folder,
                        "{sequences: 4, bodyKilobytes: 256, idle: 1s, write: 1s, origins: ['http://page.example'], log: requests}",
                        Optional.of(KEY));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "nonsense",
                "[1, 2]",
                "\"text\"",
                "{\"prompt\": \"a\"} {}",
                "{\"prompt\": \"a\", \"prompt\": \"b\"}",
                "{\"prompt\": \"a\", \"temperature\": NaN}",
                "{\"prompt\": \"a\", \"temperature\": Infinity}",
                "{'prompt': 'a'}",
                "{\"prompt\": \"a\nb\"}"
            })
    void aBodyThatIsNoJsonObjectIsRefused(String body) {
        var response = post(body);

        assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
        assertThat(TestServer.json(response.body()).at("/error/type").textValue())
                .isEqualTo("invalid_request_error");
    }

    @Test
    void deepNestingIsRefused() {
        assertThat(post("{\"a\": " + "[".repeat(50_000)).statusCode()).isEqualTo(400);
        assertThat(post("{\"prompt\": \"a\", \"n\": " + "9".repeat(100_000) + "}").statusCode())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ff", "c0af", "eda080", "f8808080"})
    void bytesThatAreNoUtf8AreRefused(String bytes) {
        var body =
                HexFormat.of()
                        .parseHex(
                                HexFormat.of()
                                                .formatHex(
                                                        "{\"prompt\": \"a"
                                                                .getBytes(StandardCharsets.UTF_8))
                                        + bytes
                                        + HexFormat.of()
                                                .formatHex("\"}".getBytes(StandardCharsets.UTF_8)));
        var response =
                server.send(
                        request("/v1/completions").POST(BodyPublishers.ofByteArray(body)).build());

        assertThat(response.statusCode()).isEqualTo(400);
    }

    @Test
    void anotherContentTypeIsRefused() {
        var request =
                HttpRequest.newBuilder(URI.create(server.url() + "/v1/completions"))
                        .header("Authorization", AUTHORIZATION)
                        .header("Content-Type", "text/plain")
                        .POST(BodyPublishers.ofString("{\"prompt\": \"a\"}"));

        assertThat(server.send(request.build()).statusCode()).isEqualTo(415);
    }

    @Test
    void tenMegabytesAreRefusedAndTheNextRequestIsServed() {
        var prompt = "{\"prompt\": \"" + "a".repeat(10 << 20) + "\"}";

        var response =
                sentAgainIfLost(
                        request("/v1/completions").POST(BodyPublishers.ofString(prompt)).build());

        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(TestServer.json(response.body()).at("/error/code").textValue()).isNotBlank();
        var inPieces =
                sentAgainIfLost(
                        request("/v1/completions")
                                .POST(
                                        BodyPublishers.ofInputStream(() ->
                                                new java.io.ByteArrayInputStream(
                                                        prompt.getBytes(StandardCharsets.UTF_8))))
                                .build());
        assertThat(inPieces.statusCode()).isEqualTo(413);
        assertThat(post("{\"prompt\": \"a\", \"max_tokens\": 1}").statusCode()).isEqualTo(200);
    }

    /// Sends a request, and sends it again if the answer is lost: a client may still be writing when the server has answered and
    /// closed.
    private static HttpResponse<String> sentAgainIfLost(HttpRequest request) {
        for (int attempt = 0; attempt < 4; attempt++) {
            try {
                return server.send(request);
            } catch (UncheckedIOException e) {
                assertThat(e).hasRootCauseInstanceOf(IOException.class);
            }
        }
        return server.send(request);
    }

    @Test
    void thousandsOfStopStringsAreRefused() {
        var stops = String.join(",", Collections.nCopies(5000, "\"stop here\""));

        var response = post("{\"prompt\": \"a\", \"stop\": [" + stops + "]}");

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("5000").contains("16");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /page, 404",
        "GET, /v1/nothing, 404",
        "GET, /../../etc/passwd, 404",
        "GET, /%2e%2e/%2e%2e/etc/passwd, 404",
        "GET, /v1/completions, 405",
        "OPTIONS, /v1/completions, 405",
        "DELETE, /v1/models, 405",
        "HEAD, /health, 405",
        "TRACE, /health, 405",
    })
    void otherPathsAndMethodsAreErrorsAndTheConnectionGoesOn(String method, String path, int status)
            throws IOException {
        try (var socket = connect()) {
            send(
                    socket,
                    "%s %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: %s\r\n\r\n"
                            .formatted(method, path, AUTHORIZATION));
            send(socket, "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

            var answers = read(socket);

            assertThat(answers).startsWith("HTTP/1.1 " + status + " ");
            assertThat(answers.split("HTTP/1\\.1 ", -1)).hasSize(3);
            assertThat(answers).contains("HTTP/1.1 200 ").endsWith("{\"status\":\"ok\"}");
        }
    }

    @Test
    void requestsInOneWriteAreAnsweredInOrder() throws IOException {
        var text = new StringBuilder();
        for (int n = 1; n <= 3; n++) {
            var body =
                    "{\"prompt\": \"Once\", \"max_tokens\": %d, \"ignore_eos\": true}".formatted(n);
            text.append(
                    "POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n%s"
                            .formatted(
                                    AUTHORIZATION,
                                    body.length(),
                                    n == 3 ? "Connection: close\r\n" : "",
                                    body));
        }
        try (var socket = connect()) {
            send(socket, text.toString());

            assertThat(read(socket))
                    .containsSubsequence(
                            "\"completion_tokens\":1,",
                            "\"completion_tokens\":2,",
                            "\"completion_tokens\":3,");
        }
    }

    @Execution(ExecutionMode.CONCURRENT)
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET /heal",
                "GET /health HTTP/1.1\r\nHost: local",
                "POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: "
                        + AUTHORIZATION
                        + "\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"pro"
            })
    void aClientThatStopsSendingIsCutOff(String begun) throws IOException {
        try (var socket = connect()) {
            send(socket, begun);

            var answer = read(socket);
            if (begun.startsWith("POST")) {
                assertThat(answer).startsWith("HTTP/1.1 408 ").contains("serve.idle");
            } else {
                assertThat(answer).isEmpty();
            }
        }
    }

    @Execution(ExecutionMode.CONCURRENT)
    @ParameterizedTest
    @CsvSource({"ZZZ, 400", "-5, 400", "FFFFFFFFFFFFFFFFF, 400", "50001, 413"})
    void aBodyInBrokenOrLargeChunksIsRefusedOnce(String length, int status) throws IOException {
        try (var socket = connect()) {
            send(
                    socket,
                    "POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: %s\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n%s\r\n%s\r\n0\r\n\r\n"
                            .formatted(AUTHORIZATION, length, "a".repeat(0x50001)));

            var answer = read(socket);
            assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
            assertThat(answer.split("HTTP/1\\.1 ", -1)).hasSize(2);
        }
    }

    @Execution(ExecutionMode.CONCURRENT)
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0000\u0001\u0002\r\n\r\n",
                "GET\r\n\r\n",
                "GET /health HTTP/9.9\r\n\r\n",
                "GET /health HTTP/1.1\r\nHost: localhost\r\nHost: other\r\n\r\n",
                "GET /health HTTP/1.1\r\nHost localhost\r\n\r\n",
                "POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
                "POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n"
            })
    void whatIsNoHttpIsRefused(String bytes) throws IOException {
        try (var socket = connect()) {
            send(socket, bytes);

            var answer = read(socket);
            assertThat(answer).doesNotContain("HTTP/1.1 200").doesNotContain("HTTP/1.1 500");
        }
    }

    @Execution(ExecutionMode.CONCURRENT)
    @Test
    void headersWithoutEndAreRefused() throws IOException {
        try (var socket = connect()) {
            send(
                    socket,
                    "GET /health HTTP/1.1\r\nHost: localhost\r\nX: "
                            + "a".repeat(40_000)
                            + "\r\n\r\n");

            assertThat(read(socket)).doesNotContain("HTTP/1.1 200");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClientThatLeavesFreesWhatItHad(boolean stream) throws Exception {
        long before = cancelled();
        try (var socket = connect()) {
            var body =
                    "{\"prompt\": \"Once\", \"max_tokens\": 480, \"ignore_eos\": true, \"n\": 64, \"temperature\": 1, \"stream\": %s}"
                            .formatted(stream);
            send(
                    socket,
                    "POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                            .formatted(AUTHORIZATION, body.length(), body));
            await(() -> server.served().engine().counters().running() > 0);
            if (stream) {
                assertThat(socket.getInputStream().readNBytes(2000)).hasSize(2000);
            }
        }

        await(() -> cancelled() > before && server.served().engine().counters().running() == 0);
        assertThat(server.served().engine().counters().waiting()).isZero();
        assertThat(server.served().engine().counters().cacheBytes()).isZero();
    }

    @Test
    void aClientThatDoesNotReadIsCutOff() throws Exception {
        try (var socket = new Socket()) {
            socket.setReceiveBufferSize(4096);
            socket.connect(
                    new java.net.InetSocketAddress(
                            InetAddress.getLoopbackAddress(), server.server().port()));
            var body =
                    "{\"prompt\": \"Once\", \"max_tokens\": 500, \"ignore_eos\": true, \"n\": 8, \"logprobs\": 20, \"stream\": true}";
            send(
                    socket,
                    "POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                            .formatted(AUTHORIZATION, body.length(), body));

            await(() -> !accepts(socket));
        }
        await(() -> server.served().engine().counters().running() == 0);
    }

    private static boolean accepts(Socket socket) {
        try {
            socket.getOutputStream().write('\n');
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "Bearer", "Bearer wrong", "Bearer secret-keys", "Basic " + KEY, KEY})
    void withoutTheKeyNothingIsServedButTheHealth(String authorization) {
        for (var path : new String[] {"/v1/models", "/metrics", "/tokenizer_info", "/nothing"}) {
            var request = HttpRequest.newBuilder(URI.create(server.url() + path));
            var response =
                    server.send(
                            (authorization.isEmpty()
                                            ? request
                                            : request.header("Authorization", authorization))
                                    .build());
            assertThat(response.statusCode()).isEqualTo(401);
            assertThat(response.body()).contains("invalid_api_key").doesNotContain(KEY);
        }
        assertThat(server.get("/health").statusCode()).isEqualTo(200);
    }

    @Test
    void aNameThatSomebodyPointsHereIsRefused() throws IOException {
        try (var socket = connect()) {
            send(socket, "GET /health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");

            assertThat(read(socket)).startsWith("HTTP/1.1 403 ");
        }
    }

    @Test
    void theNameThatWasGivenIsItsOwn() throws IOException {
        var own = Files.createDirectory(folder.resolve("named"));
        try (var named = new TestServer(own, "{}", Optional.empty(), "127.1")) {
            for (var host : List.of("127.1", "127.0.0.1", "LocalHost", "[::1]")) {
                try (var socket = connect(named)) {
                    send(
                            socket,
                            "GET /health HTTP/1.1\r\nHost: %s:%d\r\nConnection: close\r\n\r\n"
                                    .formatted(host, named.server().port()));
                    assertThat(read(socket)).as(host).startsWith("HTTP/1.1 200 ");
                }
            }
        }
        assertThat(new Server.Place("::1", 0, Optional.empty(), _ -> {}).name()).isEqualTo("[::1]");
    }

    @Test
    void pagesOfNamedOriginsAloneMayUseIt() throws IOException {
        for (var origin : new String[] {"http://page.example", "http://evil.example"}) {
            boolean named = origin.contains("page");
            try (var socket = connect()) {
                send(
                        socket,
                        "OPTIONS /v1/completions HTTP/1.1\r\nHost: localhost\r\nOrigin: %s\r\nAccess-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: authorization,x-stainless-os\r\nConnection: close\r\n\r\n"
                                .formatted(origin));
                var preflight = read(socket);
                assertThat(preflight.startsWith("HTTP/1.1 204 ")).isEqualTo(named);
                assertThat(preflight.contains("Access-Control-Allow-Origin: " + origin))
                        .isEqualTo(named);
                assertThat(preflight.contains("Allow-Headers: authorization,x-stainless-os"))
                        .isEqualTo(named);
            }
            var answer = server.send(request("/v1/models").header("Origin", origin).GET().build());
            assertThat(answer.headers().firstValue("Access-Control-Allow-Origin").isPresent())
                    .isEqualTo(named);
        }
    }

    @Test
    void aPromptIsNotLoggedUnlessThatIsWanted() {
        assertThat(post("{\"prompt\": \"my diary\", \"max_tokens\": 1}").statusCode())
                .isEqualTo(200);

        assertThat(server.log)
                .isNotEmpty()
                .noneMatch(line -> line.contains("diary"))
                .anyMatch(line -> line.contains("1 texts"));
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server.url() + path))
                .header("Authorization", AUTHORIZATION)
                .header("Content-Type", "application/json");
    }

    private static HttpResponse<String> post(String body) {
        return server.post("/v1/completions", body, "Authorization", AUTHORIZATION);
    }

    private static long cancelled() {
        return server.served().engine().counters().finished().getOrDefault(Reason.CANCELLED, 0L);
    }

    private static Socket connect() throws IOException {
        return connect(server);
    }

    private static Socket connect(TestServer to) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), to.server().port());
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /// Returns everything that the server sends until it closes.
    private static String read(Socket socket) throws IOException {
        var bytes = new ByteArrayOutputStream();
        socket.getInputStream().transferTo(bytes);
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("the time for it").isLessThan(until);
            Thread.sleep(10);
        }
    }
}
