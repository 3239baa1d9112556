package dev.outrider.engine.beam;

import java.util.Arrays;
import java.util.OptionalDouble;

/// The best successors of one beam, as many as a search can need of it: falling score, the lower token first among equals. Impossible
/// ones are not among them. The arrays are not copied and not to be written to.
///
/// @param tokens the successors
/// @param scores the [Beam#score] of the beam that each would make
record BestSuccessors(int[] tokens, double[] scores) {
    BestSuccessors {
        if (tokens.length != scores.length) {
            throw new IllegalArgumentException(
                    "%d tokens with %d scores".formatted(tokens.length, scores.length));
        }
    }

    int size() {
        return tokens.length;
    }

    /// Score of the beam that goes on with a token; empty if the token is none of the best.
    OptionalDouble score(int token) {
        for (int index = 0; index < tokens.length; index++) {
            if (tokens[index] == token) {
                return OptionalDouble.of(scores[index]);
            }
        }
        return OptionalDouble.empty();
    }

    @Override
    public String toString() {
        return "BestSuccessors[tokens=%s, scores=%s]"
                .formatted(Arrays.toString(tokens), Arrays.toString(scores));
    }
}
