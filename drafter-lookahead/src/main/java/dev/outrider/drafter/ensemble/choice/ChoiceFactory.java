package dev.outrider.drafter.ensemble.choice;

import dev.outrider.drafter.ensemble.Ensemble;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;

/// Makes choices between drafters. Thread-safe.
public final class ChoiceFactory implements Drafter.Factory<ChoiceConfig> {
    @Override
    public String name() {
        return "choice";
    }

    @Override
    public Class<ChoiceConfig> configType() {
        return ChoiceConfig.class;
    }

    @Override
    public DrafterTraits traits(ChoiceConfig config) {
        return config.traits();
    }

    @Override
    public Drafter create(ChoiceConfig config, DrafterContext context) {
        var names = Ensemble.names(config.drafters());
        var experience = new PartExperience(names.size(), config.trials());
        return Ensemble.load(
                config.drafters(),
                context,
                config.traits(),
                sessions -> new ChoiceSession(sessions, names, new PartChooser(experience)));
    }
}
