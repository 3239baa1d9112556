package dev.outrider.drafter.medusa.sequence;

import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import java.util.Optional;

/// The way in which a trained recurrent head reads tokens.
///
/// @see "Cheng et al. 2024 (ReDrafter), section 3.1"
public record Recurrence(
        @Doc(
                        "Whether the draft state is SiLU(U s + W e + b); otherwise it is the sum of the tokens' embeddings.")
                @Default("true")
                boolean rnn,
        @Doc(
                        "Width of what the blocks read; twice the hidden size, hidden state and draft state end to end, when it is not"
                                + " given.")
                Optional<Integer> exitSize) {
    public Recurrence {
        if (exitSize.filter(size -> size < 1).isPresent()) {
            throw new IllegalArgumentException(
                    "'exitSize' must be at least 1, got " + exitSize.get());
        }
    }

    /// Returns the width of the blocks' input.
    ///
    /// @param hidden the target's hidden size
    int exit(int hidden) {
        return exitSize.orElse(2 * hidden);
    }
}
