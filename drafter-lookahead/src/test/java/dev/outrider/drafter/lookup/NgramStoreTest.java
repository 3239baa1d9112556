package dev.outrider.drafter.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafter.lookup.RankedDrafting.RankTree;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NgramStoreTest {
    private static final int VOCABULARY = 10;
    private static final int WIDTH = 3;

    @Test
    void shorterContextsAddWhatLongerOnesDoNotKnow() {
        var store = store(4, 2, 0, 100);
        saw(store, 1, 2, 3, 4);
        saw(store, 9, 2, 3, 5);
        saw(store, 9, 9, 3, 6);
        saw(store, 9, 9, 3, 4);

        assertThat(store.successors(context(1, 2, 3)))
                .describedAs("of 1 2 3, then of 2 3, then of 3; each once")
                .containsExactly(4, 5, 6);
        assertThat(store.successors(context(7, 2, 3))).containsExactly(5, 4, 6);
        assertThat(store.successors(context(7, 7, 3))).containsExactly(4, 6, 5);
        assertThat(store.successors(context(3)))
                .describedAs("where the text begins")
                .containsExactly(4, 6, 5);
        assertThat(store.successors(context(1, 2, 7))).isEmpty();
    }

    @Test
    void oneLevelKnowsItsOwnContextsOnly() {
        var store = store(3, 3, 0, 100);
        saw(store, 1, 2, 4);

        assertThat(store.successors(context(1, 2))).containsExactly(4);
        assertThat(store.successors(context(7, 2))).isEmpty();
        assertThat(store.successors(context(2))).isEmpty();
    }

    @Test
    void oneLevelSpendsItsCapacityOnItsOwnContexts() {
        var store = store(3, 3, 0, 16);
        for (int token = 0; token < 16; token++) {
            saw(store, token, token, 1);
        }

        assertThat(store.successors(context(0, 0))).containsExactly(1);
    }

    @Test
    void theTargetsBestTokensComeFirstAndOlderOnesMoveDown() {
        var store = store(2, 2, 2, 100);
        saw(store, 1, 4);
        store.scored(context(1), ScriptedScores.of(VOCABULARY, new int[] {6, 7, 8}), 0);
        assertThat(store.successors(context(1))).containsExactly(6, 7, 4);

        store.wrote(context(1), 7);
        assertThat(store.successors(context(1))).containsExactly(7, 6, 4);
    }

    @Test
    void noMoreTokensAreLearntThanTheTreeHasRanks() {
        var config = config(2, 2, 8, 100);
        var store = new NgramStore(config, 1, VOCABULARY);
        store.scored(context(1), ScriptedScores.of(VOCABULARY, new int[] {6, 7}), 0);

        assertThat(store.successors(context(1))).containsExactly(6);
    }

    @Test
    void withoutATopKScoresAreNotRead() {
        var store = store(3, 2, 0, 100);
        store.scored(context(1, 2), new ScriptedScores(List.of()), 0);

        assertThat(store.successors(context(1, 2))).isEmpty();
        assertThat(config(3, 2, 0, 100).traits().readsRejectedNodes()).isFalse();
        assertThat(config(3, 2, 1, 100).traits().readsRejectedNodes()).isTrue();
    }

    @Test
    void theContextThatWasLongestNotLearntFromIsForgottenAndLookingUpDoesNotCount() {
        var store = store(2, 2, 0, 16);
        for (int token = 0; token < 16; token++) {
            saw(store, token, 1);
        }
        saw(store, 0, 2);
        store.successors(context(1));
        saw(store, 16, 1);

        assertThat(store.successors(context(0))).containsExactly(2, 1);
        assertThat(store.successors(context(1))).isEmpty();
        assertThat(store.successors(context(2))).containsExactly(1);
        saw(store, 1, 5);
        assertThat(store.successors(context(1)))
                .describedAs("a number that is used again has forgotten")
                .containsExactly(5);
    }

    @Test
    void contextsAreBoundedWhateverTheTextIs() {
        for (int capacity : new int[] {16, 1000}) {
            var store = store(5, 2, 0, capacity);
            learn(store, Noise.tokens(5000, 20_000));

            assertThat(store.size()).isEqualTo(capacity);
        }
    }

    /// With the longest contexts and the most successors.
    @Test
    void aContextTakesUpTo200Bytes() {
        int capacity = 190_000;
        var config = config(16, 16, RankTree.MAX_RANKS, capacity);
        var scores = ScriptedScores.of(VOCABULARY, new int[] {0, 1, 2, 3, 4, 5, 6, 7});
        long before = usedBytes();
        var store = new NgramStore(config, RankTree.MAX_RANKS, VOCABULARY);
        for (int number = 0; number < capacity; number++) {
            var context = new int[15];
            Arrays.fill(context, number);
            store.scored(context, scores, 0);
        }
        long bytes = usedBytes() - before;

        assertThat(store.successors(context(new int[15]))).hasSize(RankTree.MAX_RANKS);
        assertThat(store.size()).isEqualTo(capacity);
        assertThat(bytes / capacity).isBetween(100L, 200L);
    }

    @Test
    void successorsAreAddedOnceAndTheLastOnesMakeRoom() {
        var store = store(2, 2, 3, 16);
        saw(store, 1, 4);
        saw(store, 1, 5);
        saw(store, 1, 6);
        store.scored(context(1), ScriptedScores.of(VOCABULARY, new int[] {7, 5, 8}), 0);
        assertThat(store.successors(context(1))).containsExactly(7, 5, 8);
        saw(store, 1, 8);
        assertThat(store.successors(context(1))).containsExactly(8, 7, 5);
    }

    @Test
    void theSameTextGivesTheSameStoreAndACopyGoesItsOwnWay() {
        int[] text = Noise.tokens(6, 300);
        var one = store(4, 2, 0, 64);
        var other = store(4, 2, 0, 64);
        learn(one, text);
        learn(other, text);
        var copy = one.copy();
        learn(one, Noise.tokens(6, 301));

        assertThat(everything(copy)).isEqualTo(everything(other)).isNotEqualTo(everything(one));
    }

    @Test
    void settingsThatCannotWorkAreRefused() {
        assertThatThrownBy(() -> config(1, 1, 0, 100))
                .hasMessage("maxOrder 1 must be between 2 and 16");
        assertThatThrownBy(() -> config(17, 2, 0, 100))
                .hasMessage("maxOrder 17 must be between 2 and 16");
        assertThatThrownBy(() -> config(3, 4, 0, 100))
                .hasMessage("minOrder 4 must be between 2 and 3");
        assertThatThrownBy(() -> config(3, 2, -1, 100))
                .hasMessage("topK -1 must be between 0 and 8");
        assertThatThrownBy(() -> config(3, 2, 9, 100)).hasMessage("topK 9 must be between 0 and 8");
        assertThatThrownBy(() -> config(3, 2, 8, 15))
                .hasMessage("capacity 15 must be between 16 and 4194304");
        assertThatThrownBy(() -> config(3, 2, 8, (1 << 22) + 1))
                .hasMessage("capacity 4194305 must be between 16 and 4194304");
    }

    private static AdaptiveNgramConfig config(int maxOrder, int minOrder, int topK, int capacity) {
        var drafting = new RankedDrafting(8, 3, Optional.empty(), true, false);
        return new AdaptiveNgramConfig(maxOrder, minOrder, topK, capacity, drafting);
    }

    private static NgramStore store(int maxOrder, int minOrder, int topK, int capacity) {
        return new NgramStore(config(maxOrder, minOrder, topK, capacity), WIDTH, VOCABULARY);
    }

    /// Memory that is still in use after a collection.
    private static long usedBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static int[] context(int... tokens) {
        return tokens;
    }

    /// Records that the last token came after the others.
    private static void saw(NgramStore store, int... tokens) {
        store.saw(Arrays.copyOf(tokens, tokens.length - 1), tokens[tokens.length - 1]);
    }

    private static void learn(NgramStore store, int... text) {
        for (int end = 1; end < text.length; end++) {
            int start = Math.max(0, end - store.contextLength());
            store.saw(Arrays.copyOfRange(text, start, end), text[end]);
        }
    }

    private static List<List<Integer>> everything(NgramStore store) {
        return IntStream.range(0, 6 * 6 * 6)
                .mapToObj(number -> new int[] {number / 36, number / 6 % 6, number % 6})
                .map(context -> Arrays.stream(store.successors(context)).boxed().toList())
                .toList();
    }
}
