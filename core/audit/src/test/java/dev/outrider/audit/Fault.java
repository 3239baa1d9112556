package dev.outrider.audit;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;

/// Mistakes of servers that speculate, to be planted one by one or together. Those without a function are in [PlantedDecoder]. Without drafts
/// only the last three show.
enum Fault {
    /// Min-p is ignored while speculation is on.
    MIN_P_IGNORED(EnumSet.allOf(Side.class), wanted -> wanted.minP(0)),
    /// Penalties do not count the guesses before a position.
    PENALTY_SKIPPED,
    /// The target's distribution has no temperature.
    TEMPERATURE_ON_DRAFT_ONLY(EnumSet.of(Side.TARGET), wanted -> wanted.temperature(1)),
    /// Guesses are drawn without temperature; the rule divides by the distribution with it.
    TEMPERATURE_ON_TARGET_ONLY(EnumSet.of(Side.DRAWN), wanted -> wanted.temperature(1)),
    /// The target's distribution is not truncated by top-p.
    TOP_P_ON_DRAFT_ONLY(EnumSet.of(Side.TARGET), wanted -> wanted.topP(1)),
    /// Guesses are drawn without top-p; the rule divides by the distribution with it.
    TOP_P_ON_TARGET_ONLY(EnumSet.of(Side.DRAWN), wanted -> wanted.topP(1)),
    /// The token after a draft that is accepted as a whole comes from the drafter.
    BONUS_FROM_DRAFT,
    /// Top-p measures all tokens, not those that top-k left (vLLM's issue 7627).
    JOINT_TRUNCATION(
            EnumSet.allOf(Side.class),
            wanted -> wanted.order("repetitionPenalty, penalties, temperature, topP, topK, minP")),
    /// Every guess is accepted.
    ALWAYS_ACCEPT,
    /// The correction comes from p, not from what is left of it.
    CORRECTION_FROM_P,
    /// All guesses of a round are tested with one uniform.
    NOISE_REUSED,
    /// The drafter's tokens have other ids than the target's, which the rule reads q under.
    DRAFT_TOKENIZER,
    /// Logits of the target in 16 bits.
    BF16(Fault::inSixteenBits),
    /// Logits of the target in 8 bits: stands for weights in 8 bits where the target is a table.
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

    /// A distribution of a round.
    enum Side {
        /// p.
        TARGET,
        /// The distribution that guesses are drawn from.
        DRAWN,
        /// The q that the acceptance rule reads.
        KNOWN
    }

    /// How a server with some faults samples at one side.
    static Wanted sampling(Set<Fault> faults, Side side, Wanted wanted) {
        var seen = wanted;
        for (var fault : faults) {
            seen = fault.sides.contains(side) ? fault.sampling.apply(seen) : seen;
        }
        return seen;
    }

    /// The target's logits in a server with some faults.
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
