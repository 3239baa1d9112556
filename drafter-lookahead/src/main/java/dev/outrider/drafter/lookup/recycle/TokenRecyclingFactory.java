package dev.outrider.drafter.lookup.recycle;

import dev.outrider.drafter.lookup.rank.RankDrafter;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;

/// Makes token recycling drafters. Thread-safe.
public final class TokenRecyclingFactory implements Drafter.Factory<TokenRecyclingConfig> {
    @Override
    public String name() {
        return "token-recycling";
    }

    @Override
    public Class<TokenRecyclingConfig> configType() {
        return TokenRecyclingConfig.class;
    }

    @Override
    public DrafterTraits traits(TokenRecyclingConfig config) {
        return config.traits();
    }

    @Override
    public Drafter create(TokenRecyclingConfig config, DrafterContext context) {
        int vocabulary = context.target().description().vocabularySize();
        return new RankDrafter(config.traits(), config.drafting(), new Successors(vocabulary));
    }
}
