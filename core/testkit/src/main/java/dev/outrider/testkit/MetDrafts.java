package dev.outrider.testkit;

import static dev.outrider.testkit.Expect.assertThat;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.TreeShape;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Records the kinds of drafts that were proposed. Confined to one thread.
final class MetDrafts {
    private final Set<Kind> met = new LinkedHashSet<>();

    private record Kind(Selection.Kind selection, TreeShape shape) {
        @Override
        public String toString() {
            return "%s chosen as %s".formatted(shape, selection);
        }
    }

    /// {@return the same drafter, whose drafts are recorded} A single guess is the same as a chain and as a tree, and
    /// does not count.
    Drafter watched(Drafter drafter) {
        return new WrappedDrafter(
                drafter,
                session ->
                        new WrappedDrafter.Session(session) {
                            @Override
                            public Draft propose(DraftBudget budget, Randomness randomness) {
                                var draft = super.propose(budget, randomness);
                                note(draft);
                                return draft;
                            }
                        });
    }

    private void note(Draft draft) {
        if (draft.tree().draftedNodes() > 1) {
            var shape = draft.tree().isChain() ? TreeShape.CHAIN : TreeShape.TREE;
            met.add(new Kind(draft.selection().kind(), shape));
        }
    }

    /// Asserts that there were drafts of every selection in every shape that a rule declares itself exact for.
    void assertAllOf(RuleTraits rule) {
        assertThat(met)
                .describedAs("kinds of drafts that rule '%s' was tried on", rule.name())
                .containsAll(declared(rule));
    }

    private static List<Kind> declared(RuleTraits rule) {
        return Arrays.stream(TreeShape.values())
                .filter(rule.shape()::accommodates)
                .flatMap(shape ->
                        rule.judges().stream()
                                .sorted()
                                .map(selection -> new Kind(selection, shape)))
                .toList();
    }
}
