package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ServeCommandTest {
    private static final String PROMPT = "Once upon a time";

    @Test
    void servesWhatGenerateWritesUntilItIsInterrupted() throws Exception {
        var generated =
                json(
                        Run.of(
                                        "generate",
                                        "--config=" + Shipped.IN_CACHE,
                                        "--prompt=" + PROMPT,
                                        "--max-tokens=20",
                                        "--temperature=0.8",
                                        "--seed=11",
                                        "--json")
                                .out());
        int port = freePort();
        var interruption = new Interruption();
        var serving =
                CompletableFuture.supplyAsync(
                        () ->
                                Run.with(
                                        "",
                                        interruption,
                                        "serve",
                                        Shipped.IN_CACHE,
                                        "--port=" + port,
                                        "--set=serve.grace=5s"),
                        Thread::startVirtualThread);
        try (var client = HttpClient.newHttpClient()) {
            var url = "http://127.0.0.1:%d".formatted(port);
            awaitServer(client, url, serving);

            var answer =
                    client.send(
                            HttpRequest.newBuilder(URI.create(url + "/v1/completions"))
                                    .header("Content-Type", "application/json")
                                    .POST(
                                            BodyPublishers.ofString(
                                                    """
                                                    {"prompt": "%s", "max_tokens": 20, "temperature": 0.8, "seed": 11}\
                                                    """
                                                            .formatted(PROMPT)))
                                    .build(),
                            BodyHandlers.ofString());

            assertThat(json(answer.body()).at("/choices/0/text")).isEqualTo(generated.path("text"));
        } finally {
            interruption.request();
        }
        var run = serving.join();
        assertThat(run.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(run.out()).contains("http://127.0.0.1:%d/v1".formatted(port));
        assertThat(run.err()).contains("5 seconds to end");
    }

    @Test
    void needsAKeyBeforeOthersReachIt() {
        var open = Run.of("serve", Shipped.IN_CACHE, "--host=0.0.0.0");

        assertThat(open.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(open.err()).contains("--host is 0.0.0.0").contains("serve.keyVariable");
        assertThat(Run.of("serve", Shipped.IN_CACHE, "--port=0", "--host=192.0.2.1").exitCode())
                .isEqualTo(ExitCode.USAGE);
        var without = Run.of("serve", Shipped.IN_CACHE, "--set=serve.keyVariable=NO_SUCH_VARIABLE");
        assertThat(without.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(without.err()).contains("NO_SUCH_VARIABLE");
    }

    @Test
    void saysThatAPortIsTaken() throws IOException {
        try (var taken = new ServerSocket(0)) {
            var run = Run.of("serve", Shipped.IN_CACHE, "--port=" + taken.getLocalPort());

            assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(run.err()).contains("IO_FAILED").contains("--port");
        }
    }

    private static void awaitServer(HttpClient client, String url, CompletableFuture<Run> serving)
            throws IOException, InterruptedException {
        var health = HttpRequest.newBuilder(URI.create(url + "/health")).build();
        while (true) {
            try {
                assertThat(client.send(health, BodyHandlers.ofString()).statusCode())
                        .isEqualTo(200);
                return;
            } catch (ConnectException e) {
                assertThat(serving).as("the server, which does not listen yet").isNotDone();
                Thread.sleep(20);
            }
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static JsonNode json(String text) throws IOException {
        return JsonMapper.builder().build().readTree(text);
    }
}
