package dev.outrider.experiment.recording;

import dev.outrider.spi.sampling.Support;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/// The most probable tokens of a distribution, and what the others have together.
///
/// @param tokens        in falling order of probability
/// @param probabilities theirs
/// @param tail          1 less these, added up token by token
record TopTokens(int[] tokens, double[] probabilities, double tail) {
    static TopTokens of(double[] distribution, Support support, int most) {
        int[] sorted =
                IntStream.range(0, support.size())
                        .map(support::token)
                        .boxed()
                        .sorted(
                                Comparator.comparingDouble((Integer token) -> -distribution[token])
                                        .thenComparing(token -> token))
                        .mapToInt(Integer::intValue)
                        .toArray();
        int kept = Math.min(most, sorted.length);
        double tail = 0;
        for (int index = kept; index < sorted.length; index++) {
            tail += distribution[sorted[index]];
        }
        int[] tokens = Arrays.copyOf(sorted, kept);
        return new TopTokens(
                tokens,
                Arrays.stream(tokens).mapToDouble(token -> distribution[token]).toArray(),
                tail);
    }

    static TopTokens none() {
        return new TopTokens(new int[0], new double[0], 0);
    }
}
