package dev.outrider.nn.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// A checkpoint that others trained continues a prompt as their independent implementation did.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class Stories260kTest {
    private Path checkpoint = Path.of("");

    @BeforeAll
    void find() {
        var root = Path.of(System.getProperty("outrider.root", ""));
        var found =
                Stream.concat(
                                Optional.ofNullable(System.getenv("OUTRIDER_SHARED"))
                                        .map(Path::of)
                                        .stream(),
                                Stream.of(root.resolve("../shared"), root.resolve("../../shared")))
                        .map(shared -> shared.resolve("checkpoints/stories260K"))
                        .filter(Files::isDirectory)
                        .findFirst();
        Assumptions.assumeTrue(found.isPresent(), "no stories260K beside the checkout");
        checkpoint = found.orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"F32, 1e-4", "BF16, 0.05"})
    void continuesThePromptAsTheReferenceDid(Precision precision, double tolerance)
            throws IOException {
        var reference = new ObjectMapper().readTree(checkpoint.resolve("reference.json").toFile());
        int[] prompt = ints(reference.get("prompt_ids"));
        int[] expected = ints(reference.get("greedy_ids_after_prompt"));
        try (var target = open(precision);
                var session = target.open(SessionRequest.ofCapacity(200))) {
            assertThat(target.tokenizer().encode(reference.get("prompt").asText(), true))
                    .isEqualTo(prompt);
            session.prefill(Arrays.copyOf(prompt, prompt.length - 1)).close();
            int root = prompt[prompt.length - 1];
            try (var scores = session.score(TokenTree.rootOnly(root))) {
                for (var pair : reference.get("next_logits_top5")) {
                    assertThat(
                                    scores.logits(0)
                                            .getAtIndex(
                                                    ValueLayout.JAVA_FLOAT, pair.get(0).asInt()))
                            .isCloseTo((float) pair.get(1).asDouble(), within((float) tolerance));
                }
            }
            assertThat(greedy(session, root, expected.length)).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "BF16"})
    void acceptsItsOwnGreedyContinuationAsAChain(Precision precision) throws IOException {
        var reference = new ObjectMapper().readTree(checkpoint.resolve("reference.json").toFile());
        int[] prompt = ints(reference.get("prompt_ids"));
        int[] expected = ints(reference.get("greedy_ids_after_prompt"));
        int drafted = 12;
        try (var target = open(precision);
                var session = target.open(SessionRequest.ofCapacity(200))) {
            session.prefill(Arrays.copyOf(prompt, prompt.length - 1)).close();
            var chain =
                    TokenTree.chain(prompt[prompt.length - 1], Arrays.copyOf(expected, drafted));
            try (var scores = session.score(chain)) {
                for (int node = 0; node <= drafted; node++) {
                    assertThat(scores.argmax(node)).isEqualTo(expected[node]);
                }
            }
            session.commit(
                    new Verdict(
                            IntStream.rangeClosed(1, drafted).boxed().toList(),
                            expected[drafted],
                            Verdict.Origin.BONUS));
            assertThat(greedy(session, expected[drafted], 10))
                    .isEqualTo(Arrays.copyOfRange(expected, drafted + 1, drafted + 11));
        }
    }

    private TargetModel open(Precision precision) {
        var target =
                new VectorTargetFactory()
                        .open(
                                new VectorTargetConfig(
                                        checkpoint,
                                        Optional.of(precision),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty()));
        assertThat(target.description().name()).isEqualTo("stories260K");
        assertThat(target.description().endOfSequence()).containsExactly(2);
        return target;
    }

    private static int[] greedy(TargetSession session, int root, int count) {
        var tokens = new int[count];
        for (int index = 0; index < count; index++) {
            try (var scores =
                    session.score(TokenTree.rootOnly(index == 0 ? root : tokens[index - 1]))) {
                tokens[index] = scores.argmax(0);
            }
            session.commit(new Verdict(List.of(), tokens[index], Verdict.Origin.BONUS));
        }
        return tokens;
    }

    private static int[] ints(JsonNode array) {
        return StreamSupport.stream(Objects.requireNonNull(array).spliterator(), false)
                .mapToInt(JsonNode::asInt)
                .toArray();
    }
}
