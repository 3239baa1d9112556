package dev.outrider.treeverify.verdict;

import dev.outrider.spi.DraftLaws;
import java.util.Arrays;
import java.util.Optional;

/// The laws q that the nodes of a chain were drawn from, as lists of the tokens with positive probability. Truncated laws have a
/// few hundred of them, and fit where whole rows would not.
///
/// Its arrays belong to it and must not be written to.
///
/// @param starts  where each row's entries begin, and where the last one's end; shape `[rows + 1]`
/// @param tokens  ascending within a row
/// @param weights probability of the token at the same index
record SparseLaws(int[] starts, int[] tokens, float[] weights) {
    /// Most entries of a round: what is copied to the device with every pass.
    static final int CAPACITY = 16_384;

    /// No laws.
    static SparseLaws none(int rows) {
        return new SparseLaws(new int[rows + 1], new int[0], new float[0]);
    }

    /// The laws of all nodes of a chain but the last; empty if there is no room for them, or if a support that a drafter recorded is
    /// not its law's, whose verdict would follow another law.
    ///
    /// @param rows       number of nodes, the root included
    /// @param vocabulary number of tokens V
    static Optional<SparseLaws> of(DraftLaws laws, int rows, int vocabulary) {
        var starts = new int[rows + 1];
        for (int row = 0; row < rows; row++) {
            int size = row < rows - 1 ? laws.support(row).size() : 0;
            starts[row + 1] = Math.addExact(starts[row], size);
        }
        if (starts[rows] > CAPACITY) {
            return Optional.empty();
        }
        var tokens = new int[starts[rows]];
        var weights = new float[starts[rows]];
        for (int row = 0; row < rows - 1; row++) {
            double[] law = laws.row(row);
            if (law.length != vocabulary || laws.supportProblem(row).isPresent()) {
                return Optional.empty();
            }
            var support = laws.support(row);
            for (int index = 0; index < support.size(); index++) {
                tokens[starts[row] + index] = support.token(index);
                weights[starts[row] + index] = (float) law[support.token(index)];
            }
        }
        return Optional.of(new SparseLaws(starts, tokens, weights));
    }

    /// Number of entries.
    int size() {
        return tokens.length;
    }

    /// Probability of a token at a node.
    float weight(int row, int token) {
        int entry = Arrays.binarySearch(tokens, starts[row], starts[row + 1], token);
        return entry < 0 ? 0 : weights[entry];
    }
}
