package dev.outrider.drafter.lookup;

import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import java.util.function.Supplier;

/// A drafter that opens a new [HistoryIndex] for every sequence and has no other state.
/// Thread-safe.
///
/// @param traits of its drafts
/// @param index  creates an empty index
record HistoryDrafter(DrafterTraits traits, Supplier<HistoryIndex> index) implements Drafter {
    @Override
    public DraftSession open(DraftRequest request) {
        return new HistorySession(index, request.source());
    }

    @Override
    public void close() {}
}
