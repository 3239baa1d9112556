package dev.outrider.treeverify.verdict;

import dev.outrider.treeverify.verdict.PlainVerdicts.Statistics;
import java.util.Arrays;

/// Twin of the truncating kernel. It sorts a row, which the kernel does not, and adds up in double precision: the two can
/// keep another token only where the mass before it lies within rounding of `topP`.
final class PlainTruncation {
    private PlainTruncation() {}

    /// The tokens of a row that stay: those with a larger logit than `limit`, and of those equal to it the ones up to `last`.
    ///
    /// @param limit the smallest logit that stays
    /// @param last  the highest id that stays among tokens of this logit
    /// @param sum   weights `exp((logit - largest) * inverseTemperature)` of what stays, added up
    record Kept(float limit, int last, float sum) {
        /// Whether a token stays.
        boolean has(float logit, int token) {
            return logit > limit || (logit == limit && token <= last);
        }
    }

    /// What a request's policy keeps of one row.
    static Kept of(VerdictRequest request, float[] logits, int row, Statistics statistics) {
        return of(
                logits,
                row,
                request.vocabulary(),
                request.truncation(),
                request.inverseTemperature(),
                statistics);
    }

    /// What a policy keeps of one row.
    static Kept of(
            float[] logits,
            int row,
            int vocabulary,
            Truncation truncation,
            float inverseTemperature,
            Statistics statistics) {
        return truncation.equals(Truncation.NONE)
                ? new Kept(-Float.MAX_VALUE, vocabulary - 1, statistics.sum())
                : cut(
                        Arrays.copyOfRange(logits, row * vocabulary, (row + 1) * vocabulary),
                        truncation,
                        inverseTemperature,
                        statistics.largest());
    }

    private static Kept cut(
            float[] values, Truncation truncation, float inverseTemperature, float largest) {
        int vocabulary = values.length;
        float[] rising = values.clone();
        Arrays.sort(rising);
        var weights = new double[vocabulary];
        for (int rank = 0; rank < vocabulary; rank++) {
            weights[rank] = Math.exp((rising[rank] - largest) * inverseTemperature);
        }
        int first = truncation.topK() == 0 ? 0 : vocabulary - truncation.topK();
        while (first > 0 && rising[first - 1] == rising[first]) {
            first--;
        }
        if (truncation.topP() < 1) {
            float wanted = truncation.topP() * (float) sum(weights, first);
            double above = 0;
            int rank = vocabulary;
            while (rank > first && above < wanted) {
                above += weights[--rank];
            }
            first = rank;
        }
        while (largest - rising[first] > truncation.reach()) {
            first++;
        }
        return new Kept(rising[first], last(values, rising, first), (float) sum(weights, first));
    }

    /// The id of the token at rank `first`, if others with its logit go; else the highest id there is.
    private static int last(float[] values, float[] rising, int first) {
        int token = values.length - 1;
        if (first > 0 && rising[first - 1] == rising[first]) {
            token = -1;
            for (int rank = first; rank < rising.length && rising[rank] == rising[first]; rank++) {
                token++;
                while (values[token] != rising[first]) {
                    token++;
                }
            }
        }
        return token;
    }

    private static double sum(double[] weights, int first) {
        double sum = 0;
        for (int rank = first; rank < weights.length; rank++) {
            sum += weights[rank];
        }
        return sum;
    }
}
