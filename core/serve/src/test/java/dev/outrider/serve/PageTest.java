package dev.outrider.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.serving.Completion.Reason;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class PageTest {
    private static final String KEY = "a key with words";
    private static final String BODY =
            "{\"model\": \"tiny:%s\", \"prompt\": \"Once upon a time there was a\", \"max_tokens\": %d, \"temperature\": %s, \"seed\": 5%s}";

    @TempDir private static Path folder;
    private static TestServer server;
    private static TestServer locked;

    @BeforeAll
    static void start() throws Exception {
        server =
                new TestServer(
                        Files.createDirectory(folder.resolve("open")),
                        "{log: requests}",
                        Optional.empty());
        locked =
                new TestServer(
                        Files.createDirectory(folder.resolve("locked")), "{}", Optional.of(KEY));
    }

    @AfterAll
    static void stop() {
        server.close();
        locked.close();
    }

    @Test
    void theFilesAreSentWithoutKeyAndHoldNothingThatTheirPolicyForbids() {
        for (var path : PageService.files()) {
            var response = locked.get(path);
            assertThat(response.statusCode()).as(path).isEqualTo(200);
            var headers = response.headers();
            assertThat(headers.firstValue("Content-Security-Policy").orElse(""))
                    .contains("default-src 'self'", "frame-ancestors 'none'")
                    .doesNotContain("unsafe");
            assertThat(headers.firstValue("X-Content-Type-Options")).hasValue("nosniff");
            assertThat(headers.firstValue("X-Frame-Options")).hasValue("DENY");
            assertThat(headers.firstValue("Referrer-Policy")).hasValue("no-referrer");
            assertThat(response.body().replace("http://www.w3.org/2000/svg", ""))
                    .as(path)
                    .doesNotContain("http:", "https:", "innerHTML", "eval(", "document.write")
                    .doesNotContainPattern("<script(?! type=\"module\" src=)")
                    .doesNotContainPattern("(?i)<style|\\sstyle=|\\son[a-z]+=\"");
        }
        assertThat(locked.get("/").headers().firstValue("Content-Type"))
                .hasValue("text/html; charset=utf-8");
        assertThat(locked.get("/page/app.js").headers().firstValue("Content-Type"))
                .hasValue("text/javascript; charset=utf-8");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/page",
                "/page/",
                "/page/index.html",
                "/page/app.js/",
                "/page/../Server.class",
                "/page/%2e%2e/Server.class",
                "/page/..%2fServer.class",
                "/page/package-info.class",
                "/page/..%5cServer.class"
            })
    void noPathLeavesTheFiles(String path) {
        assertThat(server.get(path).statusCode()).isEqualTo(404);
        assertThat(locked.get(path).statusCode()).isEqualTo(401);
    }

    @Test
    void theKeyGuardsWhatIsNoFile() {
        var body = BODY.formatted("plain", 2, 0, "");
        assertThat(locked.get("/page/variants.json").statusCode()).isEqualTo(401);
        assertThat(locked.post("/page/rounds", body).statusCode()).isEqualTo(401);
        assertThat(locked.post("/page/rounds", body, "Authorization", "Bearer " + KEY).statusCode())
                .isEqualTo(200);
        assertThat(server.post("/", body).statusCode()).isEqualTo(405);
        assertThat(server.get("/page/rounds").statusCode()).isEqualTo(405);
    }

    @Test
    void theVariantsAreThoseOfTheServer() {
        var variants = TestServer.json(server.get("/page/variants.json").body());
        assertThat(variants.path("variants")).hasSize(3);
        assertThat(variants.at("/variants/0").toString())
                .isEqualTo(
                        "{\"model\":\"tiny:small-model\",\"name\":\"small-model\",\"drafts\":true,\"temperature\":0.0}");
        assertThat(variants.at("/variants/2/drafts").booleanValue()).isFalse();
        assertThat(variants.path("chat").booleanValue()).isTrue();
        assertThat(variants.path("rules").toString()).isEqualTo("[\"block\",\"typical\"]");
    }

    @ParameterizedTest
    @CsvSource({"small-model,0", "small-model,0.8", "lookup,0", "plain,0.8"})
    void theRoundsAreThoseOfTheCompletion(String variant, double temperature) {
        var answer = server.answer("/v1/completions", BODY.formatted(variant, 40, temperature, ""));
        var events = rounds(BODY.formatted(variant, 40, temperature, ""));

        assertThat(events.getFirst().path("type").textValue()).isEqualTo("start");
        assertThat(events.getFirst().path("seed").textValue()).isEqualTo("5");
        var end = events.getLast();
        assertThat(end.path("type").textValue()).isEqualTo("end");
        var text = new StringBuilder();
        var ids = new ArrayList<Integer>();
        int drafted = 0;
        int accepted = 0;
        double before = 0;
        for (var round : events.subList(1, events.size() - 1)) {
            assertThat(round.path("at").doubleValue()).isGreaterThanOrEqualTo(before);
            before = round.path("at").doubleValue();
            var tree = items(round.path("tree"));
            drafted += tree.size() - 1;
            var guesses = new ArrayList<Integer>();
            for (var token : round.path("tokens")) {
                text.append(token.path("text").textValue());
                ids.add(token.path("id").intValue());
                if (token.path("origin").textValue().equals("accepted")) {
                    guesses.add(token.path("id").intValue());
                }
            }
            accepted += guesses.size();
            var path = new ArrayList<Integer>();
            for (int node = 1; node < tree.size(); node++) {
                int parent = tree.get(node).path("parent").intValue();
                assertThat(parent).isBetween(0, node - 1);
                assertThat(tree.get(node).has("q"))
                        .isEqualTo(variant.equals("small-model") && temperature > 0);
                if (tree.get(node).path("accepted").booleanValue()) {
                    assertThat(tree.get(parent).path("accepted").booleanValue()).isTrue();
                    path.add(tree.get(node).path("id").intValue());
                }
            }
            assertThat(path).startsWith(guesses.toArray(Integer[]::new));
        }
        assertThat(text.append(end.path("rest").textValue()).toString())
                .isEqualTo(answer.at("/choices/0/text").textValue());
        assertThat(ids).hasSize(answer.at("/usage/completion_tokens").intValue());
        assertThat(accepted)
                .isEqualTo(
                        answer.at("/usage/completion_tokens_details/accepted_prediction_tokens")
                                .intValue())
                .isEqualTo(end.path("accepted").intValue());
        assertThat(drafted).isEqualTo(end.path("drafted").intValue());
        assertThat(end.path("rounds").intValue()).isEqualTo(events.size() - 2);
        assertThat(server.log).last().asString().startsWith("text tiny:" + variant + ": 1 texts");
    }

    @Test
    void aConversationHasRoundsToo() {
        var events =
                rounds(
                        "{\"messages\": [{\"role\": \"user\", \"content\": \"Hello\"}], \"max_tokens\": 3, \"temperature\": 0}");
        assertThat(events.getLast().path("emitted").intValue()).isBetween(1, 3);
    }

    @ParameterizedTest
    @CsvSource({
        "'{\"prompt\": \"a\", \"n\": 2}',400,n",
        "'{\"prompt\": [\"a\", \"b\"]}',400,n",
        "'{}',400,prompt",
        "'{\"prompt\": \"a\", \"model\": \"none\"}',404,model",
        "'{\"prompt\": \"a\", \"temperature\": \"hot\"}',400,temperature"
    })
    void whatCannotBeShownIsRefused(String body, int status, String field) {
        var response = server.post("/page/rounds", body);
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(TestServer.json(response.body()).at("/error/param").textValue())
                .isEqualTo(field);
    }

    @Test
    void aPageThatIsClosedEndsItsRun() throws Exception {
        long before = cancelled();
        server.slowTo(Duration.ofMillis(2));
        try (var client = HttpClient.newHttpClient()) {
            var request =
                    HttpRequest.newBuilder(URI.create(server.url() + "/page/rounds"))
                            .header("Content-Type", "application/json")
                            .POST(
                                    BodyPublishers.ofString(
                                            BODY.formatted(
                                                    "plain", 480, 1, ", \"ignore_eos\": true")))
                            .build();
            try (var body = client.send(request, BodyHandlers.ofInputStream()).body()) {
                assertThat(body.read()).isEqualTo('d');
            }
            client.shutdownNow();
        } finally {
            server.slowTo(Duration.ZERO);
        }
        long until = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (cancelled() == before) {
            assertThat(System.nanoTime()).as("the time for it").isLessThan(until);
            Thread.sleep(5);
        }
        assertThat(cancelled()).isEqualTo(before + 1);
        assertThat(server.served().engine().counters().running()).isZero();
    }

    private static long cancelled() {
        return server.served().engine().counters().finished().getOrDefault(Reason.CANCELLED, 0L);
    }

    private static List<JsonNode> rounds(String body) {
        var response = server.post("/page/rounds", body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body()
                .lines()
                .filter(line -> !line.isEmpty())
                .map(line -> TestServer.json(line.substring("data: ".length())))
                .toList();
    }

    private static List<JsonNode> items(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false).toList();
    }
}
