package dev.outrider.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ClosingTest {
    private static final String LONG =
            "{\"prompt\": \"Once\", \"max_tokens\": 480, \"ignore_eos\": true, \"temperature\": 1, \"speculative\": false%s}";

    @TempDir private static Path folder;

    @Test
    void aFullQueueRefusesAndAClosingServerEndsWhatItHas() throws Exception {
        try (var server = new TestServer(folder, "{sequences: 1, queue: 1}", Optional.empty())) {
            var taken = new ArrayList<CompletableFuture<Integer>>();
            for (int request = 0; request < 12; request++) {
                taken.add(
                        CompletableFuture.supplyAsync(
                                () -> {
                                    var response =
                                            server.post("/v1/completions", LONG.formatted(""));
                                    if (response.statusCode() == 429) {
                                        assertThat(response.body()).contains("QUEUE_FULL");
                                        assertThat(
                                                        response.headers()
                                                                .firstValueAsLong("Retry-After")
                                                                .orElse(0))
                                                .isPositive();
                                    }
                                    return response.statusCode();
                                },
                                Thread::startVirtualThread));
            }
            var codes = taken.stream().map(CompletableFuture::join).toList();
            assertThat(codes).containsOnly(200, 429).contains(200, 429);
            // There are more texts than places and queue entries, so that some texts wait for
            // others.
            assertThat(
                            server.answer("/v1/completions", LONG.formatted(", \"n\": 4"))
                                    .path("choices"))
                    .hasSize(4);

            server.slowTo(Duration.ofMillis(1));
            var three = LONG.formatted(", \"stream\": true, \"n\": 3").replace("480", "48");
            var streamed =
                    CompletableFuture.supplyAsync(
                            () -> server.post("/v1/completions", three),
                            Thread::startVirtualThread);
            while (server.served().engine().counters().running() == 0) {
                assertThat(streamed).as("the answer, before any of it was seen").isNotDone();
                Thread.sleep(1);
            }
            var health = server.url() + "/health";
            var closing =
                    CompletableFuture.runAsync(
                            () -> server.server().close(Duration.ofSeconds(20)),
                            Thread::startVirtualThread);
            var events = TestServer.events(streamed.join().body());
            assertThat(
                            events.stream()
                                    .map(event -> event.at("/choices/0/finish_reason"))
                                    .filter(reason -> !reason.isNull())
                                    .map(JsonNode::textValue))
                    .containsExactly("length", "length", "length");
            closing.join();

            assertThatThrownBy(
                            () -> server.send(HttpRequest.newBuilder(URI.create(health)).build()))
                    .hasCauseInstanceOf(ConnectException.class);
        }
    }
}
