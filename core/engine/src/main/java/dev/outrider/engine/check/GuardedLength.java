package dev.outrider.engine.check;

import dev.outrider.engine.length.DraftLengthPlan;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.run.DecodeEvent.PluginFailed;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DraftLengthPolicy;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;

/// A draft-length policy that cannot spoil the request it chooses for: where it fails, nothing more is drafted.
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
        return policy.flatMap(chosen ->
                        calls.call(round.getAsInt(), "next", () -> next(chosen), this::abandon))
                .orElse(0);
    }

    @Override
    public double rowCost() {
        return policy.flatMap(chosen ->
                        calls.call(
                                round.getAsInt(), "rowCost", () -> rowCost(chosen), this::abandon))
                .orElse(0.0);
    }

    @Override
    public Optional<TreePlan.RankPaths> tree() {
        return policy.flatMap(
                        chosen -> calls.call(round.getAsInt(), "tree", chosen::tree, this::abandon))
                .flatMap(Function.identity());
    }

    @Override
    public String reason() {
        return policy.flatMap(chosen ->
                        calls.call(round.getAsInt(), "reason", chosen::reason, this::abandon))
                .orElse("");
    }

    private double rowCost(DraftLengthPolicy chosen) {
        double price = chosen.rowCost();
        Contract.require(
                price >= 0 && price <= 1,
                label,
                "asked a price of %s for a row in round %d, expected 0 to 1",
                price,
                round.getAsInt());
        return price;
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

    @Override
    public void observe(RoundCompleted done) {
        policy.ifPresent(chosen ->
                calls.call(
                        round.getAsInt(),
                        "observe",
                        () -> {
                            chosen.observe(done);
                            return true;
                        },
                        this::abandon));
    }

    private void abandon() {
        policy = Optional.empty();
    }
}
