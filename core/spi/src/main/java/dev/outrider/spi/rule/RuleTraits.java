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
/// @param judges  selections the rule can judge; of an exact rule, those the promise holds for
/// @param shape   the most general shape the rule can take
/// @param source  paper and section
@API(status = Status.STABLE, since = "2")
public record RuleTraits(
        String name, Promise promise, Set<Selection.Kind> judges, TreeShape shape, String source) {
    /// The promise about the output of a rule.
    public enum Promise {
        /// It follows the target's distribution exactly, for every draft the rule judges.
        EXACT,
        /// It does so for policies whose distribution is one-hot.
        EXACT_WHEN_GREEDY,
        /// It does not. A configuration must say `allowLossy: true`.
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
    /// @param judges selections that holds for; [Selection.Kind#any] where nothing is asked of q
    /// @param shape  the most general shape the rule can take
    /// @param source paper and section
    public static RuleTraits exact(
            String name, Set<Selection.Kind> judges, TreeShape shape, String source) {
        return new RuleTraits(name, Promise.EXACT, judges, shape, source);
    }

    /// {@return traits of a rule whose output follows the target's distribution where that is one-hot}
    ///
    /// @param name   the rule's name
    /// @param judges selections that holds for
    /// @param shape  the most general shape the rule can take
    /// @param source paper and section
    public static RuleTraits exactWhenGreedy(
            String name, Set<Selection.Kind> judges, TreeShape shape, String source) {
        return new RuleTraits(name, Promise.EXACT_WHEN_GREEDY, judges, shape, source);
    }

    /// {@return traits of a rule whose output does not follow the target's distribution}
    ///
    /// @param name   the rule's name
    /// @param judges selections the rule can judge; all it needs is that it does not fail on them
    /// @param shape  the most general shape the rule can take
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
