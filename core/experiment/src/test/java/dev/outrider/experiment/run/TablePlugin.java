package dev.outrider.experiment.run;

import dev.outrider.engine.plugins.EnginePlugin;
import dev.outrider.engine.plugins.InstalledPlugin;
import dev.outrider.engine.plugins.PluginRegistry;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetDescription.SourceReading;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.TableDrafter;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A plugin of fakes: a table as the target, tables as drafters.
public record TablePlugin(FakeClock clock) implements OutriderPlugin {
    private static final int VOCABULARY = 6;
    private static final int MAX_SOURCE = 8;

    /// The target's configuration.
    public record Table(
            @Default("0.9") double sure,
            @Default("64") int maxPositions,
            @Default("false") boolean readsSources,
            @Default("0") int keeps,
            @Default("0") long reading) {}

    /// A drafter's configuration; agreement is the share of prefixes for which its best guess is the target's.
    public record Guess(
            @Default("0.8") double agreement,
            @Default("4") TreePlan tree,
            @Default("{}") SamplingPolicy sampling) {}

    /// The fakes, whose models move a clock, and the engine's own rules.
    public static PluginRegistry installed(FakeClock clock) {
        return PluginRegistry.of(
                List.of(
                        new InstalledPlugin(InstalledPlugin.CLASS_PATH, new EnginePlugin()),
                        new InstalledPlugin("the tables", new TablePlugin(clock))));
    }

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<TargetModel.Factory<?>> targets() {
        return List.of(new Targets(clock));
    }

    @Override
    public List<Drafter.Factory<?>> drafters() {
        return List.of(new Drafters(clock), new Unbending());
    }

    /// The distribution of the target: one token has a high probability, all others are equal. The last two tokens decide which
    /// one.
    static TableModel distribution(double sure) {
        return TableModel.of(VOCABULARY, prefix -> peaked(best(prefix), sure));
    }

    /// A target whose tokens depend on all tokens before them, the source included.
    static TableTarget reading(double sure, int maxPositions) {
        return new TableTarget(
                TableModel.of(
                        VOCABULARY,
                        prefix -> peaked(Math.floorMod(prefix.hashCode(), VOCABULARY), sure)),
                maxPositions,
                Set.of(),
                Optional.of(new SourceReading(MAX_SOURCE, List.of(5))));
    }

    private static int best(List<Integer> prefix) {
        return prefix.subList(Math.max(0, prefix.size() - 2), prefix.size()).hashCode()
                % VOCABULARY;
    }

    private static double[] peaked(int best, double sure) {
        double[] distribution = new double[VOCABULARY];
        Arrays.fill(distribution, (1 - sure) / (VOCABULARY - 1));
        distribution[best] = sure;
        return distribution;
    }

    private static TableModel guesses(double agreement) {
        return TableModel.of(
                VOCABULARY,
                prefix -> {
                    boolean agrees =
                            Math.floorMod(prefix.hashCode() * 0x9e3779b9, 100) < 100 * agreement;
                    return peaked(agrees ? best(prefix) : (best(prefix) + 1) % VOCABULARY, 0.9);
                });
    }

    private record Targets(FakeClock clock) implements TargetModel.Factory<Table> {
        @Override
        public String name() {
            return "table";
        }

        @Override
        public Class<Table> configType() {
            return Table.class;
        }

        @Override
        public TargetModel open(Table config) {
            var table =
                    config.readsSources()
                            ? reading(config.sure(), config.maxPositions())
                            : new TableTarget(
                                    distribution(config.sure()), config.maxPositions(), Set.of());
            var target = new ClockedTarget(table, clock, config.reading());
            return config.keeps() == 0 ? target : new SharingTarget(target, clock, config.keeps());
        }
    }

    private record Drafters(FakeClock clock) implements Drafter.Factory<Guess> {
        @Override
        public String name() {
            return "table";
        }

        @Override
        public Class<Guess> configType() {
            return Guess.class;
        }

        @Override
        public DrafterTraits traits(Guess config) {
            return drafter(config).traits();
        }

        @Override
        public Drafter create(Guess config, DrafterContext context) {
            return new ClockedDrafter(drafter(config), clock);
        }

        private static Drafter drafter(Guess config) {
            return new TableDrafter(guesses(config.agreement()), config.tree(), config.sampling());
        }
    }

    /// A configuration without a tree.
    public record Fixed() {}

    /// A drafter without a key for its shape.
    private record Unbending() implements Drafter.Factory<Fixed> {
        @Override
        public String name() {
            return "unbending";
        }

        @Override
        public Class<Fixed> configType() {
            return Fixed.class;
        }

        @Override
        public DrafterTraits traits(Fixed config) {
            return drafter().traits();
        }

        @Override
        public Drafter create(Fixed config, DrafterContext context) {
            return drafter();
        }

        private static Drafter drafter() {
            return new TableDrafter(guesses(0.5), new TreePlan.Chain(2), SamplingPolicy.argmax());
        }
    }
}
