package dev.outrider.audit;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;

/// Mistakes of servers that speculate. A test plants one of them or several together. Mistakes without a function are implemented
/// in [PlantedDecoder]. Without drafts only the last three are visible.
enum Fault {
    /// Min-p is ignored while speculation is on.
    MIN_P_IGNORED(EnumSet.allOf(Side.class), wanted -> wanted.minP(0)),
    /// Penalties do not count the guesses before a position.
    PENALTY_SKIPPED,
    /// The target's distribution is computed without temperature.
    TEMPERATURE_ON_DRAFT_ONLY(EnumSet.of(Side.TARGET), wanted -> wanted.temperature(1)),
    /// Guesses are drawn without temperature; the rule divides by the distribution with it.
    TEMPERATURE_ON_TARGET_ONLY(EnumSet.of(Side.DRAWN), wanted -> wanted.temperature(1)),
    /// The target's distribution is not truncated by top-p.
    TOP_P_ON_DRAFT_ONLY(EnumSet.of(Side.TARGET), wanted -> wanted.topP(1)),
    /// Guesses are drawn without top-p; the rule divides by the distribution with it.
    TOP_P_ON_TARGET_ONLY(EnumSet.of(Side.DRAWN), wanted -> wanted.topP(1)),
    /// After a draft that is accepted as a whole, the next token comes from the drafter.
    BONUS_FROM_DRAFT,
    /// Top-p measures all tokens, not only the tokens that top-k kept (vLLM's issue 7627).
    JOINT_TRUNCATION(
            EnumSet.allOf(Side.class),
            wanted -> wanted.order("repetitionPenalty, penalties, temperature, topP, topK, minP")),
    /// Every guess is accepted.
    ALWAYS_ACCEPT,
    /// The correction is drawn from p, not from the residual distribution.
    CORRECTION_FROM_P,
    /// All guesses of a round are tested with one uniform.
    NOISE_REUSED,
    /// The drafter's tokens have other ids than the target's, and the rule reads q under the drafter's ids.
    DRAFT_TOKENIZER,
    /// Logits of the target in 16 bits.
    BF16(Fault::inSixteenBits),
    /// Logits of the target in 8 bits: where the target is a table, they stand for weights in 8 bits.
    INT8(row -> inLevels(row, 127)),
    /// Logits of the target in 4 bits.
    INT4(row -> inLevels(row, 7));

    private final Set<Side> sides;
    private final UnaryOperator<Wanted> sampling;
    private final UnaryOperator<float[]> logits;

    Fault() {
        this(UnaryOperator.identity());
    }

    Fault(UnaryOperator<float[]> logits) {
        this(EnumSet.noneOf(Side.class), UnaryOperator.identity(), logits);
    }

    Fault(Set<Side> sides, UnaryOperator<Wanted> sampling) {
        this(sides, sampling, UnaryOperator.identity());
    }

    Fault(Set<Side> sides, UnaryOperator<Wanted> sampling, UnaryOperator<float[]> logits) {
        this.sides = sides;
        this.sampling = sampling;
        this.logits = logits;
    }

    /// Computes a distribution of a round.
    enum Side {
        /// The target's distribution p.
        TARGET,
        /// The distribution that guesses are drawn from.
        DRAWN,
        /// The q that the acceptance rule reads.
        KNOWN
    }

    /// Returns how a server with these faults samples at one side.
    static Wanted sampling(Set<Fault> faults, Side side, Wanted wanted) {
        var seen = wanted;
        for (var fault : faults) {
            seen = fault.sides.contains(side) ? fault.sampling.apply(seen) : seen;
        }
        return seen;
    }

    /// Returns the target's logits in a server with these faults.
    ///
    /// @param row overwritten
    static float[] logits(Set<Fault> faults, float[] row) {
        faults.forEach(fault -> fault.logits.apply(row));
        return row;
    }

    private static float[] inSixteenBits(float[] row) {
        for (int token = 0; token < row.length; token++) {
            int bits = Float.floatToRawIntBits(row[token]);
            row[token] = Float.intBitsToFloat((bits + 0x7fff + ((bits >>> 16) & 1)) & 0xffff0000);
        }
        return row;
    }

    private static float[] inLevels(float[] row, int levels) {
        float largest = Float.MIN_NORMAL;
        for (float logit : row) {
            largest = Float.isFinite(logit) ? Math.max(largest, Math.abs(logit)) : largest;
        }
        for (int token = 0; token < row.length; token++) {
            if (Float.isFinite(row[token])) {
                row[token] = Math.round(row[token] / largest * levels) * largest / levels;
            }
        }
        return row;
    }
}
