package dev.outrider.engine.model;

/// The expected cost of verification for a target with experts whose passes are bound by memory: a pass reads the dense weights once, and every
/// expert that any of its rows activates.
///
/// Rows are taken to choose independently and all experts alike. Routers that prefer some experts, and rows of one text, wake fewer
/// different ones.
///
/// @param experts of a layer
/// @param chosen  how many of them a row wakes, at least 1
/// @see "docs/reference/algorithms.md A12.4"
public record ExpertTheory(int experts, int chosen) {
    public ExpertTheory {
        if (chosen < 1 || experts < chosen) {
            throw new IllegalArgumentException(
                    "a row cannot wake %d of %d experts".formatted(chosen, experts));
        }
    }

    /// Expected different experts of a layer that some rows wake: `E (1 - (1 - k/E)^n)`.
    ///
    /// @param rows n, at least 0
    public double woken(int rows) {
        if (rows < 0) {
            throw new IllegalArgumentException("%d rows are negative".formatted(rows));
        }
        return experts * (1 - Math.pow(1 - (double) chosen / experts, rows));
    }

    /// t(n) / t(1): what a pass costs over one of one row.
    ///
    /// @param share the experts' share of a pass of one row, in `[0, 1]`
    public double pass(int rows, double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("share %s must be in [0, 1]".formatted(share));
        }
        return 1 - share + share * woken(rows) / chosen;
    }

    /// Speedup over plain decoding that guesses accepted independently let expect.
    ///
    /// @param alpha  acceptance rate
    /// @param length draft length K
    /// @param cost   c, the time of one draft step over that of one target pass of one row
    /// @param share  the experts' share of such a pass
    public double speedup(double alpha, int length, double cost, double share) {
        return SpeedupTheory.speedup(
                SpeedupTheory.expectedTokens(alpha, length),
                1,
                length * cost,
                pass(length + 1, share),
                0);
    }
}
