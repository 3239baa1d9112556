package dev.outrider.drafter.lookahead;

import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import java.util.Set;

/// Jacobi decoding for one target. Holds no weights. Thread-safe.
///
/// @param endOfSequence tokens that end a sequence; the chain does not contain them
record JacobiDrafter(JacobiConfig config, Set<Integer> endOfSequence) implements Drafter {
    @Override
    public DrafterTraits traits() {
        return config.traits();
    }

    @Override
    public DraftSession open(DraftRequest request) {
        return new JacobiSession(config, endOfSequence, request);
    }

    @Override
    public void close() {}
}
