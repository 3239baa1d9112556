package dev.outrider.config;

import dev.outrider.spi.config.Doc;
import dev.outrider.spi.draft.TreePlan;
import java.util.List;
import java.util.Optional;

/// A tree in a file of its own, which configurations name: `tree: {file: PATH}`.
///
/// ```yaml
/// version: 1
/// source: where the numbers come from
/// tree: {paths: [[0], [0, 0], [1]]}
/// ```
///
/// @param version  version of this format
/// @param source   where the tree comes from, in words
/// @param tree     the tree
/// @param measured what it was optimised for, if it was
public record TreeFile(
        @Doc("Version of the format of tree files; 1.") int version,
        @Doc("Where the tree comes from.") String source,
        @Doc("The tree, in any form but a file.") TreePlan tree,
        @Doc("What the tree was optimised for.") Optional<Measured> measured) {
    /// The version that this program reads and writes.
    public static final int VERSION = 1;

    /// Checks the contents.
    public TreeFile {
        if (version != VERSION) {
            throw new IllegalArgumentException(
                    "version %d of tree files is unknown, expected %d".formatted(version, VERSION));
        }
    }

    /// The measurements with which the tree was optimised, and the expectations that follow from them.
    ///
    /// @param rule           name of the acceptance rule
    /// @param temperature    of the target
    /// @param acceptance     probability that the child of this rank is the accepted one, given its parent was
    /// @param nodesVisited   accepted nodes, roots included, that the acceptance was counted at
    /// @param tokensPerRound what the acceptance lets expect, the token that follows included
    /// @param speedup        what these and the measured times let expect over plain decoding
    /// @see "Chen et al. 2024 (Sequoia), section 3.1: positional acceptance"
    public record Measured(
            @Doc("The acceptance rule.") String rule,
            @Doc("Temperature of the target.") double temperature,
            @Doc("By rank, how often this child of an accepted node was the accepted one.")
                    List<Double> acceptance,
            @Doc("Accepted nodes, roots included, that acceptance was counted at.")
                    long nodesVisited,
            @Doc("Expected tokens a round, the token that follows included.") double tokensPerRound,
            @Doc("Expected speedup over plain decoding.") double speedup) {
        private static final double ROUNDING = 1e-4;

        /// Checks the contents.
        public Measured {
            acceptance = List.copyOf(acceptance);
            double sum = acceptance.stream().mapToDouble(Double::doubleValue).sum();
            if (acceptance.stream().anyMatch(rate -> !(rate >= 0)) || sum > 1 + ROUNDING) {
                throw new IllegalArgumentException(
                        "acceptance %s must be 0 or more everywhere and at most 1 in all, got %s"
                                .formatted(acceptance, sum));
            }
        }
    }
}
