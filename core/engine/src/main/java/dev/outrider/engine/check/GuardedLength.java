package dev.outrider.engine.check;

import dev.outrider.engine.length.DraftLengthPlan;
import dev.outrider.spi.run.DecodeEvent.PluginFailed;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DraftLengthPolicy;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;

/// A draft-length policy whose failures do not break the request: after a failure nothing more is drafted.
///
/// Confined to one thread.
public final class GuardedLength implements DraftLengthPolicy {
    private final String label;
    private final GuardedCalls calls;
    private final IntSupplier round;
    private Optional<DraftLengthPolicy> policy;

    /// Starts choosing for one sequence.
    ///
    /// @param round    number of the round
    /// @param failures told about every failure
    /// @throws dev.outrider.spi.error.OutriderException if the plan fails and the request is to stop
    public GuardedLength(
            DraftLengthPlan plan,
            OnFailure onFailure,
            IntSupplier round,
            Consumer<PluginFailed> failures) {
        this.label = "draft-length policy '%s'".formatted(plan.name());
        this.round = round;
        this.policy =
                new GuardedCalls(onFailure, plan, label, failures)
                        .call(round.getAsInt(), "start", plan::start, () -> {});
        Object called = policy.isPresent() ? policy.get() : plan;
        this.calls = new GuardedCalls(onFailure, called, label, failures);
    }

    @Override
    public int next() {
        return ask("next", this::next, 0);
    }

    @Override
    public String reason() {
        return ask("reason", DraftLengthPolicy::reason, "");
    }

    @Override
    public void observe(RoundCompleted done) {
        ask(
                "observe",
                chosen -> {
                    chosen.observe(done);
                    return true;
                },
                true);
    }

    /// Returns the policy's answer; the other value if it fails or has failed.
    private <T> T ask(String what, Function<DraftLengthPolicy, T> question, T otherwise) {
        return policy.flatMap(chosen ->
                        calls.call(
                                round.getAsInt(),
                                what,
                                () -> question.apply(chosen),
                                () -> policy = Optional.empty()))
                .orElse(otherwise);
    }

    private int next(DraftLengthPolicy chosen) {
        int depth = chosen.next();
        Contract.require(
                depth >= 0,
                label,
                "chose depth %d in round %d, expected at least 0",
                depth,
                round.getAsInt());
        return depth;
    }
}
