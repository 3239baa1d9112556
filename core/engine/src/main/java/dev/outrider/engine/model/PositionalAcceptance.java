package dev.outrider.engine.model;

import java.util.List;

/// By rank, the probability that the child of this rank is the accepted one, given that its parent was accepted. The rest
/// to 1 is the probability that none of them is.
///
/// The assumption behind it: the probability depends on the child's rank alone, not on the depth or the text.
///
/// @param rates by rank from 0; each at least 0, at most 1 in all
/// @see "Chen et al. 2024 (Sequoia), definition 3.1: positional acceptance"
public record PositionalAcceptance(List<Double> rates) {
    private static final double ROUNDING = 1e-9;

    public PositionalAcceptance {
        rates = List.copyOf(rates);
        double sum = rates.stream().mapToDouble(Double::doubleValue).sum();
        if (rates.isEmpty()
                || rates.stream().anyMatch(rate -> !(rate >= 0))
                || sum > 1 + ROUNDING) {
            throw new IllegalArgumentException(
                    "acceptance %s must have at least one rank, no negative rate and at most 1 in all"
                            .formatted(rates));
        }
    }

    /// Number of ranks, w.
    public int ranks() {
        return rates.size();
    }

    /// Probability that a node is accepted: the product of the rates along its path. Ranks beyond the last are never
    /// accepted.
    public double ofPath(List<Integer> path) {
        double product = 1;
        for (int rank : path) {
            product *= rank < rates.size() ? rates.get(rank) : 0;
        }
        return product;
    }

    /// Expected tokens of a round with these drafted nodes, the token that follows included.
    public double expectedTokens(List<List<Integer>> paths) {
        return 1 + paths.stream().mapToDouble(this::ofPath).sum();
    }
}
