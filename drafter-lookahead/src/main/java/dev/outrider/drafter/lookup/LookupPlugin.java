package dev.outrider.drafter.lookup;

import dev.outrider.drafter.lookup.adaptive.AdaptiveNgramFactory;
import dev.outrider.drafter.lookup.datastore.DatastoreFactory;
import dev.outrider.drafter.lookup.ngram.NgramFactory;
import dev.outrider.drafter.lookup.prompt.PromptLookupFactory;
import dev.outrider.drafter.lookup.recycle.TokenRecyclingFactory;
import dev.outrider.drafter.lookup.suffix.SuffixAutomatonFactory;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.draft.Drafter;
import java.util.List;

/// Adds the drafters that look things up.
public final class LookupPlugin implements OutriderPlugin {
    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<Drafter.Factory<?>> drafters() {
        return List.of(
                new PromptLookupFactory(),
                new SuffixAutomatonFactory(),
                new TokenRecyclingFactory(),
                new NgramFactory(),
                new AdaptiveNgramFactory(),
                new DatastoreFactory());
    }
}
