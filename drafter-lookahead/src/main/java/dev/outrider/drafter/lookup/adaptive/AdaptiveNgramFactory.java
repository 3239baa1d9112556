package dev.outrider.drafter.lookup.adaptive;

import dev.outrider.drafter.lookup.rank.RankDrafter;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;

/// Makes drafters that draft from n-grams which fill themselves. Thread-safe.
public final class AdaptiveNgramFactory implements Drafter.Factory<AdaptiveNgramConfig> {
    @Override
    public String name() {
        return "adaptive-ngram";
    }

    @Override
    public Class<AdaptiveNgramConfig> configType() {
        return AdaptiveNgramConfig.class;
    }

    @Override
    public DrafterTraits traits(AdaptiveNgramConfig config) {
        return config.traits();
    }

    @Override
    public Drafter create(AdaptiveNgramConfig config, DrafterContext context) {
        int width = config.drafting().rankTree().width();
        int vocabulary = context.target().description().vocabularySize();
        return new RankDrafter(
                config.traits(), config.drafting(), new NgramStore(config, width, vocabulary));
    }
}
