package dev.outrider.spi.rule;

import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.tree.TreeShape;
import java.util.Set;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// The promise of an acceptance rule, and the drafts that it can judge.
///
/// @param name    the rule's name in configurations and reports
/// @param promise whether the output follows the target's distribution
/// @param judges  selections that the rule can judge; for an exact rule, those that the promise holds for
/// @param shape   the most general shape that the rule can judge
/// @param source  paper and section
@API(status = Status.STABLE, since = "2")
public record RuleTraits(
        String name, Promise promise, Set<Selection.Kind> judges, TreeShape shape, String source) {
    /// The promise about the output of a rule.
    public enum Promise {
        /// The output follows the target's distribution exactly, for every draft that the rule judges.
        EXACT,
        /// The output is exact for policies whose distribution is one-hot.
        EXACT_WHEN_GREEDY,
        /// The output is not exact. A configuration must say `allowLossy: true`.
        LOSSY
    }

    /// Copies the kinds and checks that the rule judges something and has a name.
    public RuleTraits {
        judges = Set.copyOf(judges);
        if (name.isBlank() || source.isBlank()) {
            throw new IllegalArgumentException(
                    "name '%s' and source '%s' of a rule must not be blank"
                            .formatted(name, source));
        }
        if (judges.isEmpty()) {
            throw new IllegalArgumentException(
                    "rule '%s' judges no kind of selection, expected at least one".formatted(name));
        }
    }

    /// {@return traits of a rule whose output follows the target's distribution}
    ///
    /// @param name   the rule's name
    /// @param judges selections that the promise holds for; [Selection.Kind#any] if the rule does not read q
    /// @param shape  the most general shape that the rule can judge
    /// @param source paper and section
    public static RuleTraits exact(
            String name, Set<Selection.Kind> judges, TreeShape shape, String source) {
        return new RuleTraits(name, Promise.EXACT, judges, shape, source);
    }

    /// {@return traits of a rule whose output follows the target's distribution if that is one-hot}
    ///
    /// @param name   the rule's name
    /// @param judges selections that the promise holds for
    /// @param shape  the most general shape that the rule can judge
    /// @param source paper and section
    public static RuleTraits exactWhenGreedy(
            String name, Set<Selection.Kind> judges, TreeShape shape, String source) {
        return new RuleTraits(name, Promise.EXACT_WHEN_GREEDY, judges, shape, source);
    }

    /// {@return traits of a rule whose output does not follow the target's distribution}
    ///
    /// @param name   the rule's name
    /// @param judges selections that the rule can judge without a failure
    /// @param shape  the most general shape that the rule can judge
    /// @param source paper and section
    public static RuleTraits lossy(
            String name, Set<Selection.Kind> judges, TreeShape shape, String source) {
        return new RuleTraits(name, Promise.LOSSY, judges, shape, source);
    }

    /// {@return whether the rule promises the target's distribution, for every policy or for greedy ones}
    public boolean lossless() {
        return promise != Promise.LOSSY;
    }

    /// {@return whether the promise holds only for policies whose distribution is one-hot}
    public boolean greedyOnly() {
        return promise == Promise.EXACT_WHEN_GREEDY;
    }
}
