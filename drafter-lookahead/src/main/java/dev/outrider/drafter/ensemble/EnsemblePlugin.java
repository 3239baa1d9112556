package dev.outrider.drafter.ensemble;

import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import java.util.List;

/// Adds the drafters that combine others: `cascade`, `choice` and `union`.
public final class EnsemblePlugin implements OutriderPlugin {
    /// The first drafter that proposes anything drafts the round.
    public static final Drafter.Factory<CascadeConfig> CASCADE =
            Drafter.Factory.of(
                    "cascade",
                    CascadeConfig.class,
                    CascadeConfig::traits,
                    (config, context) ->
                            Ensemble.load(
                                    config.drafters(),
                                    context,
                                    config.traits(),
                                    sessions ->
                                            new CascadeSession(
                                                    sessions, Ensemble.names(config.drafters()))));

    /// One drafter, or none, drafts the round: the one with the most tokens per time.
    public static final Drafter.Factory<ChoiceConfig> CHOICE =
            Drafter.Factory.of(
                    "choice", ChoiceConfig.class, ChoiceConfig::traits, EnsemblePlugin::choice);

    /// All drafters guess, and their guesses share one tree.
    public static final Drafter.Factory<UnionConfig> UNION =
            Drafter.Factory.of(
                    "union",
                    UnionConfig.class,
                    UnionConfig::traits,
                    (config, context) ->
                            Ensemble.load(
                                    config.drafters(),
                                    context,
                                    config.traits(),
                                    sessions ->
                                            new UnionSession(
                                                    sessions,
                                                    Ensemble.names(config.drafters()),
                                                    config.totalNodes())));

    private static Drafter choice(ChoiceConfig config, DrafterContext context) {
        var names = Ensemble.names(config.drafters());
        var experience = new SelectorExperience(names.size(), config.trials());
        return Ensemble.load(
                config.drafters(),
                context,
                config.traits(),
                sessions -> new ChoiceSession(sessions, names, new DrafterSelector(experience)));
    }

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<Drafter.Factory<?>> drafters() {
        return List.of(CASCADE, CHOICE, UNION);
    }
}
