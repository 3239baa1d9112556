package dev.outrider.engine.length.tree;

import dev.outrider.engine.model.PositionalAcceptance;
import dev.outrider.engine.model.RoundCost;

/// A tree and what it was fitted to.
record Fit(AskedTree asked, PositionalAcceptance acceptance, RoundCost cost) {
    /// Tokens a nanosecond that it lets expect.
    double rate() {
        return tokens(asked) / nanos(asked);
    }

    /// Nanoseconds that a round of another tree is expected to take beyond what its tokens would take with this one.
    double loss(AskedTree other) {
        return nanos(other) - tokens(other) / rate();
    }

    private double tokens(AskedTree other) {
        return acceptance.expectedTokens(other.paths());
    }

    private double nanos(AskedTree other) {
        return cost.of(other.paths().size(), other.depth());
    }
}
