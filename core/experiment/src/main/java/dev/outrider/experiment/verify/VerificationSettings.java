package dev.outrider.experiment.verify;

import dev.outrider.common.Require;
import dev.outrider.experiment.run.Prompt;

/// The effort of a verification and its thresholds.
///
/// @param samples generations from one prompt for the joint distribution of the first tokens
/// @param tokens  tokens of long generations, on all prompts, that are compared with the distribution at their own position
/// @param seconds most time for one variant; the samples until then count
/// @param alpha   probability that any test of the whole run refutes although every output is the target's
/// @param effect  a variant that is not refuted is inconclusive unless an effect (Cohen's w) of this size would
///                have been found with 90 % probability
/// @param seed    of the run
/// @param batch   sequences decoded together while sampling
public record VerificationSettings(
        int samples, int tokens, int seconds, double alpha, double effect, long seed, int batch) {
    /// Largest gap of the two best logits at which a greedy difference counts as rounding.
    public static final double ROUNDING_GAP = 1e-3;

    /// Tokens of a long generation.
    private static final int LONG = 64;

    public VerificationSettings {
        Require.atLeast("samples", samples, 1);
        Require.atLeast("tokens", tokens, 1);
        Require.atLeast("time", seconds, 1);
        Require.that(alpha > 0 && alpha < 1, "alpha %s must be between 0 and 1", alpha);
        Require.that(effect > 0 && effect < 100, "effect %s must be above 0 and below 100", effect);
        Require.atLeast("batch", batch, 1);
    }

    /// Tokens of a long generation, fewer if the prompt leaves less room.
    ///
    /// @param positions of the target
    static int longest(int positions, Prompt prompt) {
        return Math.min(LONG, positions - prompt.ids().size());
    }
}
