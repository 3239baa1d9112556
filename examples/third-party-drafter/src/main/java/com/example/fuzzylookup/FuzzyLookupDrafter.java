package com.example.fuzzylookup;

import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;

/// The loaded drafter. A model would be held here, shared by all sequences; a lookup has none. Thread-safe.
///
/// @param config what the configuration says
/// @param traits what it produces
record FuzzyLookupDrafter(FuzzyLookupConfig config, DrafterTraits traits) implements Drafter {
    @Override
    public DraftSession open(DraftRequest request) {
        return new FuzzyLookupSession(config, request.capacity());
    }

    @Override
    public void close() {}
}
