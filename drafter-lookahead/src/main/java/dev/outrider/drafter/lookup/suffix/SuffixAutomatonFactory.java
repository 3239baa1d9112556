package dev.outrider.drafter.lookup.suffix;

import dev.outrider.drafter.lookup.history.HistoryDrafter;
import dev.outrider.drafter.lookup.history.WindowedIndex;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;

/// Makes suffix automaton drafters. Thread-safe.
public final class SuffixAutomatonFactory implements Drafter.Factory<SuffixAutomatonConfig> {
    @Override
    public String name() {
        return "suffix-automaton";
    }

    @Override
    public Class<SuffixAutomatonConfig> configType() {
        return SuffixAutomatonConfig.class;
    }

    @Override
    public DrafterTraits traits(SuffixAutomatonConfig config) {
        return config.traits();
    }

    @Override
    public Drafter create(SuffixAutomatonConfig config, DrafterContext context) {
        return new HistoryDrafter(
                config.traits(),
                () -> new WindowedIndex(() -> new SuffixIndex(config), config.window()));
    }
}
