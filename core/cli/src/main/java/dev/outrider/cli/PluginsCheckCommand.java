package dev.outrider.cli;

import dev.outrider.config.Change;
import dev.outrider.config.KeyDescription;
import dev.outrider.engine.plugins.ComponentKind;
import dev.outrider.engine.plugins.Components;
import dev.outrider.engine.plugins.LoadedFolder;
import dev.outrider.engine.plugins.PluginRegistry;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.run.RunListener;
import dev.outrider.spi.target.LogitsProcessor;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.SuiteRunner;
import dev.outrider.testkit.SuiteRunner.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `outrider plugins check`: loads a plugin folder as a run would, and puts what it brings through the
/// conformance suites.
@Command(name = "check")
final class PluginsCheckCommand extends Subcommand {

    @Parameters(paramLabel = "DIR")
    private Path folder = Path.of("");

    @Option(names = "--model", paramLabel = "DIR")
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
                    outcomes.addAll(print(kind.kind().label(), each.name(), check(each, suites)));
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
        var settings = settings(each.name());
        return switch (each.factory()) {
            case Drafter.Factory<?> drafter ->
                    new ConformanceCheck(context())
                            .drafter(drafter, model, settings, learns, suites);
            case AcceptanceRule.Factory<?> rule ->
                    new ConformanceCheck(context()).rule(rule, settings, suites);
            case DraftLengthPolicy.Factory<?> lengths ->
                    new ConformanceCheck(context()).draftLengths(lengths, settings, suites);
            case LogitsProcessor.Factory<?> processor ->
                    new ConformanceCheck(context()).processor(processor, model, settings, suites);
            case RunListener.Factory<?> listener ->
                    new ConformanceCheck(context()).listener(listener, settings, suites);
            case TargetModel.Factory<?> _ ->
                    notRun(each, "opening it: that needs a model; extend TargetConformance");
            default -> notRun(each, "running it: that needs data; see --help of its command");
        };
    }

    /// Returns results that say which checks are not run for this kind of component.
    private static List<SuiteRunner.Result> notRun(Components.Installed<?> each, String what) {
        KeyDescription.of(each.configType());
        return List.of(
                new SuiteRunner.Result("itsKeysCanBeConfigured", Outcome.KEPT, ""),
                new SuiteRunner.Result("everythingElse", Outcome.SKIPPED, what));
    }

    /// Refuses settings of components that the plugin does not bring.
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

    private Set<Outcome> print(String kind, String name, List<SuiteRunner.Result> results) {
        out().printf("%n%s %s%n", kind, name);
        for (var result : results) {
            var mark =
                    switch (result.outcome()) {
                        case KEPT -> "kept";
                        case BROKEN -> "BROKEN";
                        case UNDECIDED, HUNG -> "not decided";
                        case SKIPPED -> "skipped";
                    };
            out().printf("  %-7s %s%n", mark, words(result.check()));
            result.detail().lines().forEach(line -> out().println("            " + line));
        }
        return results.stream()
                .map(SuiteRunner.Result::outcome)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Outcome.class)));
    }

    /// `greedyOutputEqualsPlainDecoding` as words.
    private static String words(String check) {
        return check.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
    }
}
