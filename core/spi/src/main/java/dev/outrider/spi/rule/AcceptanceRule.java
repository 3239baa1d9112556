package dev.outrider.spi.rule;

import dev.outrider.spi.config.ComponentFactory;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.Verdict;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Decides which path of a draft is kept and which token follows it.
///
/// A rule is a pure function of its arguments. Thread-safe.
@API(status = Status.STABLE, since = "2")
public interface AcceptanceRule {
    /// {@return the promise of the rule, and the drafts that it is for}
    RuleTraits traits();

    /// Decides one round.
    ///
    /// @param draft      a draft whose selection and shape the traits cover
    /// @param target     the target's distributions at the draft's nodes
    /// @param randomness the round's randomness
    /// @return a path from the root and the token after it
    Verdict decide(Draft draft, TargetDistributions target, Randomness randomness);

    /// Makes acceptance rules from configuration. Thread-safe; does no I/O.
    ///
    /// @param <C> the record a configuration binds to
    interface Factory<C extends Record> extends ComponentFactory<C> {
        /// Makes a rule.
        ///
        /// @param config the bound configuration
        /// @return the rule
        AcceptanceRule create(C config);
    }
}
