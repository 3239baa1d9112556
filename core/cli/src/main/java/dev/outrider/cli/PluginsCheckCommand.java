package dev.outrider.cli;

import dev.outrider.config.ConfigLoader.Change;
import dev.outrider.config.KeyDescription;
import dev.outrider.engine.check.Compatibility;
import dev.outrider.engine.plugins.ComponentKind;
import dev.outrider.engine.plugins.Components;
import dev.outrider.engine.plugins.Factories;
import dev.outrider.engine.plugins.LoadedFolder;
import dev.outrider.engine.plugins.PluginRegistry;
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
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `outrider plugins check`: loads a plugin folder as a run would, and runs the conformance suites on its components.
@Command(name = "check")
final class PluginsCheckCommand extends Subcommand {
    private static final int TABLE_TOKENS = 7;
    private static final long TABLE_SEED = 5;
    private static final double TABLE_TOLERANCE = 1e-5;

    /// The tolerance for distributions that a drafter computes with a network, whose rounding shows in them.
    private static final double NETWORK_TOLERANCE = 1e-3;

    @Parameters(paramLabel = "DIR")
    private Path folder = Path.of("");

    @Option(names = "--model", paramLabel = "MODEL")
    private Optional<Path> model = Optional.empty();

    @Option(names = "--learns")
    private boolean learns;

    @Option(names = "--time-limit", paramLabel = "SECONDS", defaultValue = "60")
    private double seconds;

    @Mixin private Options.SetOption set = new Options.SetOption();

    @Override
    public Integer call() {
        require(
                seconds > 0 && seconds <= 3600,
                "--time-limit",
                seconds,
                "more than 0 and at most 3600");
        var suites = new SuiteRunner(Duration.ofMillis(Math.round(1000 * seconds)));
        try (var loaded = LoadedFolder.open(folder, getClass().getClassLoader())) {
            context().plugins().with(loaded.installed());
            var own = PluginRegistry.of(List.of(loaded.installed()));
            var kinds = Stream.concat(ComponentKind.all().stream(), ServiceGroup.kinds().stream());
            var brought = kinds.<Components<?>>map(kind -> all(own, kind)).toList();
            out().printf("%s loads: %s%n", loaded.installed().origin(), counts(brought));
            requireKnown(brought);
            var outcomes = EnumSet.noneOf(Outcome.class);
            for (var kind : brought) {
                for (var each : kind.all()) {
                    var results = check(each, suites);
                    out().printf("%n%s %s%n", kind.kind().label(), each.name());
                    out().print(lines(results));
                    results.forEach(result -> outcomes.add(result.outcome()));
                }
            }
            return exitCode(outcomes);
        }
    }

    private int exitCode(Set<Outcome> outcomes) {
        if (outcomes.contains(Outcome.BROKEN)) {
            return ExitCode.REJECTED;
        }
        if (outcomes.contains(Outcome.UNDECIDED) || outcomes.contains(Outcome.HUNG)) {
            err().printf(
                            "Some checks did not end within %s s and are not decided; --time-limit gives each of them longer.%n",
                            seconds);
            return ExitCode.FAILURE;
        }
        return ExitCode.OK;
    }

    private static Components<?> all(PluginRegistry own, ComponentKind<?> kind) {
        return own.kind(kind.factoryType())
                .<Components<?>>map(found -> found)
                .orElseGet(() -> own.services(kind));
    }

    private static String counts(List<Components<?>> brought) {
        var counts =
                brought.stream()
                        .filter(kind -> !kind.all().isEmpty())
                        .map(PluginsCheckCommand::count)
                        .collect(Collectors.joining(", "));
        return counts.isEmpty() ? "nothing" : counts;
    }

    private static String count(Components<?> found) {
        int number = found.all().size();
        return "%d %s".formatted(number, number == 1 ? found.noun() : found.kind().plural());
    }

    private List<SuiteRunner.Result> check(Components.Installed<?> each, SuiteRunner suites) {
        return switch (each.factory()) {
            case Drafter.Factory<?> drafter -> ofDrafter(drafter, config(drafter), suites);
            case AcceptanceRule.Factory<?> rule ->
                    suites.ofRule(Factories.rule(rule, config(rule)));
            case DraftLengthPolicy.Factory<?> lengths -> {
                var config = config(lengths);
                yield suites.ofDraftLengths(lengths, () -> Factories.lengths(lengths, config));
            }
            case LogitsProcessor.Factory<?> processor -> {
                var config = config(processor);
                yield against(
                        model.isEmpty() ? table() : network(),
                        target ->
                                suites.ofProcessor(
                                        Factories.processor(processor, config, target),
                                        target.description().vocabularySize()));
            }
            case RunListener.Factory<?> listener -> {
                var config = config(listener);
                yield suites.ofListener(
                        listener, folder -> Factories.listener(listener, config, folder));
            }
            case TargetModel.Factory<?> _ ->
                    notRun(each, "opening it: that needs a model; extend TargetConformance");
            default -> notRun(each, "running it: that needs data; see --help of its command");
        };
    }

