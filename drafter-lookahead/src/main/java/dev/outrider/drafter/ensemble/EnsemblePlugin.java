package dev.outrider.drafter.ensemble;

import dev.outrider.drafter.ensemble.DrafterSelector.SelectorExperience;
import dev.outrider.drafting.DrafterPlugin;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;

/// Adds the drafters that combine others: `cascade` and `choice`.
public final class EnsemblePlugin extends DrafterPlugin {
    /// The first drafter that proposes anything drafts the round.
    public static final Drafter.Factory<CascadeConfig> CASCADE =
            Drafter.Factory.of(
                    "cascade",
                    CascadeConfig.class,
                    config -> Ensemble.anyOf(config.drafters()),
                    (config, context) ->
                            Ensemble.load(config.drafters(), context, CascadeSession::new));

    /// One drafter, or none, drafts the round: the one with the most tokens per time.
    public static final Drafter.Factory<ChoiceConfig> CHOICE =
            Drafter.Factory.of(
                    "choice",
                    ChoiceConfig.class,
                    config -> Ensemble.anyOf(config.drafters()),
                    EnsemblePlugin::choice);

    private static Drafter choice(ChoiceConfig config, DrafterContext context) {
        var experience = new SelectorExperience(config.drafters().size(), config.trials());
        return Ensemble.load(
                config.drafters(),
                context,
                (sessions, names) ->
                        new ChoiceSession(sessions, names, new DrafterSelector(experience)));
    }

    /// Adds them.
    public EnsemblePlugin() {
        super(CASCADE, CHOICE);
    }
}
