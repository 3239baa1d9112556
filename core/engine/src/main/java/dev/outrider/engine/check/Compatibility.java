package dev.outrider.engine.check;

import static dev.outrider.engine.check.Contract.require;

import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.tree.TreeShape;
import java.util.Set;
import java.util.stream.Collectors;

/// Refuses pairings of drafter, rule and policy whose output would not be exact.
public final class Compatibility {
    private Compatibility() {}

    /// Returns the promise of a pairing.
    ///
    /// @param lossy whether an inexact pairing may run
    /// @throws OutriderException `LOSSY_NOT_ALLOWED` if the output would not be exact and that is not allowed;
    ///                           `CAPABILITY_MISSING` if the rule cannot judge such drafts at all
    public static Losslessness check(
            DrafterTraits drafter, RuleTraits rule, SamplingPolicy policy, LossyPairings lossy) {
        if (policy.greedy() && rule.lossless()) {
            return Losslessness.GREEDY_EQUAL; // the greedy rule decides then, which takes any draft
        }
        if (!rule.shape().accommodates(drafter.shape())) {
            throw ErrorCode.CAPABILITY_MISSING.error(
                    "acceptance rule '%s' judges chains, but the drafter proposes trees"
                            .formatted(rule.name()),
                    "Choose a chain for the drafter, or a rule for trees such as 'sample-and-match'.");
        }
        if (!rule.judges().contains(Selection.Kind.POINT_MASS)
                && drafter.selections().contains(Selection.Kind.POINT_MASS)) {
            throw ErrorCode.CAPABILITY_MISSING.error(
                    "acceptance rule '%s' divides by the distribution that candidates were drawn from, but the drafter's %s"
                            .formatted(rule.name(), words(drafter.selections(), "candidates are ")),
                    "Choose a rule that needs no such distribution, such as 'sample-and-match', or a tree whose nodes the drafter draws.");
        }
        if (!rule.lossless()) {
            requireJudged(drafter, rule);
            return lossy(
                    lossy,
                    "acceptance rule '%s' does not follow the target's distribution"
                            .formatted(rule.name()),
                    "Choose a lossless rule such as 'token' for chains or 'sample-and-match' for any tree");
        }
        if (rule.greedyOnly()) {
            return lossy(
                    lossy,
                    "acceptance rule '%s' is exact at temperature 0 only, but the temperature is %s"
                            .formatted(rule.name(), policy.temperature()),
                    "Choose temperature 0, or a rule such as 'token' for chains or 'sample-and-match' for any tree");
        }
        if (!rule.judges().containsAll(drafter.selections())) {
            return lossy(
                    lossy,
                    "acceptance rule '%s' is exact for %s, but the drafter%s"
                            .formatted(
                                    rule.name(),
                                    words(rule.judges(), "candidates that are "),
                                    words(drafter.selections(), "'s candidates are ")),
                    "Choose a rule that is exact for them, such as 'sample-and-match'");
        }
        return Losslessness.LOSSLESS_IN_DISTRIBUTION;
    }

    private static void requireJudged(DrafterTraits drafter, RuleTraits rule) {
        if (!rule.judges().containsAll(drafter.selections())) {
            throw ErrorCode.CAPABILITY_MISSING.error(
                    "acceptance rule '%s' judges %s, but the drafter's %s"
                            .formatted(
                                    rule.name(),
                                    words(rule.judges(), "candidates that are "),
                                    words(drafter.selections(), "candidates are ")),
                    "Choose a rule that judges such candidates, such as 'sample-and-match', or a drafter whose candidates it judges.");
        }
    }

    private static Losslessness lossy(LossyPairings lossy, String problem, String remedy) {
        if (lossy.allowed()) {
            return Losslessness.LOSSY;
        }
        throw ErrorCode.LOSSY_NOT_ALLOWED.error(
                problem,
                "%s, or %s to run it and label its results.".formatted(remedy, lossy.remedy()));
    }

    private static String words(Set<Selection.Kind> kinds, String prefix) {
        return kinds.stream()
                .sorted()
                .map(Compatibility::words)
                .collect(Collectors.joining(" or ", prefix, ""));
    }

    private static String words(Selection.Kind kind) {
        return switch (kind) {
            case POINT_MASS -> "not drawn from a known distribution";
            case INDEPENDENT -> "independent draws";
            case WITHOUT_REPLACEMENT -> "draws without replacement";
        };
    }

    /// Checks that a loaded drafter has no traits that its factory did not declare. The factory declares them from the configuration,
    /// before anything is loaded, and pairings are checked with what it declared.
    ///
    /// @param name     the drafter's, as configurations use it
    /// @param declared what its factory said
    /// @param loaded   what it says itself
    /// @throws OutriderException `CONTRACT_BROKEN` if it chooses nodes in another way, or proposes trees where chains were declared
    public static void requireDeclared(String name, DrafterTraits declared, DrafterTraits loaded) {
        var label = "drafter '%s'".formatted(name);
        require(
                declared.selections().containsAll(loaded.selections()),
                label,
                "chooses nodes as %s once it is loaded, expected %s as its factory declares",
                loaded.selections().stream().sorted().toList(),
                declared.selections().stream().sorted().toList());
        require(
                declared.shape() == TreeShape.TREE || loaded.shape() == TreeShape.CHAIN,
                label,
                "proposes trees once it is loaded, expected chains as its factory declares");
    }

    /// The promise about the output of a pairing.
    public enum Losslessness {
        /// Sampled output follows the target's distribution exactly.
        LOSSLESS_IN_DISTRIBUTION,
        /// Argmax output equals plain decoding token by token, up to rounding in the target's passes. There is no such rounding for
        /// a target whose rows do not depend on the other rows of a pass.
        GREEDY_EQUAL,
        /// The same hypotheses and scores as plain beam search of the same settings, up to rounding in the target's passes.
        BEAM_EQUAL,
        /// The output is not the target's; the user allowed that.
        LOSSY
    }

    /// Whether a pairing may run whose output is not the target's.
    ///
    /// @param allowed whether it may
    /// @param remedy  what allows it, as a refusal says it: `set allowLossy: true`
    public record LossyPairings(boolean allowed, String remedy) {
        /// In the words of a configuration file.
        public static LossyPairings inFile(boolean allowed) {
            return new LossyPairings(allowed, "set allowLossy: true");
        }

        /// In the words of a program.
        public static LossyPairings inProgram(boolean allowed) {
            return new LossyPairings(allowed, "call allowLossy()");
        }
    }
}
