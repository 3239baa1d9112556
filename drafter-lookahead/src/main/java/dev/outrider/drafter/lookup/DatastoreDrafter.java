package dev.outrider.drafter.lookup;

import dev.outrider.common.Undo;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;

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

    /// Loads the drafter for a target.
    ///
    /// @throws OutriderException if its file is missing, broken or made with another tokenizer
    static Drafter load(DatastoreConfig config, DrafterContext context) {
        var target = context.target();
        var files = DatastoreFiles.open(config.path(), target.description().vocabularySize());
        return Undo.onFailure(
                files::close,
                () -> {
                    if (!files.tokenizer().equals(target.tokenizer().digest())) {
                        throw ErrorCode.DRAFTER_VOCABULARY_MISMATCH.error(
                                "the datastore '%s' was made with another tokenizer than that of target '%s'"
                                        .formatted(config.path(), target.description().name()),
                                "Make one with the target's tokenizer: 'outrider train datastore --tokenizer FILE'.");
                    }
                    int sorted = files.datastore().sortedTokens();
                    if (config.maxMatch() + config.depth() > sorted) {
                        throw ErrorCode.CONFIG_INVALID.error(
                                "maxMatch %d and depth %d together exceed the %d tokens by which the datastore '%s' is sorted"
                                        .formatted(
                                                config.maxMatch(),
                                                config.depth(),
                                                sorted,
                                                config.path()),
                                "Lower one of them, or make the datastore with a greater sortedTokens.");
                    }
                    return new DatastoreDrafter(config, files);
                });
    }
}
