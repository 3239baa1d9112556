package dev.outrider.cli;

import dev.outrider.config.ConfigLoader;
import dev.outrider.engine.check.DeclaredTraits;
import dev.outrider.engine.plugins.PluginContext;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.target.DjlTargetConfig;
import dev.outrider.nn.target.DjlTargetFactory;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.SuiteRunner;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Configures components of a plugin and puts them through the conformance suites.
final class ConformanceCheck {
    private static final int TABLE_TOKENS = 7;
    private static final long TABLE_SEED = 5;
    private static final double TABLE_TOLERANCE = 1e-5;

    /// Rounding of a network shows in distributions that a drafter computes from it.
    private static final double NETWORK_TOLERANCE = 1e-3;

    private final ConfigLoader loader;
    private final Checkout checkout;

    @Inject
    ConformanceCheck(ConfigLoader loader, Checkout checkout) {
        this.loader = loader;
        this.checkout = checkout;
    }

    /// The checks of a drafter.
    ///
    /// @param model    folder of the target; a made-up table, or the demo target if the drafter reads hidden states, when
    ///                 empty
    /// @param settings values of its configuration's keys
    /// @throws OutriderException if it cannot be configured or loaded
    <C extends Record> List<SuiteRunner.Result> drafter(
            Drafter.Factory<C> factory,
            Optional<Path> model,
            List<String> settings,
            boolean learns,
            SuiteRunner suites) {
        var config = config(factory.name(), factory.configType(), settings);
        boolean table = model.isEmpty() && !factory.traits(config).needsHiddenStates();
        var leftover = new LeftoverThreads();
        var results = new ArrayList<SuiteRunner.Result>();
        var target =
                table
                        ? table()
                        : network(model.orElse(checkout.root().resolve("models/demo-target")));
        boolean free = true;
        try {
            var drafter = PluginContext.during(factory, () -> factory.create(config, () -> target));
            var tolerance = table ? TABLE_TOLERANCE : NETWORK_TOLERANCE;
            DeclaredTraits.checked(factory.name(), factory.traits(config), drafter);
            results.addAll(suites.ofDrafter(target, drafter, learns, tolerance));
            if (!hung(results)) {
                results.add(suites.closing(drafter));
            }
            free = !hung(results);
        } finally {
            if (free) {
                target.close();
            }
        }
        results.add(leftover.result());
        return results;
    }

    /// A check that hangs may still use drafter and target, which then end with the process.
    private static boolean hung(List<SuiteRunner.Result> results) {
        return results.stream().anyMatch(result -> result.outcome() == SuiteRunner.Outcome.HUNG);
    }

    /// The checks of an acceptance rule.
    ///
    /// @param settings values of its configuration's keys
    <C extends Record> List<SuiteRunner.Result> rule(
            AcceptanceRule.Factory<C> factory, List<String> settings, SuiteRunner suites) {
        return suites.ofRule(
                factory.create(config(factory.name(), factory.configType(), settings)));
    }

    private <C extends Record> C config(String name, Class<C> type, List<String> settings) {
        return loader.parse("{}", "'" + name + "'", Path.of(""), type, settings).config();
    }

    private static TargetModel table() {
        return TableTarget.of(TableModel.random(TABLE_TOKENS, DistributionStyle.DENSE, TABLE_SEED));
    }

    private static TargetModel network(Path folder) {
        return new DjlTargetFactory()
                .open(
                        new DjlTargetConfig(
                                folder,
                                ElementType.F32,
                                Optional.empty(),
                                DjlTargetConfig.Implementation.SCRIPTED,
                                Optional.empty(),
                                Optional.empty()));
    }
}
