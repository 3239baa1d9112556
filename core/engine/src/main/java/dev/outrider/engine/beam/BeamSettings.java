package dev.outrider.engine.beam;

import dev.outrider.common.Require;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import java.util.List;

/// Settings of a beam search; names and meanings are those of Hugging Face Transformers where it has them
/// (docs/reference/algorithms.md A16.1).
///
/// @param beams         `num_beams`
/// @param nBest         `num_return_sequences`
/// @param lengthPenalty `length_penalty`
/// @param earlyStopping `early_stopping`
/// @param noRepeatNgram `no_repeat_ngram_size`
/// @param minTokens     `min_new_tokens`
/// @param endTokens     `eos_token_id`
public record BeamSettings(
        @Doc("Texts that are followed at a time, 1 to 256.") int beams,
        @Default("1") @Doc("Hypotheses that are returned, at most as many as beams.") int nBest,
        @Default("1")
                @Doc(
                        "A hypothesis of n tokens has the score (sum of log probabilities) / n^lengthPenalty, -10 to 10; above 0 favours long ones.")
                double lengthPenalty,
        @Default("false")
                @Doc(
                        "When to end with as many hypotheses as beams: true at once; false when the best live beam would not beat the"
                                + " worst of them if it ended now; never when none can any more.")
                EarlyStopping earlyStopping,
        @Default("0") @Doc("No run of so many tokens occurs twice, the prompt included; 0 is off.")
                int noRepeatNgram,
        @Default("0") @Doc("Tokens before which no hypothesis ends.") int minTokens,
        @Default("[]") @Doc("Ids of the tokens that end a hypothesis; none means the target's own.")
                List<Integer> endTokens) {
    /// The most beams of a search.
    public static final int MAX_BEAMS = 256;

    private static final int MAX_END_TOKENS = 64;
    private static final double MAX_PENALTY = 10;

    public BeamSettings {
        endTokens = List.copyOf(endTokens);
        Require.between("beams", beams, 1, MAX_BEAMS);
        Require.between("nBest", nBest, 1, beams);
        Require.that(
                lengthPenalty >= -MAX_PENALTY && lengthPenalty <= MAX_PENALTY,
                "lengthPenalty %s must be between -10 and 10",
                lengthPenalty);
        Require.that(noRepeatNgram >= 0, "noRepeatNgram %d must be 0 (off) or more", noRepeatNgram);
        Require.that(minTokens >= 0, "minTokens %d must be 0 or more", minTokens);
        Require.that(
                endTokens.size() <= MAX_END_TOKENS,
                "endTokens has %d ids, expected at most 64",
                endTokens.size());
        for (int token : endTokens) {
            Require.that(token >= 0, "endTokens has %d, expected 0 or more", token);
        }
    }

    /// The time at which a search ends that has as many hypotheses as beams. It ends in any case if no beam is left.
    public enum EarlyStopping {
        /// When the best live beam, if it ended now, would not beat the worst hypothesis.
        FALSE,
        /// At once.
        TRUE,
        /// When no live beam can beat the worst hypothesis any more at any length.
        NEVER
    }
}
