package dev.outrider.engine.check;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.run.DecodeEvent.PluginFailed;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/// A rule whose verdicts are checked, and that cannot spoil the request it decides for: where it fails, nothing is accepted and the
/// next token is drawn from the target's distribution.
///
/// Confined to one thread.
public final class GuardedRule implements AcceptanceRule {
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

    private static Verdict plain(Draft draft, TargetDistributions target, Randomness randomness) {
        boolean drafted = draft.tree().candidates(0).length > 0;
        var role = drafted ? Randomness.Role.RESIDUAL : Randomness.Role.BONUS;
        int next = randomness.draw(role, 0, target.distribution(0));
        return new Verdict(List.of(), next, drafted ? Origin.CORRECTION : Origin.BONUS);
    }
}
