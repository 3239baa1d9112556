package dev.outrider.nn.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NetworkTargetTest {
    private static final DecoderConfig CONFIG =
            DecoderConfig.builder()
                    .vocabularySize(50)
                    .hiddenSize(32)
                    .intermediateSize(48)
                    .layers(2)
                    .heads(4)
                    .keyValueHeads(2)
                    .maxPositions(400)
                    .queryKeyValueBias(true)
                    .queryKeyNorm(true)
                    .build();
    private static final HiddenState NORMED = new HiddenState.AfterFinalNorm();
    private static final HiddenState MIDDLE = new HiddenState.AfterLayer(1);
    private static final long ROW_BYTES = 2L * 2 * 2 * 8 * 4;

    private final TargetModel target = target(1L << 30);

    private static TargetModel target(long available) {
        return new NetworkTarget(
                new TargetDescription("tiny", "vector/f32", 50, 32, 2, 400, 0, Set.of(), "00"),
                new NumberTokenizer(50),
                new VectorNetwork(CONFIG, new RandomWeights(CONFIG, 3, 1), Precision.F32),
                ROW_BYTES,
                () -> available);
    }

    @AfterEach
    void close() {
        target.close();
    }

    @Test
    void commitKeepsThePathAndContinues() {
        var tree = TokenTree.builder(7);
        int left = tree.add(0, 1);
        int right = tree.add(0, 2);
        tree.add(left, 3);
        int leaf = tree.add(right, 4);
        try (var session = open();
                var fresh = open()) {
            session.prefill(new int[] {5, 6}).close();
            try (var scores = session.score(tree.build())) {
                assertThat(scores.size()).isEqualTo(5);
            }
            session.commit(new Verdict(List.of(right, leaf), 9, Verdict.Origin.BONUS));
            assertThat(session.length()).isEqualTo(5);

            fresh.prefill(new int[] {5, 6, 7, 2, 4}).close();
            try (var continued = session.score(TokenTree.rootOnly(9));
                    var expected = fresh.score(TokenTree.rootOnly(9))) {
                assertThat(row(continued, 0)).containsExactly(row(expected, 0), within(1e-4f));
                assertThat(continued.argmax(0)).isEqualTo(expected.argmax(0));
            }
        }
    }

    @Test
    void scoringAgainDropsTheUndecidedTree() {
        try (var session = open()) {
            session.prefill(new int[] {5, 6}).close();
            session.score(TokenTree.chain(1, 2, 3)).close();
            float[] again;
            try (var scores = session.score(TokenTree.chain(8, 9))) {
                again = row(scores, 1);
            }
            try (var fresh = open()) {
                fresh.prefill(new int[] {5, 6}).close();
                try (var expected = fresh.score(TokenTree.chain(8, 9))) {
                    assertThat(again).containsExactly(row(expected, 1), within(1e-4f));
                }
            }
        }
    }

    @Test
    void hiddenStatesOfALongPromptEqualThoseOfItsTokensAsATree() {
        int length = NetworkTarget.PREFILL_ROWS + 40;
        int[] prompt = IntStream.range(0, length).map(index -> index * 7 % 50).toArray();
        var request = new SessionRequest(300, Set.of(NORMED, MIDDLE));
        try (var session = target.open(request);
                var other = target.open(request);
                var states = session.prefill(prompt);
                var scores =
                        other.score(
                                TokenTree.chain(
                                        prompt[0], IntStream.of(prompt).skip(1).toArray()))) {
            assertThat(states.size()).isEqualTo(length);
            for (int index : new int[] {0, NetworkTarget.PREFILL_ROWS, length - 1}) {
                for (var which : List.of(NORMED, MIDDLE)) {
                    assertThat(states.hidden(which, index).toArray(ValueLayout.JAVA_FLOAT))
                            .containsExactly(
                                    scores.hidden(which, index).toArray(ValueLayout.JAVA_FLOAT),
                                    within(1e-3f));
                }
            }
        }
    }

    @Test
    void onePassScoresSeveralSessionsLikeEachAlone() {
        try (var first = open();
                var second = target.open(new SessionRequest(20, Set.of(NORMED)))) {
            first.prefill(new int[] {1, 2, 3}).close();
            second.prefill(new int[] {4}).close();
            var chain = TokenTree.chain(5, 6);
            var root = TokenTree.rootOnly(8);
            float[] alone;
            try (var scores = second.score(root)) {
                alone = row(scores, 0);
            }
            var scores =
                    target.scoreAll(
                            List.of(
                                    new TargetModel.ScoreRequest(first, chain),
                                    new TargetModel.ScoreRequest(second, root)));
            scores.getFirst().close();
            assertThat(row(scores.get(1), 0)).containsExactly(alone, within(1e-4f));
            assertThat(scores.get(1).hidden(NORMED, 0).byteSize()).isEqualTo(32 * 4);
            scores.get(1).close();
            first.commit(new Verdict(List.of(1), 2, Verdict.Origin.BONUS));
            second.commit(new Verdict(List.of(), 2, Verdict.Origin.BONUS));
            assertThat(first.length()).isEqualTo(5);
            assertThat(second.length()).isEqualTo(2);
        }
    }

    @Test
    void offersItsNetworkToDrafters() {
        assertThat(target.capability(VectorNetwork.class)).isPresent();
        assertThat(target.capability(DecoderNetwork.class)).isPresent();
        assertThat(target.capability(String.class)).isEmpty();
    }

    @Test
    void refusesMoreThanItsPositions() {
        assertThatThrownBy(() -> target.open(SessionRequest.ofCapacity(401)))
                .isInstanceOfSatisfying(
                        OutriderException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CONTEXT_EXCEEDED))
                .hasMessage(
                        "CONTEXT_EXCEEDED: a sequence of 401 tokens was asked for, but target 'tiny' has 400 positions.\n  Shorten the prompt, lower the number of new tokens or the draft size, or choose a target with a longer context.");
    }

    @Test
    void aSessionInTheHandsOfTwoThreadsSaysSo() {
        try (var session = (NetworkSession) target.open(SessionRequest.ofCapacity(8))) {
            session.enter();
            var other =
                    CompletableFuture.supplyAsync(() -> {
                        try (var scores = session.score(TokenTree.chain(1, 2))) {
                            return "%d rows".formatted(scores.size());
                        } catch (OutriderException e) {
                            return e.getMessage();
                        }
                    });
            assertThat(other.join())
                    .startsWith("CONTRACT_BROKEN: thread '")
                    .contains("uses a session of target 'tiny' while thread '")
                    .endsWith(
                            "\n  Open a session for each thread, or let one finish before the other begins.");
            session.leave();
            session.score(TokenTree.chain(1, 2)).close();
        }
    }

    @Test
    void refusesTokensThatDoNotFit() {
        try (var session = target.open(SessionRequest.ofCapacity(4))) {
            session.prefill(new int[] {1, 2}).close();
            assertThatThrownBy(() -> session.score(TokenTree.chain(1, 2, 3)))
                    .hasMessage(
                            "CONTEXT_EXCEEDED: 3 tokens after 2 do not fit into the 4 rows this sequence of target 'tiny' was opened with.\n  Open the sequence with room for the longest text plus the largest draft.");
            try (var scores = session.score(TokenTree.chain(1, 2))) {
                assertThat(scores.size()).isEqualTo(2);
            }
        }
    }

    @Test
    void refusesTokensOutsideItsVocabulary() {
        try (var session = open()) {
            assertThatThrownBy(() -> session.prefill(new int[] {1, 50}))
                    .hasMessage(
                            "TOKEN_OUT_OF_RANGE: token 50 at index 1 is not between 0 and 49, the vocabulary of target 'tiny'.\n  Encode the text with the tokenizer of the target's own checkpoint.");
        }
    }

    @Test
    void refusesACacheThatDoesNotFitIntoMemory() {
        try (var small = target(100_000)) {
            assertThatThrownBy(() -> small.open(SessionRequest.ofCapacity(399)))
                    .isInstanceOf(OutriderException.class)
                    .hasMessage(
                            "OUT_OF_MEMORY: the cache of a sequence of 399 tokens of target 'tiny' takes 1 MiB, but 1 MiB are available.\n  Open shorter or fewer sequences, or free memory.");
        }
    }

    @Test
    void commitWantsAScoredTreeAndAPathOfIt() {
        try (var session = open()) {
            assertThatThrownBy(
                            () -> session.commit(new Verdict(List.of(), 1, Verdict.Origin.BONUS)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("no tree was scored since the last commit");
            session.score(TokenTree.chain(1, 2, 3)).close();
            assertThatThrownBy(
                            () -> session.commit(new Verdict(List.of(2), 1, Verdict.Origin.BONUS)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("accepted nodes [2] are not a path from the root");
        }
    }

    private TargetSession open() {
        return target.open(SessionRequest.ofCapacity(20));
    }

    private static float[] row(TargetScores scores, int node) {
        return scores.logits(node).toArray(ValueLayout.JAVA_FLOAT);
    }

    private static Offset<Float> within(float tolerance) {
        return Offset.offset(tolerance);
    }
}
