package dev.outrider.spi.draft;

import java.util.Optional;

/// What one pass over a row tells: whether it is a distribution, and later whether it is still the same one.
///
/// @param sum      of all entries
/// @param absolute of their sizes; more than the sum where some are negative
/// @param mark     sum in which neighbours weigh differently; another row has another one, but for rare chance
record RowSums(double sum, double absolute, double mark) {
    private static final double TOLERANCE = 1e-6;

    /// Eight sums at a time, so that no addition waits for the one before it.
    static RowSums of(double[] row) {
        double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        double a0 = 0, a1 = 0, a2 = 0, a3 = 0;
        int whole = row.length & -4;
        for (int token = 0; token < whole; token += 4) {
            s0 += row[token];
            s1 += row[token + 1];
            s2 += row[token + 2];
            s3 += row[token + 3];
            a0 += Math.abs(row[token]);
            a1 += Math.abs(row[token + 1]);
            a2 += Math.abs(row[token + 2]);
            a3 += Math.abs(row[token + 3]);
        }
        double rest = 0;
        double restAbsolute = 0;
        double restMark = 0;
        for (int token = whole; token < row.length; token++) {
            rest += row[token];
            restMark += (token - whole + 2) * row[token];
            restAbsolute += Math.abs(row[token]);
        }
        double mark = s0 + 3 * s1 + 7 * s2 + 13 * s3 + 17 * restMark;
        return new RowSums(s0 + s1 + s2 + s3 + rest, a0 + a1 + a2 + a3 + restAbsolute, mark);
    }

    /// What keeps a row from being a distribution, for a sentence that says it was recorded.
    Optional<String> problem(double[] row, int node) {
        if (Math.abs(sum - 1) <= TOLERANCE && absolute == sum) {
            return Optional.empty();
        }
        for (int token = 0; token < row.length; token++) {
            if (!(row[token] >= 0)) {
                return Optional.of(
                        "probability %s of token %d at node %d, expected 0 or more"
                                .formatted(row[token], token, node));
            }
        }
        return Math.abs(sum - 1) <= TOLERANCE
                ? Optional.empty()
                : Optional.of(
                        "a distribution that sums to %s at node %d, expected 1"
                                .formatted(sum, node));
    }
}
