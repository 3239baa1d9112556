package dev.outrider.common.sampling;

import dev.outrider.common.Require;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Operators for one target, in their order. Thread-safe.
///
/// An operator depends on the tokens of the text and on one number, its state, which is computed from the target's distributions
/// along the text. Each node of a draft has a state of its own.
public final class OperatorChain {
    private static final double LN_2 = Math.log(2);

    private final SamplingOperators settings;
    private final List<Operator> order;
    private final Set<Integer> endTokens;
    private final String label;

    private OperatorChain(SamplingOperators settings, Set<Integer> endTokens) {
        this.settings = settings;
        this.order = OperatorOrder.of(settings.order());
        this.endTokens = Set.copyOf(endTokens);
        this.label = settings.label();
    }

    /// {@return operators that change nothing beside the policy}
    public static OperatorChain none() {
        return new OperatorChain(SamplingOperators.none(), Set.of());
    }

    /// {@return the operators of some settings}
    ///
    /// @param settings   of the operators
    /// @param vocabulary number of the target's tokens V
    /// @param endTokens  the target's end-of-sequence tokens
    /// @throws IllegalArgumentException for a token that the target does not have, or if no token would be possible
    public static OperatorChain of(
            SamplingOperators settings, int vocabulary, Set<Integer> endTokens) {
        settings.requireOrder();
        settings.tokens()
                .filter(token -> token >= vocabulary)
                .findFirst()
                .ifPresent(token ->
                        Require.that(
                                false,
                                "operators name the token %d, but the target's last one is %d",
                                token,
                                vocabulary - 1));
        var possible = new BitSet();
        settings.allowed().forEach(possible::set);
        possible.set(0, settings.allowed().isEmpty() ? vocabulary : 0);
        settings.banned().forEach(possible::clear);
        var ends = new HashSet<>(endTokens);
        ends.removeIf(token -> token >= vocabulary);
        ends.forEach(
                token -> possible.set(token, possible.get(token) && settings.minTokens() == 0));
        Require.that(
                !possible.isEmpty(),
                "operators leave no token possible: allowed has %d, banned %d of %d, and minTokens is %d",
                settings.allowed().size(),
                settings.banned().size(),
                vocabulary,
                settings.minTokens());
        return new OperatorChain(settings, ends);
    }

    /// {@return whether the policy alone makes distributions}
    public boolean isEmpty() {
        return label.isEmpty();
    }

    /// {@return the settings that are not the default, for the label of a result; empty if there are none}
    public String label() {
        return label;
    }

    /// {@return whether distributions depend on the state}
    public boolean stateful() {
        return settings.mirostat().isPresent();
    }

    /// {@return the state at the end of a prompt}
    public double firstState() {
        return settings.mirostat().map(each -> 2 * each.tau()).orElse(0.0);
    }

    /// {@return the state after one token more}
    ///
    /// @param state       before it
    /// @param probability of the token in the distribution at that position
    public double nextState(double state, double probability) {
        return settings.mirostat()
                .map(each ->
                        state
                                - each.eta()
                                        * (-Math.log(Math.max(probability, Double.MIN_VALUE)) / LN_2
                                                - each.tau()))
                .orElse(state);
    }

    SamplingOperators settings() {
        return settings;
    }

    Set<Integer> endTokens() {
        return endTokens;
    }

    /// Returns whether other settings have the same operators for a policy, in the same order.
    public static boolean alike(
            SamplingPolicy policy, SamplingOperators one, SamplingOperators other) {
        return new OperatorChain(one, Set.of())
                .steps(policy)
                .equals(new OperatorChain(other, Set.of()).steps(policy));
    }

    /// The operators that change anything, in order.
    List<Operator> steps(SamplingPolicy policy) {
        return order.stream().filter(each -> each.on(settings, policy)).toList();
    }
}
