package dev.outrider.drafter.lookahead;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.tree.TokenTree;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Window, pool and guesses equal those of the published state machine, round by round.
class StateMachineTest {
    private static final int[] PROMPT = {1, 4, 2, 1, 4, 3, 1, 4};
    private static final int ROUNDS = 24;
    private static final Set<Integer> ENDS = Set.of(6);

    @Test
    void everyRoundEqualsThePublishedStateMachine() {
        for (var table : List.of(Toys.circle(), Toys.pairs(), Toys.chaos())) {
            for (int window = 1; window <= 4; window++) {
                for (int level = 2; level <= 5; level++) {
                    for (int guesses = 1; guesses <= 3; guesses++) {
                        compare(table, new LookaheadConfig(window, level, guesses, false, 1));
                        compare(table, new LookaheadConfig(window, level, guesses, true, 3));
                    }
                }
            }
        }
    }

    private static void compare(TableModel table, LookaheadConfig config) {
        var copies = new PromptTokens(new int[0], PROMPT, ENDS, config.seed());
        var published =
                new PublishedLookahead(
                        prefix -> argmax(table, prefix),
                        config,
                        Arrays.stream(PROMPT).boxed().toList(),
                        copies::next,
                        ENDS);
        var session = new LookaheadSession(config, ENDS, List.of());
        var budget = LookaheadSession.drafter(config, ENDS).traits().fullBudget();
        try (var driven = new Driven(TableTarget.of(table), session, PROMPT)) {
            for (int round = 0; round < ROUNDS; round++) {
                var tree = driven.propose(budget).tree();
                var where = "%s in round %d".formatted(config, round);

                assertThat(tree.token(0)).describedAs(where).isEqualTo(published.text.getLast());
                assertThat(windowOf(tree)).describedAs(where).isEqualTo(flat(published.window));
                assertThat(guessesOf(tree))
                        .describedAs(where)
                        .isEqualTo(tries(published.guesses()));
                assertThat(poolOf(session)).describedAs(where).isEqualTo(poolOf(published));
                assertThat(driven.decide(tree)).describedAs(where).isEqualTo(published.step());
            }
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

    /// Unverified nodes in order: level 0 without the current token, then the other levels.
    private static List<Integer> windowOf(TokenTree tree) {
        var tokens = new ArrayList<Integer>();
        for (int node = 1; node < tree.size(); node++) {
            if (!tree.verified(node)) {
                tokens.add(tree.token(node));
            }
        }
        return tokens;
    }

    private static List<Integer> flat(List<List<Integer>> window) {
        return window.stream().flatMap(List::stream).toList();
    }

    /// Returns the token paths to every node that may be accepted.
    private static Set<List<Integer>> guessesOf(TokenTree tree) {
        var paths = new HashSet<List<Integer>>();
        for (int node = 1; node < tree.size(); node++) {
            if (tree.verified(node)) {
                var path = Arrays.stream(tree.path(node)).skip(1).map(tree::token).boxed().toList();
                assertThat(paths.add(path)).describedAs("%s is there once", path).isTrue();
            }
        }
        return paths;
    }

    private static Set<List<Integer>> tries(List<List<Integer>> guesses) {
        var paths = new HashSet<List<Integer>>();
        for (var guess : guesses) {
            for (int length = 1; length <= guess.size(); length++) {
                paths.add(guess.subList(0, length));
            }
        }
        return paths;
    }

    /// The n-grams of each key, oldest first.
    private static List<List<List<Integer>>> poolOf(LookaheadSession session) {
        var all = new ArrayList<List<List<Integer>>>();
        for (int key = 0; key < Toys.VOCABULARY; key++) {
            all.add(
                    session.pool().following(key).reversed().stream()
                            .map(gram -> Arrays.stream(gram).boxed().toList())
                            .toList());
        }
        return all;
    }

    private static List<List<List<Integer>>> poolOf(PublishedLookahead published) {
        var all = new ArrayList<List<List<Integer>>>();
        for (int key = 0; key < Toys.VOCABULARY; key++) {
            var known = published.pool.get(key);
            all.add(known == null ? List.of() : List.copyOf(known));
        }
        return all;
    }
}