    /// Returns the checks of a drafter, with a random table as its target, or the demo target if it reads hidden states.
    private List<SuiteRunner.Result> ofDrafter(
            Drafter.Factory<?> factory, Record config, SuiteRunner suites) {
        var chosen = new DrafterChoice(factory.name(), factory, config);
        var declared = Factories.traits(chosen);
        boolean table = model.isEmpty() && !declared.needsHiddenStates();
        var leftover = new LeftoverThreads();
        var results =
                new ArrayList<>(
                        against(
                                table ? table() : network(),
                                target -> {
                                    var drafter = Factories.drafter(chosen, () -> target);
                                    Compatibility.requireDeclared(
                                            factory.name(),
                                            declared,
                                            Factories.traits(chosen, drafter));
                                    return ofDrafter(
                                            target,
                                            drafter,
                                            table ? TABLE_TOLERANCE : NETWORK_TOLERANCE,
                                            suites);
                                }));
        results.add(leftover.result());
        return results;
    }

    private List<SuiteRunner.Result> ofDrafter(
            TargetModel target, Drafter drafter, double tolerance, SuiteRunner suites) {
        var results = new ArrayList<>(suites.ofDrafter(target, drafter, learns, tolerance));
        if (!hung(results)) {
            results.add(suites.closing(drafter));
        }
        return results;
    }

    /// Returns the checks with a target, which is closed unless one of them hangs: that one may still use it until the process
    /// ends.
    private static List<SuiteRunner.Result> against(
            TargetModel target, Function<TargetModel, List<SuiteRunner.Result>> checks) {
        boolean free = true;
        try {
            var results = checks.apply(target);
            free = !hung(results);
            return results;
        } finally {
            if (free) {
                target.close();
            }
        }
    }

    private static boolean hung(List<SuiteRunner.Result> results) {
        return results.stream().anyMatch(result -> result.outcome() == SuiteRunner.Outcome.HUNG);
    }

    /// Returns the configuration of a component with the settings of `--set`.
    private Record config(ComponentFactory<?> factory) {
        var name = factory.name();
        try {
            return context()
                    .parsed("{}", "'" + name + "'", factory.configType(), settings(name))
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

    private TargetModel network() {
        var folder = model.orElse(context().root().resolve("models/demo-target"));
        return new VectorTargetFactory()
                .open(
                        new VectorTargetConfig(
                                folder,
                                Optional.of(Precision.F32),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()));
    }

    /// Returns results that list the checks which are not run for this kind of component.
    private static List<SuiteRunner.Result> notRun(Components.Installed<?> each, String what) {
        KeyDescription.of(each.configType());
        return List.of(
                new SuiteRunner.Result("itsKeysCanBeConfigured", Outcome.KEPT, ""),
                new SuiteRunner.Result("everythingElse", Outcome.SKIPPED, what));
    }

    /// Refuses settings of components that the plugin does not have.
    private void requireKnown(List<Components<?>> brought) {
        var names =
                brought.stream()
                        .flatMap(kind -> kind.names().stream())
                        .collect(Collectors.toCollection(TreeSet::new));
        for (var value : set.values()) {
            if (names.stream().noneMatch(name -> value.startsWith(name + "."))) {
                throw wrong(
                        "--set %s begins with none of what the plugin brings: %s, as in %s.key=value"
                                .formatted(
                                        value,
                                        String.join(", ", names),
                                        names.isEmpty() ? "my-drafter" : names.first()));
            }
        }
    }

    /// Returns the settings that `--set` gives for one component.
    private List<Change> settings(String component) {
        var prefix = component + ".";
        return set.values().stream()
                .filter(value -> value.startsWith(prefix))
                .map(value -> new Change("--set " + value, value.substring(prefix.length())))
                .toList();
    }

    /// Returns lines with the result of each check.
    static String lines(List<SuiteRunner.Result> results) {
        var lines = new StringBuilder();
        for (var result : results) {
            var mark =
                    switch (result.outcome()) {
                        case KEPT -> "kept";
                        case BROKEN -> "BROKEN";
                        case UNDECIDED, HUNG -> "not decided";
                        case SKIPPED -> "skipped";
                    };
            lines.append("  %-7s %s%n".formatted(mark, words(result.check())));
            result.detail()
                    .lines()
                    .forEach(line -> lines.append("            %s%n".formatted(line)));
        }
        return lines.toString();
    }

    /// Returns `greedyOutputEqualsPlainDecoding` as words.
    private static String words(String check) {
        return check.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
    }

    /// Finds threads that a plugin started and did not end.
    static final class LeftoverThreads {
        /// Threads of the JDK, of the tensor engine and of the check itself, by the prefixes of their names.
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
