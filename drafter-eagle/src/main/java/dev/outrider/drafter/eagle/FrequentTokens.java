package dev.outrider.drafter.eagle;

import dev.outrider.common.Require;
import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.training.RowSource;
import dev.outrider.training.TokenRows;
import dev.outrider.training.TrainingConfig;
import java.util.Comparator;
import java.util.stream.IntStream;

/// A draft vocabulary: the most frequent learned tokens in the rows of a run; of equally frequent tokens the lower number.
///
/// @param vocabulary the tokens
/// @param share      of the rows' learned tokens that are in the vocabulary, 0 to 1
/// @see "Li et al. 2025 (EAGLE-3); Zhao et al. 2025 (FR-Spec), section 3"
record FrequentTokens(DraftVocabulary vocabulary, double share) {
    /// All tokens of a target.
    static FrequentTokens all(int targetSize) {
        return new FrequentTokens(new DraftVocabulary(targetSize, targetSize), 1);
    }

    /// Reads all rows of the run.
    ///
    /// @param size       number of tokens; 0 for all of the target's
    /// @param targetSize number of the target's logits
    /// @throws IllegalArgumentException if the target has fewer tokens
    static FrequentTokens of(RowSource rows, TrainingConfig run, int size, int targetSize) {
        Require.that(
                size < targetSize,
                "draftVocabulary (%d) must be below the target's %d tokens, or 0 for all",
                size,
                targetSize);
        return size == 0 ? all(targetSize) : mostFrequent(counts(rows, run, targetSize), size);
    }

    private static long[] counts(RowSource rows, TrainingConfig run, int targetSize) {
        var counts = new long[targetSize];
        try (var batches = rows.open(run.rows(), 0)) {
            for (long left = (long) run.learningRate().steps() * run.accumulate();
                    left > 0;
                    left--) {
                count(batches.next(), counts);
            }
        }
        return counts;
    }

    private static void count(TokenRows rows, long[] counts) {
        long[] tokens = rows.tokens();
        for (int i = 0; i < tokens.length; i++) {
            if (rows.learned()[i]) {
                counts[Math.toIntExact(tokens[i])]++;
            }
        }
    }

    private static FrequentTokens mostFrequent(long[] counts, int size) {
        int[] tokens =
                IntStream.range(0, counts.length)
                        .boxed()
                        .sorted(
                                Comparator.comparingLong((Integer token) -> counts[token])
                                        .reversed())
                        .limit(size)
                        .mapToInt(Integer::intValue)
                        .sorted()
                        .toArray();
        long covered = IntStream.of(tokens).mapToLong(token -> counts[token]).sum();
        return new FrequentTokens(
                DraftVocabulary.of(tokens, counts.length),
                (double) covered
                        / IntStream.range(0, counts.length).mapToLong(i -> counts[i]).sum());
    }
}
