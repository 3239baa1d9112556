package dev.outrider.drafter.lookup.prompt;

import dev.outrider.drafter.lookup.history.HistoryDrafter;
import dev.outrider.drafter.lookup.history.WindowedIndex;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;

/// Makes prompt lookup drafters. Thread-safe.
public final class PromptLookupFactory implements Drafter.Factory<PromptLookupConfig> {
    @Override
    public String name() {
        return "prompt-lookup";
    }

    @Override
    public Class<PromptLookupConfig> configType() {
        return PromptLookupConfig.class;
    }

    @Override
    public DrafterTraits traits(PromptLookupConfig config) {
        return config.traits();
    }

    @Override
    public Drafter create(PromptLookupConfig config, DrafterContext context) {
        return new HistoryDrafter(
                config.traits(),
                () -> new WindowedIndex(() -> new NgramIndex(config), config.window()));
    }
}
