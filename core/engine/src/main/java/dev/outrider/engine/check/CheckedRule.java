package dev.outrider.engine.check;

import static dev.outrider.engine.check.Contract.require;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.Selection.Independent;
import dev.outrider.spi.draft.Selection.PointMass;
import dev.outrider.spi.draft.Selection.WithoutReplacement;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.run.DecodeEvent.PluginFailed;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.TreeShape;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/// A rule that is only asked what it declares to be able to judge, and whose verdicts are checked: a path of
/// nodes that may be accepted, then a token. A lossless rule must not emit a token that has probability 0.
///
/// @param rule     the checked rule
/// @param expected kinds of selection the pairing was found exact for; empty if it was not found exact: then any kind may come
/// @param round    number of the round, for errors
public record CheckedRule(AcceptanceRule rule, Set<Selection.Kind> expected, IntSupplier round)
        implements AcceptanceRule {
    public CheckedRule {
        expected = Set.copyOf(expected);
    }

    /// A rule that may get any draft its traits cover, in rounds without numbers.
    public CheckedRule(AcceptanceRule rule) {
        this(rule, Set.of(), () -> 0);
    }

    @Override
    public RuleTraits traits() {
        return rule.traits();
    }

    @Override
    public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
        checkDraft(draft);
        var watched = watched(draft);
        var verdict = rule.decide(watched, target, randomness);
        checkUnchanged(watched);
        checkPath(draft.tree(), verdict);
        checkNextToken(verdict, target);
        return verdict;
    }

    private boolean fitsShape(Draft draft) {
        return draft.tree().isChain() || traits().shape() == TreeShape.TREE;
    }

    private boolean isExpected(Draft draft) {
        return expected.isEmpty()
                || draft.tree().draftedNodes() == 0
                || expected.contains(draft.selection().kind());
    }

    private void checkDraft(Draft draft) {
        require(
                fitsShape(draft),
                "drafter in round %d".formatted(round.getAsInt()),
                "proposed a tree to rule '%s', expected a chain",
                traits().name());
        require(
                isExpected(draft),
                "drafter in round %d".formatted(round.getAsInt()),
                "proposed nodes chosen as %s to rule '%s', which is exact for %s",
                draft.selection().kind(),
                traits().name(),
                expected.stream().sorted().toList());
    }

    /// The draft as the rule sees it, with a watch on the distributions that the rule reads.
    private static Draft watched(Draft draft) {
        return switch (draft.selection()) {
            case PointMass() -> draft;
            case Independent(var distributions) ->
                    new Draft(draft.tree(), new Independent(distributions.watched()));
            case WithoutReplacement(var distributions) ->
                    new Draft(draft.tree(), new WithoutReplacement(distributions.watched()));
        };
    }

    /// Checks that the rule decided with the distributions that the draft was drawn from.
    private void checkUnchanged(Draft watched) {
        var changed =
                switch (watched.selection()) {
                    case PointMass() -> OptionalInt.empty();
                    case Independent(var distributions) -> distributions.changed();
                    case WithoutReplacement(var distributions) -> distributions.changed();
                };
        require(
                changed.isEmpty(),
                "drafter in round %d".formatted(round.getAsInt()),
                "changed the distribution at node %d after it was recorded",
                changed.orElse(0));
    }

    private void checkPath(TokenTree tree, Verdict verdict) {
        int parent = 0;
        for (int node : verdict.acceptedNodes()) {
            require(
                    node > 0 && node < tree.size(),
                    label(),
                    "accepted node %d, expected 1 to %d",
                    node,
                    tree.size() - 1);
            require(tree.verified(node), label(), "accepted node %d, which is unverified", node);
            require(
                    tree.parent(node) == parent,
                    label(),
                    "accepted node %d after node %d, expected a child of it",
                    node,
                    parent);
            parent = node;
        }
    }

    /// Checks that the target gives a lossless rule's token a positive probability.
    private void checkNextToken(Verdict verdict, TargetDistributions target) {
        int token = verdict.nextToken();
        require(
                token < target.vocabularySize(),
                label(),
                "emitted token %d, expected 0 to %d",
                token,
                target.vocabularySize() - 1);
        if (traits().lossless() && !traits().greedyOnly()) {
            require(
                    target.distribution(verdict.lastNode())[token] > 0,
                    label(),
                    "emitted token %d after node %d, where the target gives it probability 0",
                    token,
                    verdict.lastNode());
        }
    }

    private String label() {
        return "acceptance rule '%s' in round %d".formatted(traits().name(), round.getAsInt());
    }

    /// A rule whose verdicts are checked, and that cannot break the request it decides for: if it fails, nothing is accepted and
    /// the next token is drawn from the target's distribution.
    ///
    /// Confined to one thread.
    public static final class GuardedRule implements AcceptanceRule {
        private final CheckedRule rule;
        private final GuardedCalls calls;
        private final IntSupplier round;

        /// @param round    number of the round
        /// @param failures told about every failure
        public GuardedRule(
                CheckedRule rule,
                OnFailure onFailure,
                IntSupplier round,
                Consumer<PluginFailed> failures) {
            this.rule = rule;
            this.round = round;
            var who = "acceptance rule '%s'".formatted(rule.traits().name());
            this.calls = new GuardedCalls(onFailure, rule.rule(), who, failures);
        }

        @Override
        public RuleTraits traits() {
            return rule.traits();
        }

        /// @throws OutriderException if the rule fails and the request is to stop
        @Override
        public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
            return calls.call(
                            round.getAsInt(),
                            "decide",
                            () -> rule.decide(draft, target, randomness),
                            () -> {})
                    .orElseGet(() -> plain(draft, target, randomness));
        }

        private static Verdict plain(
                Draft draft, TargetDistributions target, Randomness randomness) {
            boolean drafted = draft.tree().candidates(0).length > 0;
            var role = drafted ? Randomness.Role.RESIDUAL : Randomness.Role.BONUS;
            int next = randomness.draw(role, 0, target.distribution(0));
            return new Verdict(List.of(), next, drafted ? Origin.CORRECTION : Origin.BONUS);
        }
    }
}
