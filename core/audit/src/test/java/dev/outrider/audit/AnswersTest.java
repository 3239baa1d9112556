package dev.outrider.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.outrider.audit.Answers.Asked;
import dev.outrider.audit.ServerClient.Server;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.testkit.LetterTokenizer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnswersTest {
    private static final Asked ASKED = new Asked("", "one", List.of(1, 2), "", Map.of());
    private static final String PLAIN =
            "{\"choices\":[{\"text\":\"abc\",\"finish_reason\":\"length\"}]}";

    private static final Audit.Settings SETTINGS = Toy.settings(1, .1, 0);

    @TempDir private Path folder;
    private final List<JsonNode> requests = new ArrayList<>();
    private final Queue<Reply> replies = new ArrayDeque<>();
    private volatile boolean interrupted;
    private HttpServer http;

    private record Reply(int status, String body) {}

    @BeforeEach
    void starts() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/v1/completions", this::answer);
        http.start();
    }

    @AfterEach
    void stops() {
        http.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            requests.add(Answer.MAPPER.readTree(exchange.getRequestBody().readAllBytes()));
            var reply = replies.remove();
            byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Retry-After", "0");
            exchange.sendResponseHeaders(reply.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Answers answers() {
        return answers("");
    }

    private Answers answers(String path) {
        var address =
                URI.create("http://127.0.0.1:%d/v1%s".formatted(http.getAddress().getPort(), path));
        var server = new Server(address, Optional.of("m"), Optional.empty(), false, Map.of());
        return new Answers(
                folder,
                new ServerClient(
                        server,
                        Answer.MAPPER.createObjectNode().put("top_k", 3),
                        () -> interrupted));
    }

    private static Answer get(Answers answers, int number) throws InterruptedException {
        return answers.get(
                number,
                ASKED,
                7,
                text -> Answer.encoded(new LetterTokenizer(26), text, false),
                Set.of(25));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"token_ids\":[3,4]",
                "\"logprobs\":{\"content\":[{\"id\":3,\"token\":\"a\"},{\"id\":4,\"token\":\"b\"}]}",
                "\"logprobs\":{\"tokens\":[\"token_id:3\",\"token_id:4\"]}"
            })
    void idsAreReadInTheLayoutOfEachServer(String layout) throws InterruptedException {
        replies.add(
                new Reply(
                        200,
                        "{\"choices\":[{\"text\":\"x\",\"finish_reason\":\"stop\",%s}]}"
                                .formatted(layout)));
        try (var answers = answers()) {
            var answer = get(answers, 0);

            assertThat(answer.ids()).containsExactly(3, 4);
            assertThat(answer.guessed()).isFalse();
            assertThat(answer.finish()).isEqualTo("stop");
        }
        assertThat(requests.getFirst().path("prompt").toString()).isEqualTo("[1,2]");
        assertThat(requests.getFirst().path("top_k").asInt()).isEqualTo(3);
        assertThat(requests.getFirst().path("model").asText()).isEqualTo("m");
        assertThat(requests.getFirst().path("return_token_ids").asBoolean()).isTrue();
    }

    @Test
    void anInterruptionEndsARequestThatHasNoAnswerYet() throws InterruptedException, IOException {
        var held = new CountDownLatch(1);
        http.createContext(
                "/v1/held/completions",
                exchange -> {
                    interrupted = true;
                    try (exchange) {
                        held.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        try (var answers = answers("/held")) {
            assertThatThrownBy(() -> get(answers, 0)).isInstanceOf(CancellationException.class);
        }
        held.countDown();
        assertThat(Files.readString(folder.resolve("answers.jsonl"))).isEmpty();
    }

    @Test
    void halfASurrogatePairIsKept() throws InterruptedException {
        replies.add(new Reply(200, PLAIN.replace("abc", "a\\ud83d")));
        try (var answers = answers()) {
            assertThat(get(answers, 0).text()).isEqualTo("a?");
        }
        try (var answers = answers()) {
            assertThat(get(answers, 0).text()).isEqualTo("a?");
        }
    }

    @Test
    void aTextAloneGivesGuessedIds() throws InterruptedException {
        replies.add(new Reply(200, PLAIN));
        try (var answers = answers()) {
            var answer = get(answers, 0);

            assertThat(answer.ids()).containsExactly(0, 1, 2);
            assertThat(answer.guessed()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "3;4, stop, 3, false", // the end is not listed
        "3;4, length, 3, true", // a token that ended within a character is not
        "3;25, stop, 3, true",
        "3;4, stop, 4, true",
        "3;25, stop, 2, false"
    })
    void idsThatAreNotAllAreAsIfAbsent(String ids, String finish, int counted, boolean guessed)
            throws InterruptedException {
        var content = new ArrayList<String>();
        for (var id : ids.split(";")) {
            content.add("{\"id\":%s}".formatted(id));
        }
        replies.add(
                new Reply(
                        200,
                        "{\"choices\":[{\"text\":\"x\",\"finish_reason\":\"%s\",\"logprobs\":{\"content\":%s}}],\"usage\":{\"completion_tokens\":%d}}"
                                .formatted(finish, content, counted)));
        try (var answers = answers()) {
            assertThat(get(answers, 0).guessed()).isEqualTo(guessed);
        }
    }

    @Test
    void anItemWithoutAnIdMakesAllAbsent() throws InterruptedException {
        replies.add(
                new Reply(
                        200,
                        "{\"choices\":[{\"text\":\"x\",\"logprobs\":{\"content\":[{\"id\":3},{\"token\":\"b\"}]}}]}"));
        try (var answers = answers()) {
            assertThat(get(answers, 0).guessed()).isTrue();
        }
    }

    @Test
    void anEmptyTextIsNotGuessedAndAStopStringIsNoEnd() throws InterruptedException {
        replies.add(
                new Reply(
                        200,
                        "{\"choices\":[{\"text\":\"\",\"finish_reason\":\"stop\",\"stop_reason\":\"x\"}]}"));
        try (var answers = answers()) {
            var answer = get(answers, 0);

            assertThat(answer.guessed()).isFalse();
            assertThat(answer.finish()).isEqualTo("stop_reason");
        }
    }

    @Test
    void answersAreKeptAndNotAskedAgain() throws InterruptedException, IOException {
        replies.add(new Reply(200, PLAIN));
        try (var answers = answers()) {
            get(answers, 0);
        }
        Files.writeString(
                folder.resolve("answers.jsonl"), "{\"side\":\"cut off", StandardOpenOption.APPEND);
        replies.add(new Reply(200, PLAIN));
        try (var answers = answers()) {
            assertThat(get(answers, 0).text()).isEqualTo("abc");
            assertThat(requests).hasSize(1);
            get(answers, 1);
            var outcome = answers.noted(Toy.audit(Toy.CORRECT, SETTINGS).outcome(true), 2);
            assertThat(outcome.findings())
                    .singleElement()
                    .asString()
                    .startsWith("1 answers of an earlier run in " + folder);
        }
        assertThat(requests).hasSize(2);
        assertThat(
                        Answer.read(
                                folder.resolve("answers.jsonl"),
                                List.of(),
                                new LetterTokenizer(26),
                                _ -> {}))
                .hasSize(2)
                .allMatch(each -> each.read().equals(List.of(1, 2)));
    }

    @Test
    void aBusyServerIsAskedAgainAndFieldsThatAreRefusedAreLeftOut() throws InterruptedException {
        replies.add(new Reply(429, "{}"));
        replies.add(new Reply(400, "{\"error\":\"unknown field\"}"));
        replies.add(new Reply(200, PLAIN));
        try (var answers = answers()) {
            assertThat(get(answers, 0).text()).isEqualTo("abc");
        }
        assertThat(requests).hasSize(3);
        assertThat(requests.getLast().has("return_token_ids")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "no JSON",
                "{\"choices\":[]}",
                "{\"choices\":[{\"text\":\"x\",\"token_ids\":[\"3\"]}]}"
            })
    void anAnswerThatIsNoneIsAnError(String body) {
        replies.add(new Reply(200, body));
        try (var answers = answers()) {
            assertThatThrownBy(() -> get(answers, 0))
                    .isInstanceOfSatisfying(
                            OutriderException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.SERVER_ANSWER_INVALID));
        }
    }

    @Test
    void aServerThatIsNotThereIsAnError() {
        http.stop(0);
        try (var answers = answers()) {
            assertThatThrownBy(() -> get(answers, 0))
                    .isInstanceOfSatisfying(
                            OutriderException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.SERVER_UNREACHABLE));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"prompt_token_ids\":[5],\"token_ids\":[\"6\"]}",
                "{\"prompt_token_ids\":[5.5],\"token_ids\":[6]}",
                "{\"side\":\"\",\"prompt\":\"a\",\"prompt_token_ids\":[5],\"token_ids\":[6.5]}",
                "{\"prompt\":{\"text\":\"a\"},\"output\":\"b\"}",
                "{\"output\":\"b\"}"
            })
    void aLineThatIsNoAnswerIsNamed(String line) throws IOException {
        var file = folder.resolve("traces.jsonl");
        Files.writeString(file, "{\"prompt\":\"ab\",\"output\":\"cd\"}\n" + line + "\n");

        assertThatThrownBy(() ->
                        Answer.read(file, List.of(Toy.PROMPT), new LetterTokenizer(26), _ -> {}))
                .isInstanceOfSatisfying(
                        OutriderException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.DATA_INVALID))
                .hasMessageContaining("line 2");
    }

    @Test
    void anAddressWithAPasswordIsRefused() {
        var address = URI.create("http://user:word@host/v1");

        assertThatThrownBy(() ->
                        new Server(address, Optional.empty(), Optional.empty(), false, Map.of()))
                .isInstanceOf(OutriderException.class);
    }

    @Test
    void tracesOfOtherEnginesAreRead() throws IOException {
        var file = folder.resolve("traces.jsonl");
        Files.writeString(
                file,
                """
                {"prompt":"ab","output":"cd"}
                {"prompt_token_ids":[5],"token_ids":[6,7]}
                {"generated_texts":["a","b"]}
                """);

        var read = Answer.read(file, List.of(Toy.PROMPT), new LetterTokenizer(26), _ -> {});

        assertThat(read).hasSize(4);
        assertThat(read.get(0).guessed()).isTrue();
        assertThat(read.get(0).ids()).containsExactly(2, 3);
        assertThat(read.get(1).guessed()).isFalse();
        assertThat(read.get(1).ids()).containsExactly(6, 7);
        assertThat(read.get(3).read()).isEqualTo(Toy.PROMPT.ids());
    }
}
