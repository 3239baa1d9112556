package dev.outrider.drafter.lookahead;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JacobiDecodingTest {
    private static final int[] PROMPT = {1, 4, 2, 1, 4, 3};

    @Test
    void theOutputIsThatOfPlainDecodingInAtMostAsManyRoundsAsTokens() {
        for (var table : List.of(Toys.circle(), Toys.pairs(), Toys.chaos())) {
            var target = TableTarget.of(table);
            int[] plain = Decoding.plainGreedy(target, PROMPT, 30);
            for (int length = 1; length <= 30; length++) {
                var generation = Decoding.greedy(target, drafter(length), PROMPT, 30);

                assertThat(generation.tokens()).containsExactly(plain);
                assertThat(generation.rounds()).isLessThanOrEqualTo(30);
            }
        }
    }

    @Test
    void theOutputIsThatOfPlainDecodingOnARealNetwork() {
        try (var target = Toys.network()) {
            int[] plain = Decoding.plainGreedy(target, PROMPT, 48);
            for (int length : new int[] {1, 4, 9}) {
                assertThat(Decoding.greedy(target, drafter(length), PROMPT, 48).tokens())
                        .containsExactly(plain);
            }
        }
    }

    @Test
    void theFirstTokensAreFinalAfterAsManyPasses() {
        int tokens = 12;
        for (var table : List.of(Toys.circle(), Toys.pairs(), Toys.chaos())) {
            var target = TableTarget.of(table);
            int[] plain = Decoding.plainGreedy(target, PROMPT, tokens);
            try (var driven = new Driven(target, session(tokens), PROMPT)) {
                var known = new ArrayList<Integer>();
                for (int pass = 1; known.size() < tokens; pass++) {
                    var tree = driven.propose(DraftBudget.chain(tokens)).tree();
                    known.addAll(driven.decide(tree));

                    assertThat(known).hasSizeGreaterThanOrEqualTo(pass);
                    assertThat(known.subList(0, pass))
                            .isEqualTo(Arrays.stream(plain, 0, pass).boxed().toList());
                }
            }
        }
    }

    @Test
    void everyPassIsAJacobiIteration() {
        int length = 5;
        for (var table : List.of(Toys.circle(), Toys.pairs(), Toys.chaos())) {
            var target = TableTarget.of(table);
            var filler = new PromptTokens(new int[0], PROMPT, Set.of(), 1);
            var text = new ArrayList<>(Arrays.stream(PROMPT).boxed().toList());
            var iterate = new ArrayList<>(Arrays.stream(filler.next(length)).boxed().toList());
            try (var driven = new Driven(target, session(length), PROMPT)) {
                for (int pass = 0; pass < 20; pass++) {
                    var tree = driven.propose(DraftBudget.chain(length)).tree();

                    assertThat(guesses(tree.tokens())).isEqualTo(iterate);

                    // One iteration over the positions after the text; then the prefix that agrees
                    // is final.
                    var after = new ArrayList<Integer>();
                    for (int place = 0; place <= length; place++) {
                        var prefix = new ArrayList<>(text);
                        prefix.addAll(iterate.subList(0, place));
                        after.add(argmax(table, prefix));
                    }
                    int agreed = 0;
                    while (agreed < length && iterate.get(agreed).equals(after.get(agreed))) {
                        agreed++;
                    }
                    var emitted = List.copyOf(after.subList(0, agreed + 1));
                    iterate = new ArrayList<>(after.subList(agreed + 1, length + 1));
                    while (iterate.size() < length) {
                        iterate.add(filler.next());
                    }
                    text.addAll(emitted);

                    assertThat(driven.decide(tree)).isEqualTo(emitted);
                }
            }
        }
    }

    @Test
    void aTargetThatIgnoresItsGuessesConvergesAtOnce() {
        // The next token depends on its position alone and is never one of the prompt's.
        var table =
                TableModel.of(
                        40,
                        prefix -> {
                            var distribution = new double[40];
                            Arrays.fill(distribution, .01);
                            distribution[10 + prefix.size() % 30] = 1;
                            return distribution;
                        });
        var emitted = new ArrayList<Integer>();
        Decoding.greedy(
                TableTarget.of(table),
                drafter(4),
                PROMPT,
                24,
                round -> emitted.add(round.emitted()));

        assertThat(emitted).containsExactly(1, 5, 1, 5, 1, 5, 1, 5);
    }

    @Test
    void aShortBudgetKeepsTheRestOfTheIterate() {
        var target = TableTarget.of(Toys.circle());
        try (var driven = new Driven(target, session(6), PROMPT)) {
            var before = guesses(driven.propose(DraftBudget.chain(6)).tree().tokens());
            var tree = driven.propose(DraftBudget.chain(2)).tree();
            assertThat(tree.draftedNodes()).isEqualTo(2);
            int moved = driven.decide(tree).size();
            var after = guesses(driven.propose(DraftBudget.chain(6)).tree().tokens());

            assertThat(after.subList(3 - moved, 6 - moved)).isEqualTo(before.subList(3, 6));
        }
    }

    private static int argmax(TableModel table, List<Integer> prefix) {
        float[] row = table.logits(prefix.stream().mapToInt(Integer::intValue).toArray());
        int best = 0;
        for (int token = 1; token < row.length; token++) {
            best = row[token] > row[best] ? token : best;
        }
        return best;
    }

    private static List<Integer> guesses(int[] tokens) {
        return new ArrayList<>(Arrays.stream(tokens).skip(1).boxed().toList());
    }

    private static JacobiSession session(int length) {
        return new JacobiSession(
                new JacobiConfig(length, false, 1),
                Set.of(),
                new DraftRequest(100, SamplingPolicy.argmax()));
    }

    private static Drafter drafter(int length) {
        return JacobiSession.drafter(new JacobiConfig(length, false, 1), Set.of());
    }
}
