package com.example.retrieval;

import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;

/// Makes the drafter. Thread-safe.
public final class RetrievalFactory implements Drafter.Factory<RetrievalConfig> {
    @Override
    public String name() {
        return "retrieval";
    }

    @Override
    public Class<RetrievalConfig> configType() {
        return RetrievalConfig.class;
    }

    /// Trees of looked-up tokens. The file is not read here.
    @Override
    public DrafterTraits traits(RetrievalConfig config) {
        return DrafterTraits.tree(config.continuations() * config.length(), config.length());
    }

    @Override
    public Drafter create(RetrievalConfig config, DrafterContext context) {
        var tokenizer = context.target().tokenizer();
        var datastore = Datastore.read(config.datastore(), config.match(), tokenizer);
        return new RetrievalDrafter(config, traits(config), datastore);
    }
}
