package com.example.fuzzylookup;

import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;

/// Makes the drafter. Thread-safe.
public final class FuzzyLookupFactory implements Drafter.Factory<FuzzyLookupConfig> {
    @Override
    public String name() {
        return "fuzzy-lookup";
    }

    @Override
    public Class<FuzzyLookupConfig> configType() {
        return FuzzyLookupConfig.class;
    }

    /// Chains of looked-up tokens: drawn from no known distribution, reading nothing of the target.
    @Override
    public DrafterTraits traits(FuzzyLookupConfig config) {
        return DrafterTraits.chain(config.length());
    }

    @Override
    public Drafter create(FuzzyLookupConfig config, DrafterContext context) {
        return new FuzzyLookupDrafter(config, traits(config));
    }
}
