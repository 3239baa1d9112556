package dev.outrider.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.nn.tokenizer.HfTokenizer;
import dev.outrider.serve.answer.Answers;
import dev.outrider.serve.answer.RoundEvents;
import dev.outrider.serve.answer.RunningTexts;
import dev.outrider.serve.request.JsonFields;
import dev.outrider.serve.request.RequestReader;
import dev.outrider.serve.request.ServedTarget;
import dev.outrider.serve.request.TextRequest;
import dev.outrider.serving.ServedVariant;
import dev.outrider.serving.ServingEngine;
import dev.outrider.serving.ServingLimits;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.Tokenizer;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.ForwardingTarget;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A tokenizer whose decoder drops a space at the beginning, like Llama 2's.
class SpacesTest {
    private static final String TOKENIZER =
            """
            {"version": "1.0", "truncation": null, "padding": null,
             "added_tokens": [{"id": 0, "content": "<s>", "single_word": false, "lstrip": false, "rstrip": false,
                               "normalized": false, "special": true}],
             "normalizer": null, "pre_tokenizer": null, "post_processor": null,
             "decoder": {"type": "Sequence", "decoders": [
                 {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"},
                 {"type": "Strip", "content": " ", "start": 1, "stop": 0}]},
             "model": {"type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null,
                       "end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": true, "merges": [],
                       "vocab": {"<s>": 0, "▁Once": 1, "▁upon": 2, "▁a": 3, "▁time": 4, "▁the": 5, "the": 6,
                                 "<0xC3>": 7, "<0xA9>": 8}}}
            """;
    private static final int TIME = 4;
    private static final int E = 8;

    @TempDir private Path folder;
    private HfTokenizer tokenizer;
    private ServedTarget served;

    private record Spaced(TargetModel target, Tokenizer tokenizer) implements ForwardingTarget {}

    @BeforeEach
    void start() throws IOException {
        tokenizer =
                HfTokenizer.load(Files.writeString(folder.resolve("tokenizer.json"), TOKENIZER));
        var table = TableTarget.of(TableModel.random(9, DistributionStyle.DENSE, 1));
        var target = new Spaced(table, tokenizer);
        var plain = ServedVariant.plain(target, ProcessorChain.none(), System::nanoTime);
        var limits = new ServingLimits(1, 1, Long.MAX_VALUE, ServingLimits.PREFILL_ROWS, true);
        served =
                new ServedTarget(
                        ServingEngine.start(target, List.of(plain), limits, System::nanoTime),
                        plain,
                        Map.of(),
                        4,
                        List.of(),
                        Optional.empty(),
                        Map.of(),
                        () -> 1,
                        new ServedTarget.Limits(4, 4));
    }

    @AfterEach
    void stop() {
        served.engine().close();
        tokenizer.close();
    }

    @ParameterizedTest
    @CsvSource({
        "'[1, 2, 3]', 4, 'Once upon a', ' time'",
        "'[0, 1, 2, 3, 0]', 4, 'Once upon a', ' time'",
        "'[0]', 4, '', 'time'",
        "'[1, 6]', 6, 'Oncethe', 'the'",
        "'[1, 7, 8]', 4, 'Onceé', ' time'",
        "'[7, 8, 7, 8, 7, 8, 7, 8, 7, 8, 7, 8, 7, 8, 7, 8, 8]', 4, '�����������������', ' time'"
    })
    void aTextGoesOnAfterThePrompt(String prompt, int token, String before, String text)
            throws InterruptedException {
        var body = body(prompt, token, "");
        assertThat(answer(body).at("/choices/0/text").textValue()).isEqualTo(text);
        assertThat(
                        answer(body("%s, \"echo\": true".formatted(prompt), token, ""))
                                .at("/choices/0/text")
                                .textValue())
                .isEqualTo(before + text);
    }

    /// The prompt ends within a character.
    @Test
    void aCharacterThatThePromptBeganIsWhole() throws InterruptedException {
        assertThat(answer(body("[1, 7]", E, "")).at("/choices/0/text").textValue()).isEqualTo("é");
    }

    @Test
    void aStopStringMayBeginWithTheSpace() throws InterruptedException {
        var choice = answer(body("[1]", TIME, ", \"stop\": \" ti\"")).at("/choices/0");
        assertThat(choice.path("text").textValue()).isEmpty();
        assertThat(choice.path("finish_reason").textValue()).isEqualTo("stop");
    }

    @Test
    void tokensAreNamedByWhatTheyAdd() throws InterruptedException {
        var logprobs =
                answer(body("[1, 2, 3]", TIME, ", \"logprobs\": 9, \"echo\": true"))
                        .at("/choices/0/logprobs");
        assertThat(logprobs.path("tokens").toString())
                .isEqualTo("[\"Once\",\" upon\",\" a\",\" time\"]");
        assertThat(logprobs.path("text_offset").toString()).isEqualTo("[0,4,9,11]");
        for (int at = 1; at < 4; at++) {
            assertThat(logprobs.path("top_logprobs").get(at).properties())
                    .extracting(Map.Entry::getKey)
                    .contains("<s>", " time", " the", "the");
        }
        var alone = answer(body("[1, 2, 3]", TIME, ", \"logprobs\": 1")).at("/choices/0/logprobs");
        assertThat(alone.path("tokens").toString()).isEqualTo("[\" time\"]");
        assertThat(alone.path("text_offset").toString()).isEqualTo("[0]");
    }

    @Test
    void roundsHaveTheSameText() throws InterruptedException {
        var request = read(body("[1, 2, 3]", TIME, ""));
        var prompt = request.texts().getFirst().request().prompt();
        var rounds = new RoundEvents(tokenizer, prompt, System::nanoTime);
        var _ = rounds.begin(request);
        try (var texts = RunningTexts.start(served.engine(), request, true)) {
            var shown = Optional.<JsonNode>empty();
            while (shown.isEmpty()) {
                shown = rounds.take(texts.next()).map(each -> each);
            }
            assertThat(shown.get().at("/tokens/0/text").textValue()).isEqualTo(" time");
            assertThat(shown.get().at("/tree/0/text").textValue()).isEqualTo(" a");
        }
    }

    private static String body(String prompt, int token, String more) {
        return "{\"prompt\": %s, \"max_tokens\": 1, \"logit_bias\": {\"%d\": 100}%s}"
                .formatted(prompt, token, more);
    }

    private TextRequest read(String body) {
        return new RequestReader(served, Optional.empty())
                .completion(JsonFields.parse(body.getBytes(StandardCharsets.UTF_8)), "");
    }

    private JsonNode answer(String body) throws InterruptedException {
        var request = read(body);
        var answers = new Answers(served.engine(), request, new Answers.Head("", 0, ""));
        try (var texts = RunningTexts.start(served.engine(), request, false)) {
            while (!texts.done()) {
                var _ = answers.take(texts.next());
            }
        }
        return answers.whole();
    }
}
