package dev.outrider.drafter.lookahead;

import dev.outrider.common.Require;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.draft.DrafterTraits;

/// Configuration of the drafter `lookahead`. A pass has about `(level - 1) (window + guesses)` rows.
///
/// @see "Fu et al. 2024: Break the sequential dependency of LLM inference using lookahead decoding, section 3"
@Doc(
        "Lookahead decoding: the target's own passes refine a window of guesses, and its n-grams are the"
                + " drafts.")
public record LookaheadConfig(
        @Doc("W: columns of the window, 1 to 512.") @Default("7") int window,
        @Doc("N: tokens of an n-gram, its key included, 2 to 32; the window has N - 1 levels.")
                @Default("5")
                int level,
        @Doc("G: n-grams kept for each key, the oldest dropped, and guessed a round; 1 to 512.")
                @Default("7")
                int guesses,
        @Doc(
                        "Also collects the n-grams of the prompt and of what is generated, as prompt lookup"
                                + " does.")
                @Default("false")
                boolean poolFromPrompt,
        @Doc("Seed of the prompt tokens that fill the window at first; any whole number.")
                @Default("1")
                long seed) {
    private static final int MAX_COLUMNS = 512;
    private static final int MAX_LEVELS = 32;

    public LookaheadConfig {
        Require.between("window", window, 1, MAX_COLUMNS);
        Require.between("level", level, 2, MAX_LEVELS);
        Require.between("guesses", guesses, 1, MAX_COLUMNS);
    }

    DrafterTraits traits() {
        return DrafterTraits.tree(maxNodes(), level - 1).readingRejectedNodes();
    }

    /// Returns the nodes of the largest draft: the whole window with every guess, or the window
    /// while it fills, when it has fewer but longer levels.
    private int maxNodes() {
        int most = (level - 1) * (window + guesses) - 1;
        for (int filled = 1; filled < level - 1; filled++) {
            most = Math.max(most, filled * (window + level - 1 - filled) - 1);
        }
        return most;
    }
}
