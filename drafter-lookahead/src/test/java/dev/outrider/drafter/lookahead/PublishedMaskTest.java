package dev.outrider.drafter.lookahead;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowMask;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.testkit.TableTarget;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The rows of the network have the published positions and the published mask, cell by cell
/// (docs/reference/algorithms.md A6.2).
class PublishedMaskTest {
    private static final int[] PROMPT = {1, 4, 2, 1, 4, 3, 1, 4, 5, 1, 4, 2};
    private static final int CACHED = 5;

    /// A row in the published layout: a position in the window, or a token of a guess.
    private sealed interface Place {
        record Window(int level, int column) implements Place {}

        record Guess(int guess, int index) implements Place {}
    }

    @Test
    void everyCellOfTheMaskAndEveryPositionIsThePublishedOne() {
        try (var network = Toys.scripted();
                var cache = network.newCache(128)) {
            network.forward(
                            List.of(RowBlock.continuing(cache, new int[CACHED])),
                            PassOutputs.allLogits())
                    .close();
            cache.keep(IntStream.range(0, CACHED).boxed().toList());
            for (int window = 1; window <= 4; window++) {
                for (int level = 2; level <= 5; level++) {
                    var config = new LookaheadConfig(window, level, 3, true, 1);
                    var session = new LookaheadSession(config, Set.of(), List.of());
                    var target = TableTarget.of(Toys.pairs());
                    try (var driven = new Driven(target, session, PROMPT)) {
                        for (int round = 0; round < level + 4; round++) {
                            var budget =
                                    LookaheadSession.drafter(config, Set.of())
                                            .traits()
                                            .fullBudget();
                            var tree = driven.propose(budget).tree();
                            int columns = window + Math.max(0, level - 2 - round);
                            int levels = Math.min(round + 1, level - 1);
                            compare(
                                    RowBlock.ofTree(cache, tree),
                                    nodes(tree, levels, columns, session));
                            driven.decide(tree);
                        }
                    }
                }
            }
        }
    }

    /// Returns the published positions by node, in the published order of rows; guesses that begin
    /// alike share nodes.
    private static Map<Place, Integer> nodes(
            TokenTree tree, int levels, int columns, LookaheadSession session) {
        var nodes = new HashMap<Place, Integer>();
        int row = 0;
        for (int level = 0; level < levels; level++) {
            for (int column = 0; column < columns; column++) {
                nodes.put(new Place.Window(level, column), row++);
            }
        }
        var guesses =
                row < tree.size() ? session.pool().following(tree.token(0)) : List.<int[]>of();
        var reached = new BitSet();
        for (int guess = 0; guess < guesses.size(); guess++) {
            int node = 0;
            for (int index = 0; index < guesses.get(guess).length; index++) {
                int wanted = guesses.get(guess)[index];
                node =
                        IntStream.of(tree.candidates(node))
                                .filter(child -> tree.token(child) == wanted)
                                .findFirst()
                                .orElseThrow();
                reached.set(node);
                nodes.put(new Place.Guess(guess, index), node);
            }
        }
        assertThat(row + reached.cardinality()).describedAs("rows").isEqualTo(tree.size());
        return nodes;
    }

    private static void compare(RowBlock block, Map<Place, Integer> nodes) {
        nodes.forEach((seeing, row) -> {
            assertThat(block.positions()[row]).isEqualTo(CACHED + offset(seeing));
            var expected = new BitSet();
            nodes.forEach((seen, column) -> {
                if (sees(seeing, seen)) {
                    expected.set(column);
                }
            });
            assertThat(visible(block, row)).describedAs("%s sees", seeing).isEqualTo(expected);
        });
    }

    /// The published position, relative to the current token.
    private static int offset(Place place) {
        return switch (place) {
            case Place.Window(int level, int column) -> level + column;
            case Place.Guess(int _, int index) -> 1 + index;
        };
    }

    /// The published mask. Column 0 of level 0 is the current token.
    private static boolean sees(Place seeing, Place seen) {
        return switch (seeing) {
            case Place.Window(int level, int column) ->
                    switch (seen) {
                        case Place.Window(int l, int c) ->
                                (l == 0 && c <= column) || (l >= 1 && l <= level && c == column);
                        case Place.Guess _ -> false;
                    };
            case Place.Guess(int guess, int index) ->
                    switch (seen) {
                        case Place.Window(int l, int c) -> l == 0 && c == 0;
                        case Place.Guess(int g, int i) -> g == guess && i <= index;
                    };
        };
    }

    private static BitSet visible(RowBlock block, int row) {
        return switch (block.mask()) {
            case RowMask.Causal() -> {
                var all = new BitSet();
                all.set(0, row + 1);
                yield all;
            }
            case RowMask.Ancestors(var visible) -> new ArrayList<>(visible).get(row);
        };
    }
}
