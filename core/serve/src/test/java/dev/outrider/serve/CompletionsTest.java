package dev.outrider.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.engine.acceptance.BlockVerificationRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.EncodedPrompt;
import dev.outrider.engine.processing.ProcessorChain.Named;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.serve.answer.Answers;
import dev.outrider.serve.answer.RunningTexts;
import dev.outrider.serve.request.ApiException;
import dev.outrider.serve.request.JsonFields;
import dev.outrider.serve.request.RequestReader;
import dev.outrider.serve.request.TextRequest;
import dev.outrider.serving.ServingEngine;
import dev.outrider.serving.ServingLimits;
import dev.outrider.serving.ServingRequest;
import dev.outrider.serving.ServingRequest.Sampling;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.LogitsProcessor;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.tree.TokenTree;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionsTest {
    private static final String PROMPT = "Once upon a time there was a";

    @TempDir private static Path folder;
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer(folder, "{sequences: 4, queue: 64, prompts: 12}", Optional.empty());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({"small-model,0", "small-model,0.8", "lookup,0.8", "plain,0.8", "plain,0"})
    void aSeededRequestGivesWhatGenerateGives(String variant, double temperature) {
        givesWhatGenerateGives(variant, temperature, "", Optional.empty());
    }

    @Test
    void aRequestMayNameTheRule() {
        var block = new BlockVerificationRule();
        assertThat(
                        givesWhatGenerateGives(
                                "small-model", 1.5, ", \"rule\": \"block\"", Optional.of(block)))
                .describedAs("the variant's own rule decides otherwise")
                .isNotEqualTo(givesWhatGenerateGives("small-model", 1.5, "", Optional.empty()));

        var lossy =
                server.post(
                        "/v1/completions",
                        "{\"prompt\": \"a\", \"temperature\": 1, \"rule\": \"typical\"}");
        assertThat(lossy.statusCode()).isEqualTo(400);
        assertThat(lossy.body()).contains("LOSSY_NOT_ALLOWED");
    }

    private static String givesWhatGenerateGives(
            String variant, double temperature, String more, Optional<AcceptanceRule> named) {
        var answer =
                server.answer(
                        "/v1/completions",
                        """
                        {"model": "tiny:%s", "prompt": "%s", "max_tokens": 24, "temperature": %s, "seed": 7%s}\
                        """
                                .formatted(variant, PROMPT, temperature, more));

        var decoder =
                server.loaded().variants().stream()
                        .filter(each -> each.name().equals(variant))
                        .findFirst()
                        .orElseThrow()
                        .decoder();
        var rule =
                named.orElseGet(() ->
                        server.served()
                                .engine()
                                .variant(variant)
                                .orElseThrow()
                                .pairing(SamplingPolicy.atTemperature(temperature))
                                .rule());
        var alone =
                decoder.withRule(rule)
                        .decode(
                                DecodeRequest.of(
                                        EncodedPrompt.of(server.loaded().target(), PROMPT).array(),
                                        24,
                                        SamplingPolicy.atTemperature(temperature)),
                                RandomnessSource.of(new KeyedRandomStreams(7, 0)));
        assertThat(text(answer, 0)).isEqualTo(alone.text());
        assertThat(answer.at("/usage/completion_tokens").intValue())
                .isEqualTo(alone.tokens().length);
        assertThat(
                        answer.at("/usage/completion_tokens_details/accepted_prediction_tokens")
                                        .intValue()
                                > 0)
                .isEqualTo(!variant.equals("plain") && alone.rounds() < alone.tokens().length);
        return alone.text();
    }

    @Test
    void aStreamSaysWhatTheWholeAnswerSays() {
        var body =
                "\"prompt\": \"%s\", \"max_tokens\": 40, \"temperature\": 0.9, \"seed\": 3, \"n\": 3, \"echo\": true, \"logprobs\": 2, \"stop\": [\"qu\", \" t\"]"
                        .formatted(PROMPT);
        var whole = server.answer("/v1/completions", "{%s}".formatted(body));
        var stream =
                server.post(
                        "/v1/completions",
                        "{%s, \"stream\": true, \"stream_options\": {\"include_usage\": true}}"
                                .formatted(body));

        assertThat(stream.headers().firstValue("Content-Type"))
                .hasValue("text/event-stream; charset=utf-8");
        var events = TestServer.events(stream.body());
        for (int index = 0; index < 3; index++) {
            var choice = whole.at("/choices/" + index);
            int wanted = index;
            var pieces =
                    events.stream()
                            .map(event -> event.at("/choices/0"))
                            .filter(each -> each.path("index").asInt(-1) == wanted)
                            .toList();
            assertThat(joined(pieces, "/text")).isEqualTo(choice.path("text").textValue());
            assertThat(items(pieces, "/logprobs/tokens"))
                    .isEqualTo(items(List.of(choice), "/logprobs/tokens"));
            assertThat(items(pieces, "/logprobs/token_logprobs"))
                    .isEqualTo(items(List.of(choice), "/logprobs/token_logprobs"));
            assertThat(items(pieces, "/logprobs/text_offset"))
                    .isEqualTo(items(List.of(choice), "/logprobs/text_offset"));
            assertThat(pieces.getLast().path("finish_reason"))
                    .isEqualTo(choice.path("finish_reason"));
            assertThat(pieces.subList(0, pieces.size() - 1))
                    .allMatch(each -> each.path("finish_reason").isNull());
            assertThat(choice.path("text").textValue().substring(PROMPT.length()))
                    .doesNotContain("qu", " t");
        }
        assertThat(events.getLast().path("choices")).isEmpty();
        assertThat(events.getLast().path("usage")).isEqualTo(whole.path("usage"));
    }

    /// The bodies that `vllm bench serve` and guidellm send.
    @ParameterizedTest
    @ValueSource(
            strings = {
                """
                {"model": "tiny", "prompt": "Once upon a time", "temperature": 0.0, "repetition_penalty": 1.0, "max_tokens": 10,
                 "logprobs": null, "stream": true, "stream_options": {"include_usage": true}, "ignore_eos": true}\
                """,
                """
                {"model": "tiny", "prompt": "Once upon a time", "max_tokens": 10, "max_completion_tokens": 10, "stop": null,
                 "ignore_eos": true, "stream": true, "stream_options": {"include_usage": true, "continuous_usage_stats": true}}\
                """
            })
    void bodiesOfBenchmarksAreServed(String body) {
        var response = server.post("/v1/completions", body);

        assertThat(response.headers().firstValue("X-Outrider-Ignored")).isEmpty();
        assertThat(
                        TestServer.events(response.body())
                                .getLast()
                                .at("/usage/completion_tokens")
                                .intValue())
                .isEqualTo(10);
    }

    @Test
    void everyPieceHasTheUsageSoFarIfThatIsWanted() {
        var stream =
                server.post(
                        "/v1/completions",
                        """
                        {"prompt": "%s", "max_tokens": 9, "ignore_eos": true, "stream": true,
                         "stream_options": {"include_usage": true, "continuous_usage_stats": true}}\
                        """
                                .formatted(PROMPT));

        var written =
                TestServer.events(stream.body()).stream()
                        .map(event -> event.at("/usage/completion_tokens").intValue())
                        .toList();
        assertThat(written).isSorted().endsWith(9);
        assertThat(written.getFirst()).isBetween(1, 8);
    }

    @Test
    void aBatchGivesWhatItsPromptsGiveAlone() {
        var ids = ids(PROMPT);
        var batch =
                server.answer(
                        "/v1/completions",
                        """
                        {"prompt": [%s, %s, %s, %s, %s], "max_tokens": 12, "temperature": 1, "seed": 5, "n": 2}\
                        """
                                .formatted(
                                        ids,
                                        ids.subList(0, 3),
                                        ids.subList(0, 1),
                                        ids.reversed(),
                                        ids));

        assertThat(batch.path("choices")).hasSize(10);
        for (int index = 0; index < 10; index++) {
            assertThat(batch.at("/choices/%d/index".formatted(index)).intValue()).isEqualTo(index);
        }
        var alone =
                server.answer(
                        "/v1/completions",
                        """
                        {"prompt": %s, "max_tokens": 12, "temperature": 1, "seed": 5, "n": 2}\
                        """
                                .formatted(ids.reversed()));
        assertThat(List.of(text(batch, 6), text(batch, 7)))
                .containsExactly(text(alone, 0), text(alone, 1));
        assertThat(text(batch, 0)).isEqualTo(text(batch, 8)).isNotEqualTo(text(batch, 1));
        assertThat(batch.at("/usage/prompt_tokens").intValue()).isEqualTo(3 * ids.size() + 4);
    }

    @Test
    void promptsWithoutASeedAreSampledApart() {
        var ids = ids(PROMPT);
        var batch =
                server.answer(
                        "/v1/completions",
                        "{\"prompt\": [%s, %s, %s], \"max_tokens\": 24, \"temperature\": 1, \"ignore_eos\": true}"
                                .formatted(ids, ids, ids));

        assertThat(List.of(text(batch, 0), text(batch, 1), text(batch, 2))).doesNotHaveDuplicates();
    }

    @Test
    void textsAndTheirIdsAreTheSamePrompt() {
        var byText =
                server.answer(
                        "/v1/completions",
                        "{\"prompt\": [\"%s\", \"Hello\"], \"max_tokens\": 8}".formatted(PROMPT));
        var byIds =
                server.answer(
                        "/v1/completions",
                        "{\"prompt\": [%s, %s], \"max_tokens\": 8}"
                                .formatted(ids(PROMPT), ids("Hello")));

        assertThat(byText.path("choices")).isEqualTo(byIds.path("choices"));
    }

    /// The request of lm-evaluation-harness (`local-completions`). The harness reads the log probabilities from the context's
    /// length to the last token but one; it computes their sum, and whether each token is the most probable.
    @Test
    void logprobsWithoutEchoAreThoseOfWrittenTokens() {
        var answer =
                server.answer(
                        "/v1/completions",
                        """
                        {"model": "tiny", "prompt": "Once upon a time", "max_tokens": 3, "temperature": 0, "logprobs": 1, "ignore_eos": true}\
                        """);

        var logprobs = answer.at("/choices/0/logprobs");
        assertThat(logprobs.path("tokens")).hasSize(3);
        assertThat(logprobs.path("token_logprobs").get(0).isNumber()).isTrue();
        assertThat(logprobs.path("text_offset").get(0).intValue()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void scoringEqualsAPlainPassOfTheTarget(int maxTokens) {
        var ids = ids(PROMPT + " girl, and she lived in a wood. Naïve 😀!");
        var rows = plainPass(ids);

        var answer =
                server.answer(
                        "/v1/completions",
                        """
                        {"model": "tiny", "prompt": [%s], "max_tokens": %d, "temperature": 0, "logprobs": 1, "echo": true, "seed": 1234}\
                        """
                                .formatted(ids, maxTokens));

        var logprobs = answer.at("/choices/0/logprobs");
        assertThat(logprobs.path("tokens")).hasSize(ids.size() + maxTokens);
        assertThat(logprobs.path("token_logprobs")).hasSize(ids.size() + maxTokens);
        assertThat(logprobs.path("token_logprobs").get(0).isNull()).isTrue();
        assertThat(logprobs.path("top_logprobs").get(0).isNull()).isTrue();
        for (int at = 1; at < ids.size(); at++) {
            double[] row = rows.get(at - 1);
            double own = logprobs.path("token_logprobs").get(at).doubleValue();
            double best =
                    StreamSupport.stream(logprobs.path("top_logprobs").get(at).spliterator(), false)
                            .mapToDouble(JsonNode::doubleValue)
                            .max()
                            .orElseThrow();
            double plainBest = Arrays.stream(row).max().orElseThrow();
            assertThat(own).isCloseTo(row[ids.get(at)], within(1e-5));
            assertThat(best).isCloseTo(plainBest, within(1e-5));
            assertThat(own == best).isEqualTo(row[ids.get(at)] == plainBest);
        }
        assertThat(text(answer, 0))
                .startsWith(server.loaded().target().tokenizer().decode(array(ids)));
        assertThat(
                        items(List.of(answer.at("/choices/0")), "/logprobs/text_offset")
                                .getFirst()
                                .intValue())
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({"'', false", "', \"logprobs\": 0', true", "', \"max_tokens\": 0', true"})
    void anEchoedPromptIsScoredIfSomebodyAsksForThat(String fields, boolean scored) {
        var body = "{\"prompt\": \"%s\", \"echo\": true%s}".formatted(PROMPT, fields);
        assertThat(read(body).texts())
                .allMatch(text -> text.request().scores().prompt().isPresent() == scored);
        assertThat(text(server.answer("/v1/completions", body), 0)).startsWith(PROMPT);
    }

    private static TextRequest read(String body) {
        return new RequestReader(server.served(), Optional.empty())
                .completion(JsonFields.parse(body.getBytes(StandardCharsets.UTF_8)), "");
    }

    /// Log probabilities of every token after every prefix.
    private static List<double[]> plainPass(List<Integer> ids) {
        var target = server.loaded().target();
        int[] tokens = array(ids);
        var rows = new ArrayList<double[]>();
        try (var session = target.open(new SessionRequest(ids.size(), Set.of(), List.of()));
                var scores =
                        session.score(
                                TokenTree.chain(
                                        tokens[0], Arrays.copyOfRange(tokens, 1, tokens.length)))) {
            for (int node = 0; node < tokens.length; node++) {
                var logits = scores.logits(node);
                double[] row =
                        IntStream.range(0, scores.vocabularySize())
                                .mapToDouble(
                                        token -> logits.getAtIndex(ValueLayout.JAVA_FLOAT, token))
                                .toArray();
                double most = Arrays.stream(row).max().orElseThrow();
                double sum = Arrays.stream(row).map(logit -> Math.exp(logit - most)).sum();
                rows.add(Arrays.stream(row).map(logit -> logit - most - Math.log(sum)).toArray());
            }
        }
        return rows;
    }

    @Test
    void aBiasDecidesWhatIsWritten() {
        var tokenizer = server.loaded().target().tokenizer();
        int letter = tokenizer.encode("q", false)[0];

        var forced =
                server.answer(
                        "/v1/completions",
                        """
                        {"prompt": "%s", "max_tokens": 6, "temperature": 0, "logit_bias": {"%d": 100}}\
                        """
                                .formatted(PROMPT, letter));

        assertThat(text(forced, 0)).isEqualTo("qqqqqq");
        var punished =
                server.answer(
                        "/v1/completions",
                        """
                        {"prompt": "%s", "max_tokens": 6, "temperature": 0, "presence_penalty": 2, "frequency_penalty": 2,
                         "logit_bias": {"%d": 7}}\
                        """
                                .formatted(PROMPT, letter));
        assertThat(text(punished, 0).chars().filter(each -> each == 'q').count()).isLessThan(4);
    }

    @Test
    void speculationCanBeTurnedOffInARequest() {
        var plain =
                server.answer(
                        "/v1/completions",
                        "{\"prompt\": \"%s\", \"max_tokens\": 20, \"speculative\": false}"
                                .formatted(PROMPT));
        var drafted =
                server.answer(
                        "/v1/completions",
                        "{\"prompt\": \"%s\", \"max_tokens\": 20}".formatted(PROMPT));

        assertThat(text(plain, 0)).isEqualTo(text(drafted, 0));
        assertThat(details(plain)).isEqualTo("0 0");
        assertThat(details(drafted)).isNotEqualTo("0 0");
    }

    @Test
    void anAnswerThatWasPredictedIsDraftedFromThePrediction() {
        var body =
                "\"messages\": [{\"role\": \"user\", \"content\": \"Tell\"}], \"max_tokens\": 24, \"temperature\": 0";
        var plain =
                server.answer(
                        "/v1/chat/completions", "{%s, \"speculative\": false}".formatted(body));
        var said = plain.at("/choices/0/message/content").textValue();

        var predicted =
                server.answer(
                        "/v1/chat/completions",
                        "{%s, \"prediction\": {\"type\": \"content\", \"content\": %s}}"
                                .formatted(body, plain.at("/choices/0/message/content")));

        assertThat(predicted.at("/choices/0/message/content").textValue()).isEqualTo(said);
        assertThat(
                        predicted
                                .at("/usage/completion_tokens_details/accepted_prediction_tokens")
                                .intValue())
                .isGreaterThan(10);

        var ignored =
                server.post(
                        "/v1/chat/completions",
                        "{\"model\": \"tiny:plain\", %s, \"prediction\": {\"type\": \"content\", \"content\": %s}}"
                                .formatted(body, plain.at("/choices/0/message/content")));
        assertThat(details(TestServer.json(ignored.body()))).isEqualTo("0 0");
        assertThat(ignored.headers().firstValue("X-Outrider-Ignored")).hasValue("prediction");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "prompt | {}",
                "prompt | {\"prompt\": null}",
                "prompt | {\"prompt\": []}",
                "prompt | {\"prompt\": 5}",
                "prompt | {\"prompt\": [1, \"a\"]}",
                "prompt | {\"prompt\": [[1], \"a\", {}]}",
                "prompt | {\"prompt\": [1e9]}",
                "prompt | {\"prompt\": [-1]}",
                "prompt | {\"prompt\": [1.5]}",
                "prompt | {\"prompt\": \"\\ud83d\"}",
                "temperature | {\"prompt\": \"a\", \"temperature\": -1}",
                "temperature | {\"prompt\": \"a\", \"temperature\": 1e999}",
                "temperature | {\"prompt\": \"a\", \"temperature\": \"1\"}",
                "top_p | {\"prompt\": \"a\", \"top_p\": 0}",
                "top_p | {\"prompt\": \"a\", \"top_p\": 1.01}",
                "top_k | {\"prompt\": \"a\", \"top_k\": 1e12}",
                "min_p | {\"prompt\": \"a\", \"min_p\": 2}",
                "repetition_penalty | {\"prompt\": \"a\", \"repetition_penalty\": 0}",
                "seed | {\"prompt\": \"a\", \"seed\": 9223372036854775808}",
                "n | {\"prompt\": \"a\", \"n\": 13}",
                "n | {\"prompt\": \"a\", \"n\": 0}",
                "prompt | {\"prompt\": [\"a\", \"b\"], \"n\": 7}",
                "best_of | {\"prompt\": \"a\", \"best_of\": 2}",
                "max_tokens | {\"prompt\": \"a\", \"max_tokens\": 0}",
                "max_tokens | {\"prompt\": \"a\", \"max_tokens\": true}",
                "max_completion_tokens | {\"prompt\": \"a\", \"max_completion_tokens\": -3}",
                "logprobs | {\"prompt\": \"a\", \"logprobs\": 21}",
                "logprobs | {\"prompt\": \"a\", \"logprobs\": true}",
                "stop | {\"prompt\": \"a\", \"stop\": [\"\"]}",
                "stop | {\"prompt\": \"a\", \"stop\": {\"a\": 1}}",
                "stop | {\"prompt\": \"a\", \"stop\": [1]}",
                "logit_bias | {\"prompt\": \"a\", \"logit_bias\": {\"512\": 1}}",
                "logit_bias | {\"prompt\": \"a\", \"logit_bias\": {\"x\": 1}}",
                "logit_bias | {\"prompt\": \"a\", \"logit_bias\": {\"1\": 101}}",
                "logit_bias | {\"prompt\": \"a\", \"logit_bias\": []}",
                "presence_penalty | {\"prompt\": \"a\", \"presence_penalty\": 3}",
                "stream_options | {\"prompt\": \"a\", \"stream_options\": {}}",
                "stream | {\"prompt\": \"a\", \"stream\": \"yes\"}",
                "suffix | {\"prompt\": \"a\", \"suffix\": \"b\"}",
                "response_format | {\"prompt\": \"a\", \"response_format\": {\"type\": \"json_object\"}}",
                "min_tokens | {\"prompt\": \"a\", \"min_tokens\": 2}",
                "prediction | {\"prompt\": \"a\", \"prediction\": {}}",
                "rule | {\"prompt\": \"a\", \"rule\": \"coin\"}",
            })
    void whatIsWrongIsNamed(String field, String body) {
        var response = server.post("/v1/completions", body);

        assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
        var error = TestServer.json(response.body()).path("error");
        assertThat(error.path("param").textValue()).as(response.body()).isEqualTo(field);
        assertThat(error.path("type").textValue()).isEqualTo("invalid_request_error");
        assertThat(error.path("message").textValue()).isNotBlank();
    }

    @Test
    void fieldsThatAreNotKnownAreIgnoredAndNamed() {
        var response =
                server.post(
                        "/v1/completions",
                        "{\"prompt\": \"a\", \"max_tokens\": 2, \"user\": \"me\", \"hä\\r\\nX-Evil: 1\": 3, \"suffix\": null}");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("X-Outrider-Ignored"))
                .hasValue("user, h???X-Evil??1");
        assertThat(response.headers().firstValue("X-Evil")).isEmpty();
    }

    @Test
    void aPromptThatDoesNotFitIsRefusedWithNumbers() {
        var response =
                server.post(
                        "/v1/completions",
                        "{\"prompt\": \"%s\", \"max_tokens\": 4}".formatted("wood ".repeat(600)));

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("CONTEXT_EXCEEDED").contains("512");
    }

    @Test
    void lackOfMemoryIsAnErrorOfTheRequestOnlyIfItNeverFits() throws InterruptedException {
        var engine = server.served().engine();
        var request = read("{\"prompt\": \"a\", \"max_tokens\": 4}");
        try (var small =
                ServingEngine.start(
                        engine.target(),
                        engine.variants(),
                        new ServingLimits(1, 1, 10, 1, true),
                        System::nanoTime)) {
            assertThatThrownBy(() -> RunningTexts.start(small, request, false))
                    .isInstanceOfSatisfying(
                            ApiException.class, e -> assertThat(e.status()).isEqualTo(400))
                    .hasMessageContaining("OUT_OF_MEMORY");
        }
        LogitsProcessor full =
                (_, _) -> {
                    throw new OutriderException(
                            ErrorCode.OUT_OF_MEMORY, "there is none", "Wait for the test.");
                };
        var text = request.texts().getFirst().request();
        var failing =
                new ServingRequest(
                        text.variant(),
                        text.prompt(),
                        new Sampling(
                                text.sampling().policy(), List.of(new Named("full", full)), 1, 0),
                        text.ending(),
                        text.scores(),
                        text.draftLength(),
                        text.deadline(),
                        text.client());
        var broken =
                new TextRequest(
                        "tiny",
                        List.of(new TextRequest.Text("a", failing)),
                        1,
                        false,
                        false,
                        false,
                        false,
                        Optional.empty(),
                        List.of());
        try (var texts = RunningTexts.start(engine, broken, false)) {
            var event = texts.next();
            while (!texts.done()) {
                event = texts.next();
            }
            var last = event;
            assertThatThrownBy(() -> answers(engine, broken).take(last))
                    .isInstanceOfSatisfying(
                            ApiException.class,
                            e -> {
                                assertThat(e.status()).isEqualTo(503);
                                assertThat(e.retrySeconds()).isPositive();
                            });
        }
    }

    private static Answers answers(ServingEngine engine, TextRequest request) {
        return new Answers(engine, request, new Answers.Head("", 0, ""));
    }

    @Test
    void anotherModelIsNotFound() {
        var response = server.post("/v1/completions", "{\"model\": \"gpt-9\", \"prompt\": \"a\"}");

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.body()).contains("model_not_found").contains("tiny:lookup");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tiny", "tiny:lookup", "tiny%3Alookup"})
    void aModelIsServedByItsName(String name) {
        var model = TestServer.json(server.get("/v1/models/" + name).body());

        assertThat(model.path("id").textValue()).isEqualTo(name.replace("%3A", ":"));
        var list = TestServer.json(server.get("/v1/models").body()).path("data");
        assertThat(StreamSupport.stream(list.spliterator(), false)).contains(model);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gpt-9", "lookup", "some/model", "tiny:"})
    void aModelThatIsNotServedIsNotFound(String name) {
        var response = server.get("/v1/models/" + name);

        assertThat(response.statusCode()).isEqualTo(404);
        var error = TestServer.json(response.body()).path("error");
        assertThat(error.path("code").textValue()).isEqualTo("model_not_found");
        assertThat(error.path("param").textValue()).isEqualTo("model");
        assertThat(error.path("type").textValue()).isEqualTo("invalid_request_error");
        assertThat(error.path("message").textValue()).contains("'%s'".formatted(name));
    }

    /// vLLM's benchmark takes the first object that has choices for the first token.
    @Test
    void aConversationsFirstObjectComesWithItsFirstToken() throws Exception {
        server.slowTo(Duration.ofMillis(100));
        try {
            var request =
                    HttpRequest.newBuilder(URI.create(server.url() + "/v1/chat/completions"))
                            .header("Content-Type", "application/json")
                            .POST(
                                    BodyPublishers.ofString(
                                            """
                                            {"model": "tiny:plain", "messages": [{"role": "user", "content": [{"type": "text", "text": "Hello"}]}],
                                             "max_completion_tokens": 3, "stream": true, "stream_options": {"include_usage": true}}\
                                            """))
                            .build();
            long before = server.served().engine().counters().emittedTokens();
            try (var client = HttpClient.newHttpClient();
                    var lines = client.send(request, BodyHandlers.ofLines()).body()) {
                var events = lines.iterator();
                var first = TestServer.json(events.next().substring("data: ".length()));
                assertThat(server.served().engine().counters().emittedTokens())
                        .isGreaterThan(before);
                server.slowTo(Duration.ZERO);
                assertThat(first.at("/choices/0/delta/role").textValue()).isEqualTo("assistant");
                var rest = new ArrayList<String>();
                events.forEachRemaining(rest::add);
                assertThat(rest).contains("data: [DONE]");
            }
        } finally {
            server.slowTo(Duration.ZERO);
        }
    }

    /// Returns how many tokens each of three prompts with the same beginning took from the cache.
    private static List<Integer> shared(TestServer of, String common) {
        return Stream.of("A", "B", "C")
                .map(own ->
                        of.answer(
                                "/v1/completions",
                                "{\"prompt\": \"%s%s\", \"max_tokens\": 4}".formatted(common, own)))
                .map(each -> each.at("/usage/prompt_tokens_details/cached_tokens"))
                .map(JsonNode::intValue)
                .toList();
    }

    @Test
    void promptsShareNothingIfTheServerIsToldSo() throws IOException {
        var own = Files.createDirectory(folder.resolve("apart"));
        try (var apart = new TestServer(own, "{sharePrompts: false}", Optional.empty())) {
            assertThat(shared(apart, "The old king of the wood had a red house. ".repeat(6)))
                    .containsExactly(0, 0, 0);
            var counters = apart.served().engine().counters();
            assertThat(counters.lookedTokens()).isZero();
            assertThat(counters.cacheBytes()).isZero();
        }
    }

    @Test
    void usageAndMetricsSayWhatAPromptSharesWithAnEarlierOne() {
        var common = "The old king of the wood had a red house. ".repeat(6);
        long before = count("prefix_cache_hits_total");
        var shared = shared(server, common);

        assertThat(shared.subList(0, 2)).containsOnly(0); // the second reads it for the others
        assertThat(shared.get(2)).isBetween(ids(common).size() - 17, ids(common).size());
        assertThat(count("prefix_cache_hits_total") - before).isEqualTo(shared.get(2).longValue());
        assertThat(count("prefix_cache_queries_total"))
                .isBetween(3L * ids(common).size(), count("prompt_tokens_total"));
    }

    @Test
    void theTokenizerIsServed() {
        var text = "A wood, naïve 😀";
        var tokens =
                server.answer(
                        "/tokenize",
                        "{\"prompt\": \"%s\", \"add_special_tokens\": false}".formatted(text));
        assertThat(tokens.path("tokens").toString())
                .isEqualTo(ids(text).toString().replace(" ", ""));
        assertThat(tokens.path("count").intValue()).isEqualTo(ids(text).size());

        var back =
                server.answer("/detokenize", "{\"tokens\": %s}".formatted(tokens.path("tokens")));
        assertThat(back.path("prompt").textValue()).isEqualTo(text);
        var info = TestServer.json(server.get("/tokenizer_info").body());
        assertThat(info.path("eos_token").textValue())
                .isEqualTo(server.loaded().target().tokenizer().piece(0));
    }

    @Test
    void metricsHaveTheNamesThatDashboardsKnow() {
        server.answer(
                "/v1/completions", "{\"prompt\": \"%s\", \"max_tokens\": 20}".formatted(PROMPT));

        var metrics = server.get("/metrics").body();

        assertThat(metrics)
                .contains("vllm:num_requests_running{model_name=\"tiny\"} 0\n")
                .contains("vllm:num_requests_waiting{model_name=\"tiny\"} 0\n")
                .containsPattern("vllm:generation_tokens_total\\{model_name=\"tiny\"} [1-9]")
                .containsPattern("vllm:prompt_tokens_total\\{model_name=\"tiny\"} [1-9]")
                .containsPattern("vllm:spec_decode_num_drafts_total\\{model_name=\"tiny\"} [1-9]")
                .containsPattern(
                        "vllm:spec_decode_num_draft_tokens_total\\{model_name=\"tiny\"} [1-9]")
                .containsPattern(
                        "vllm:spec_decode_num_accepted_tokens_total\\{model_name=\"tiny\"} [1-9]")
                .containsPattern(
                        "vllm:spec_decode_num_accepted_tokens_per_pos_total\\{model_name=\"tiny\",position=\"0\"} [1-9]")
                .containsPattern(
                        "vllm:request_success_total\\{model_name=\"tiny\",finished_reason=\"length\"} [1-9]")
                .containsPattern(
                        "vllm:time_to_first_token_seconds_bucket\\{model_name=\"tiny\",le=\"\\+Inf\"} [1-9]")
                .contains("vllm:kv_cache_usage_perc")
                .contains("vllm:e2e_request_latency_seconds_sum");
    }

    private static long count(String name) {
        var line = "vllm:%s{model_name=\"tiny\"} ".formatted(name);
        return server.get("/metrics")
                .body()
                .lines()
                .filter(each -> each.startsWith(line))
                .mapToLong(each -> Long.parseLong(each.substring(line.length())))
                .findFirst()
                .orElseThrow();
    }

    private static String text(JsonNode answer, int choice) {
        return answer.at("/choices/%d/text".formatted(choice)).textValue();
    }

    private static String details(JsonNode answer) {
        var details = answer.at("/usage/completion_tokens_details");
        return details.path("accepted_prediction_tokens")
                + " "
                + details.path("rejected_prediction_tokens");
    }

    private static String joined(List<JsonNode> pieces, String path) {
        return String.join("", pieces.stream().map(each -> each.at(path).asText()).toList());
    }

    private static List<JsonNode> items(List<JsonNode> pieces, String path) {
        return pieces.stream()
                .flatMap(each -> StreamSupport.stream(each.at(path).spliterator(), false))
                .toList();
    }

    private static List<Integer> ids(String text) {
        return Arrays.stream(server.loaded().target().tokenizer().encode(text, true))
                .boxed()
                .toList();
    }

    private static int[] array(List<Integer> ids) {
        return ids.stream().mapToInt(Integer::intValue).toArray();
    }
}
