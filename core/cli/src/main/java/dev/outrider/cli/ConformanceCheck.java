package dev.outrider.cli;

import dev.outrider.config.Change;
import dev.outrider.engine.check.Compatibility;
import dev.outrider.engine.plugins.Factories;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.target.VectorTargetConfig;
import dev.outrider.nn.target.VectorTargetFactory;
import dev.outrider.spi.config.ComponentFactory;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterChoice;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.run.RunListener;
import dev.outrider.spi.target.LogitsProcessor;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.SuiteRunner;
import dev.outrider.testkit.SuiteRunner.Outcome;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Configures components of a plugin and puts them through the conformance suites.
final class ConformanceCheck {
    private static final int TABLE_TOKENS = 7;
    private static final long TABLE_SEED = 5;
    private static final double TABLE_TOLERANCE = 1e-5;

    /// Rounding of a network shows in distributions that a drafter computes from it.
    private static final double NETWORK_TOLERANCE = 1e-3;

    private final CommandContext context;

    ConformanceCheck(CommandContext context) {
        this.context = context;
    }

    /// The checks of a drafter.
    ///
    /// @param model    folder of the target; a made-up table, or the demo target if the drafter reads hidden states, when
    ///                 empty
    /// @param settings values of its configuration's keys
    /// @throws OutriderException if it cannot be configured or loaded
    List<SuiteRunner.Result> drafter(
            Drafter.Factory<?> factory,
            Optional<Path> model,
            List<Change> settings,
            boolean learns,
            SuiteRunner suites) {
        var chosen = new DrafterChoice(factory.name(), factory, config(factory, settings));
        var declared = Factories.traits(chosen);
        boolean table = model.isEmpty() && !declared.needsHiddenStates();
        var leftover = new LeftoverThreads();
        var results = new ArrayList<SuiteRunner.Result>();
        var target = table ? table() : network(model);
        boolean free = true;
        try {
            var drafter = Factories.drafter(chosen, () -> target);
            var tolerance = table ? TABLE_TOLERANCE : NETWORK_TOLERANCE;
            Compatibility.requireDeclared(
                    factory.name(), declared, Factories.traits(chosen, drafter));
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
    List<SuiteRunner.Result> rule(
            AcceptanceRule.Factory<?> factory, List<Change> settings, SuiteRunner suites) {
        return suites.ofRule(Factories.rule(factory, config(factory, settings)));
    }

    /// The checks of a draft-length policy.
    ///
    /// @param settings values of its configuration's keys
    List<SuiteRunner.Result> draftLengths(
            DraftLengthPolicy.Factory<?> factory, List<Change> settings, SuiteRunner suites) {
        var config = config(factory, settings);
        return suites.ofDraftLengths(factory, () -> Factories.lengths(factory, config));
    }

    /// The checks of a logits processor.
    ///
    /// @param model    folder of the target whose logits it is made for; a made-up table when empty
    /// @param settings values of its configuration's keys
    List<SuiteRunner.Result> processor(
            LogitsProcessor.Factory<?> factory,
            Optional<Path> model,
            List<Change> settings,
            SuiteRunner suites) {
        var config = config(factory, settings);
        var target = model.isEmpty() ? table() : network(model);
        boolean free = true;
        try {
            var processor = Factories.processor(factory, config, target);
            var results = suites.ofProcessor(processor, target.description().vocabularySize());
            free = !hung(results);
            return results;
        } finally {
            if (free) {
                target.close();
            }
        }
    }

    /// The checks of a listener.
    ///
    /// @param settings values of its configuration's keys
    List<SuiteRunner.Result> listener(
            RunListener.Factory<?> factory, List<Change> settings, SuiteRunner suites) {
        var config = config(factory, settings);
        return suites.ofListener(factory, folder -> Factories.listener(factory, config, folder));
    }

    private Record config(ComponentFactory<?> factory, List<Change> settings) {
        var name = factory.name();
        try {
            return context.loader()
                    .parseWith("{}", "'" + name + "'", Path.of(""), factory.configType(), settings)
                    .config();
        } catch (OutriderException e) {
            throw new OutriderException(
                    e.code(),
                    e.problem(),
                    "Give keys and values with --set %s.KEY=VALUE.".formatted(name),
                    e);
        }
    }

    private static TargetModel table() {
        return TableTarget.of(TableModel.random(TABLE_TOKENS, DistributionStyle.DENSE, TABLE_SEED));
    }

    private TargetModel network(Optional<Path> model) {
        return network(model.orElse(context.root().resolve("models/demo-target")));
    }

    private static TargetModel network(Path folder) {
        return new VectorTargetFactory()
                .open(
                        new VectorTargetConfig(
                                folder,
                                Optional.of(Precision.F32),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()));
    }

    /// Finds threads that a plugin started and did not end.
    static final class LeftoverThreads {
        /// Threads of the JDK, of the tensor engine and of the check itself, by the beginning of their names.
        private static final List<String> OURS =
                List.of(
                        "check ",
                        "ForkJoinPool",
                        "Cleaner",
                        "Common-Cleaner",
                        "JNA Cleaner",
                        "process reaper");

        private static final Duration PATIENCE = Duration.ofMillis(500);

        private final Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());

        /// Returns the check that no thread outlives the drafter: threads started since this was made must have ended.
        SuiteRunner.Result result() {
            var left =
                    Thread.getAllStackTraces().keySet().stream()
                            .filter(thread -> !before.contains(thread) && !isOurs(thread))
                            .filter(thread -> !ends(thread))
                            .map(Thread::getName)
                            .sorted()
                            .collect(Collectors.joining(", "));
            return new SuiteRunner.Result(
                    "everyThreadEndsWithTheDrafter",
                    left.isEmpty() ? Outcome.KEPT : Outcome.BROKEN,
                    left.isEmpty() ? "" : "still running after close(): " + left);
        }

        private static boolean isOurs(Thread thread) {
            return OURS.stream().anyMatch(thread.getName()::startsWith);
        }

        private static boolean ends(Thread thread) {
            try {
                return thread.join(PATIENCE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }
}
