package dev.outrider.drafter.lookahead;

import dev.outrider.common.Require;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.draft.DrafterTraits;

/// Configuration of the drafter `jacobi`.
///
/// @see "Santilli et al. 2023: Accelerating transformer inference for translation via parallel decoding, section 3"
@Doc("Jacobi decoding: each pass replaces a chain of guesses by the target's own tokens after it.")
public record JacobiConfig(
        @Doc("Tokens guessed a round, 1 to 512.") @Default("8") int length,
        @Doc(
                        "Guess the tokens that the noise of rule gumbel-coupled would choose instead of the most"
                                + " probable ones. Only worth while with that rule, at temperatures above 0.")
                @Default("false")
                boolean coupled,
        @Doc("Seed of the prompt tokens where nothing is known yet; any whole number.")
                @Default("1")
                long seed) {
    private static final int MAX = 512;

    public JacobiConfig {
        Require.between("length", length, 1, MAX);
    }

    DrafterTraits traits() {
        return DrafterTraits.chain(length).readingRejectedNodes();
    }
}
