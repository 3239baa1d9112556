package dev.outrider.common.sampling;

import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Log probabilities of the softmax of one row of logits after the other, in double precision. Confined to one thread.
public final class LogProbabilities {
    private static final SamplingPolicy SOFTMAX = SamplingPolicy.atTemperature(1);

    private final DistributionBuffer softmax;
    private final float[] row;
    private double best;
    private double share;

    /// Room for rows.
    ///
    /// @param vocabulary number of logits V
    public LogProbabilities(int vocabulary) {
        softmax = new DistributionBuffer(vocabulary);
        row = new float[vocabulary];
    }

    /// Takes the next row.
    ///
    /// @param logits shape `[V]` 32-bit floats; not changed, not kept
    /// @throws dev.outrider.spi.error.OutriderException `CONTRACT_BROKEN` if a logit is NaN or none is finite
    public void fill(MemorySegment logits) {
        softmax.fill(SOFTMAX, logits, TokenHistory.empty());
        MemorySegment.copy(logits, ValueLayout.JAVA_FLOAT_UNALIGNED, 0, row, 0, row.length);
        int mode = 0;
        for (int token = 1; token < row.length; token++) {
            mode = row[token] > row[mode] ? token : mode;
        }
        best = row[mode];
        share = StrictMath.log(softmax.distribution()[mode]);
    }

    /// {@return number of tokens V}
    public int vocabulary() {
        return row.length;
    }

    /// {@return a token's logit}
    ///
    /// @param token id
    public float logit(int token) {
        return row[token];
    }

    /// {@return the natural logarithm of a token's probability}
    ///
    /// @param token id
    public double of(int token) {
        return row[token] - best + share;
    }
}
