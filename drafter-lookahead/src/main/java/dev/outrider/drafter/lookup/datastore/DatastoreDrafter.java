package dev.outrider.drafter.lookup.datastore;

import dev.outrider.drafter.lookup.history.HistorySession;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;

/// Drafts for any number of sequences from one datastore, whose files it owns. Thread-safe.
record DatastoreDrafter(DatastoreConfig config, DatastoreFiles files) implements Drafter {
    @Override
    public DrafterTraits traits() {
        return config.traits();
    }

    @Override
    public String digest() {
        return files.digest();
    }

    @Override
    public DraftSession open(DraftRequest request) {
        return new HistorySession(
                () -> new DatastoreIndex(files.datastore(), config), request.source());
    }

    @Override
    public void close() {
        files.close();
    }
}
