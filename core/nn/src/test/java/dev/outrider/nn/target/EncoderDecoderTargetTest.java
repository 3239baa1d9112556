package dev.outrider.nn.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.nn.network.Precision;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Checkpoints of encoder-decoders as targets.
class EncoderDecoderTargetTest {
    private static final int PIECES = 37;
    private static final List<Integer> SOURCE = List.of(5, 6, 7, 8, 1);

    @TempDir Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"t5-1.0", "t5-1.1", "bart", "marian"})
    void precisionsDecodeNearlyTheSame(String family) throws IOException {
        copy(family);
        try (var whole = vector(Precision.F32);
                var rounded = vector(Precision.BF16)) {
            assertThat(whole.description().sources()).isPresent();
            assertThat(rounds(rounded)).containsExactly(rounds(whole), within(0.2f));
        }
    }

    @Test
    void sourcesAreChecked() throws IOException {
        copy("bart");
        try (var target = vector(Precision.F32)) {
            assertCode(() -> open(target, List.of()), ErrorCode.SOURCE_MISSING);
            assertCode(() -> open(target, List.of(PIECES)), ErrorCode.TOKEN_OUT_OF_RANGE);
            int tooLong = target.description().sources().orElseThrow().maxPositions() + 1;
            assertCode(
                    () -> open(target, IntStream.range(0, tooLong).mapToObj(_ -> 5).toList()),
                    ErrorCode.CONTEXT_EXCEEDED);
        }
    }

    /// Logits of a prompt's last token, of a tree, and of what follows its best path.
    private static float[] rounds(TargetModel target) {
        var rows = new ArrayList<Float>();
        try (var session = target.open(new SessionRequest(30, Set.of(), SOURCE))) {
            session.prefill(new int[] {0, 9}).close();
            var tree = TokenTree.builder(11);
            int left = tree.add(0, 12);
            int right = tree.add(0, 13);
            tree.add(left, 14);
            int leaf = tree.add(right, 15);
            try (var scores = session.score(tree.build())) {
                add(scores, rows);
            }
            session.commit(new Verdict(List.of(right, leaf), 16, Verdict.Origin.BONUS));
            try (var scores = session.score(TokenTree.rootOnly(16))) {
                add(scores, rows);
            }
        }
        var numbers = new float[rows.size()];
        IntStream.range(0, numbers.length).forEach(at -> numbers[at] = rows.get(at));
        return numbers;
    }

    private static void add(TargetScores scores, List<Float> to) {
        for (int row = 0; row < scores.size(); row++) {
            for (float logit : scores.logits(row).toArray(ValueLayout.JAVA_FLOAT)) {
                to.add(logit);
            }
        }
    }

    private static void open(TargetModel target, List<Integer> source) {
        target.open(new SessionRequest(8, Set.of(), source)).close();
    }

    private static void assertCode(Runnable action, ErrorCode code) {
        assertThatThrownBy(action::run)
                .isInstanceOfSatisfying(
                        OutriderException.class,
                        refused -> assertThat(refused.code()).isEqualTo(code));
    }

    private TargetModel vector(Precision precision) {
        return new VectorTargetFactory()
                .open(
                        new VectorTargetConfig(
                                directory,
                                Optional.of(precision),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()));
    }

    /// The checkpoint of a family, with a tokenizer of as many pieces.
    private void copy(String family) throws IOException {
        try {
            var resource =
                    Objects.requireNonNull(
                            getClass().getResource("/encoder-decoder/" + family), family);
            for (var name : List.of("config.json", "model.safetensors")) {
                Files.copy(Path.of(resource.toURI()).resolve(name), directory.resolve(name));
            }
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
        var added =
                IntStream.of(0, 1, 2)
                        .mapToObj(id ->
                                """
                                {"id":%d,"content":"<%d>","single_word":false,"lstrip":false,"rstrip":false,
                                 "normalized":false,"special":true}\
                                """
                                        .formatted(id, id))
                        .collect(Collectors.joining(","));
        var pieces =
                IntStream.range(0, PIECES)
                        .mapToObj(id ->
                                id < 3
                                        ? "\"<%d>\":%d".formatted(id, id)
                                        : "\"%c\":%d".formatted('a' + id - 3, id))
                        .collect(Collectors.joining(","));
        Files.writeString(
                directory.resolve("tokenizer.json"),
                """
                {"version":"1.0","truncation":null,"padding":null,"added_tokens":[%s],
                 "normalizer":null,"pre_tokenizer":null,"post_processor":null,"decoder":null,
                 "model":{"type":"BPE","dropout":null,"unk_token":"<2>","continuing_subword_prefix":null,
                   "end_of_word_suffix":null,"fuse_unk":false,"byte_fallback":false,"ignore_merges":false,
                   "vocab":{%s},"merges":[]}}
                """
                        .formatted(added, pieces));
    }
}
