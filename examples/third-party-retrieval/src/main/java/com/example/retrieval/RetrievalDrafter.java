package com.example.retrieval;

import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;

/// The loaded drafter: the datastore, shared by all sequences. Thread-safe.
///
/// @param config    what the configuration says
/// @param traits    what it produces
/// @param datastore the text
record RetrievalDrafter(RetrievalConfig config, DrafterTraits traits, Datastore datastore)
        implements Drafter {
    /// Results name it, so that a table says which text was looked in.
    @Override
    public String digest() {
        return datastore.digest();
    }

    @Override
    public DraftSession open(DraftRequest request) {
        return new RetrievalSession(config, datastore, request.capacity());
    }

    @Override
    public void close() {}
}
