package dev.outrider.experiment.run;

import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.Generation.Hypothesis;
import dev.outrider.engine.scoring.TextRows;
import dev.outrider.experiment.run.ComparisonResult.Mismatch;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Compares greedy generations with plain decoding token by token.
public final class GreedyCheck {
    private GreedyCheck() {}

    /// The first difference of two token lists, if there is one.
    ///
    /// @param expected output of plain decoding
    /// @param variant  name of the variant
    /// @param actual   output of the variant
    /// @param decoder  of the variant, whose target and processors give the gap of the two tokens' logits
    /// @param policy   of the variant
    public static Optional<Mismatch> compare(
            Prompt prompt,
            List<Integer> expected,
            String variant,
            List<Integer> actual,
            Decoder decoder,
            SamplingPolicy policy) {
        int position = firstDifference(expected, actual);
        if (position < 0) {
            return Optional.empty();
        }
        int[] context =
                IntStream.concat(
                                Arrays.stream(prompt.array()),
                                expected.subList(0, position).stream().mapToInt(Integer::intValue))
                        .toArray();
        return Optional.of(
                new Mismatch(
                        variant,
                        prompt.id(),
                        position,
                        tokenAt(expected, position),
                        tokenAt(actual, position),
                        topTwoGap(decoder, policy, context, prompt),
                        false));
    }

    /// Returns the index of the first difference, -1 if there is none.
    static int firstDifference(List<Integer> a, List<Integer> b) {
        int both = Math.min(a.size(), b.size());
        for (int i = 0; i < both; i++) {
            if (!a.get(i).equals(b.get(i))) {
                return i;
            }
        }
        return a.size() == b.size() ? -1 : both;
    }

    /// Returns a token of a list, or -1 after its end.
    static int tokenAt(List<Integer> tokens, int position) {
        return position < tokens.size() ? tokens.get(position) : -1;
    }

    /// Difference of the two largest logits after a context, from a fresh prefill.
    private static double topTwoGap(
            Decoder decoder, SamplingPolicy policy, int[] context, Prompt prompt) {
        var processed = decoder.processors().on(decoder.target().description().vocabularySize());
        var history = new TokenHistory(context, context.length, new int[0], prompt.ids().size());
        var gap = new double[1];
        new TextRows(decoder.target(), prompt.source())
                .read(
                        Arrays.copyOf(context, context.length + 1),
                        context.length,
                        (_, logits) ->
                                gap[0] =
                                        gap(
                                                processed.greedyScores(
                                                        policy, logits.apply(0), history)));
        return gap[0];
    }

    private static double gap(double[] logits) {
        double first = Double.NEGATIVE_INFINITY;
        double second = Double.NEGATIVE_INFINITY;
        for (double logit : logits) {
            if (logit > first) {
                second = first;
                first = logit;
            } else if (logit > second) {
                second = logit;
            }
        }
        return first - second;
    }

    /// Compares the hypotheses of a search with guesses with those of plain search.
    public static final class Beams {
        /// Scores may differ by this if a target's rows depend on other rows of a pass; the rows of target `vector` do not.
        static final double ROUNDING = 1e-3;

        private Beams() {}

        /// Returns the first hypothesis that differs, if there is one: its first token that differs, and the difference of the two
        /// scores.
        ///
        /// @param expected the hypotheses of plain search
        /// @param variant  name of the variant
        /// @param actual   the hypotheses of the variant
        public static Optional<Mismatch> compare(
                Prompt prompt, List<Hypothesis> expected, String variant, List<Hypothesis> actual) {
            for (int rank = 0; rank < Math.min(expected.size(), actual.size()); rank++) {
                var best = expected.get(rank);
                var found = actual.get(rank);
                double gap = Math.abs(best.score() - found.score());
                int position = GreedyCheck.firstDifference(best.tokens(), found.tokens());
                if (position >= 0 || gap > ROUNDING) {
                    int at = Math.max(position, 0);
                    return Optional.of(
                            new Mismatch(
                                    variant,
                                    prompt.id(),
                                    at,
                                    GreedyCheck.tokenAt(best.tokens(), at),
                                    GreedyCheck.tokenAt(found.tokens(), at),
                                    gap,
                                    true));
                }
            }
            return expected.size() == actual.size()
                    ? Optional.empty()
                    : Optional.of(new Mismatch(variant, prompt.id(), 0, -1, -1, 0, true));
        }
    }
}
