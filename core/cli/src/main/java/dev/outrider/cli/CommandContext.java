package dev.outrider.cli;

import dev.outrider.common.Ticker;
import dev.outrider.config.ConfigLoader;
import dev.outrider.config.ConfigLoader.Change;
import dev.outrider.config.EffectiveConfig;
import dev.outrider.config.Loaded;
import dev.outrider.engine.plugins.PluginRegistry;
import dev.outrider.experiment.bench.Bench;
import dev.outrider.experiment.bench.Host;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.results.Provenance.GitState;
import dev.outrider.experiment.run.Comparison;
import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.ComparisonResult;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.sweep.CellRunner;
import dev.outrider.experiment.sweep.CellRunner.SweepListener;
import dev.outrider.experiment.sweep.SweepFolder;
import dev.outrider.experiment.sweep.SweepPlan;
import dev.outrider.experiment.sweep.SweepPlan.PlannedCell;
import dev.outrider.hub.Hub;
import dev.outrider.hub.HubName;
import dev.outrider.hub.HubPaths;
import dev.outrider.hub.HubSettings;
import dev.outrider.nn.target.PassThreads;
import dev.outrider.nn.vector.VectorMachine;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.torch.TensorRuntime;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The services of a command: streams, the interrupt key, plugins, the reader of configurations, models of the hub,
/// and clocks. Commands are constructed with it.
///
/// @param console      streams
/// @param interruption whether the user has pressed Ctrl-C
/// @param installed    Outrider's own components and those of third-party plugins, loaded at the first request
/// @param hub          models that are given by their names on the hub
/// @param ticker       time of measurements
/// @param clock        time of day
/// @param root         folder of the checkout, with `configs/` and `models/`
record CommandContext(
        Console console,
        Interruption interruption,
        Supplier<PluginRegistry> installed,
        HubPaths hub,
        Ticker ticker,
        InstantSource clock,
        Path root) {
    static CommandContext of(
            Console console,
            Interruption interruption,
            Supplier<PluginRegistry> plugins,
            HubPaths hub) {
        return new CommandContext(
                console,
                interruption,
                once(plugins),
                hub,
                System::nanoTime,
                InstantSource.system(),
                Path.of(System.getProperty("outrider.root", ".")));
    }

    /// Models of the hub that environment variables name. The variables are read when the first name is used, so that a wrong
    /// variable fails only commands that use a name.
    static HubPaths hub(Map<String, String> environment) {
        var home = Path.of(System.getProperty("user.home", "."));
        return new HubPaths(once(() -> new Hub(HubSettings.of(environment, home))));
    }

    private static <T> Supplier<T> once(Supplier<T> make) {
        var all = new AtomicReference<@Nullable T>();
        return () ->
                Objects.requireNonNull(all.updateAndGet(made -> made == null ? make.get() : made));
    }

    PluginRegistry plugins() {
        return installed.get();
    }

    /// Returns the reader of configurations with these plugins, and with names of the hub.
    ConfigLoader loader() {
        return new ConfigLoader(plugins(), Path.of("").toAbsolutePath(), hub);
    }

    /// Returns the version in the root `pom.xml`.
    static String version() {
        try (var in = CommandContext.class.getResourceAsStream("build.properties")) {
            var properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return properties.getProperty("version", "of an unknown version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    PrintStream out() {
        return console.out();
    }

    PrintStream err() {
        return console.err();
    }

    BooleanSupplier interrupted() {
        return interruption::requested;
    }

    /// Returns a configuration whose models are on this machine.
    ///
    /// @param read reads it; called twice if a model had to be fetched
    <L extends Loaded<?>> L ready(Supplier<L> read) {
        var loaded = read.get();
        return fetch(List.of(loaded.effective())) ? read.get() : loaded;
    }

    /// Reads the configuration of an experiment and fetches its models.
    ///
    /// @param changes arguments of `--set`
    Loaded<ExperimentConfig> experiment(Path file, List<String> changes) {
        return ready(() -> loader().load(file, ExperimentConfig.class, changes));
    }

    /// Returns a configuration given as a text, with paths relative to the working directory.
    ///
    /// @param source name of the text in messages
    <C extends Record> Loaded<C> parsed(
            String text, String source, Class<C> type, List<Change> changes) {
        return loader().parseWith(text, source, Path.of("").toAbsolutePath(), type, changes);
    }

    /// Fetches the models in configurations.
    ///
    /// @return whether a model was missing
    boolean fetch(Collection<EffectiveConfig> configurations) {
        try (var progress = new ConsoleProgress.Pulling(console)) {
            return hub.fetchMissing(configurations, progress, interrupted());
        }
    }

    /// Returns the path of an option: a path itself, or a model of the hub, which is fetched if it is missing.
    Path local(String given) {
        if (!HubName.isName(given)) {
            return Path.of(given);
        }
        try (var progress = new ConsoleProgress.Pulling(console)) {
            return hub.fetch(hubName(given), progress, interrupted()).path();
        }
    }

    /// Asks the hub for the current commit of a name, and fetches missing files.
    ///
    /// @return empty if the user interrupted it
    Optional<Hub.Snapshot> pull(String given) {
        try (var progress = new ConsoleProgress.Pulling(console)) {
            return hub.hub().get().pull(hubName(given), progress, interrupted());
        }
    }

    private static HubName hubName(String given) {
        try {
            return HubName.parse(given);
        } catch (IllegalArgumentException e) {
            throw ErrorCode.USAGE.error(
                    "'%s' is no name of a model on the hub; expected %s"
                            .formatted(given, e.getMessage()),
                    "Take the name from the model's page on the hub.");
        }
    }

    /// Returns this process and this machine in the form of results.
    Host host() {
        return new Host(
                GitState.of(root),
                Machine.jvm(),
                Machine.processor(),
                new TreeMap<>(
                        Map.of(
                                "outrider",
                                version(),
                                "tensors",
                                TensorRuntime.artefact(),
                                "vectors",
                                VectorMachine.name(),
                                "products",
                                VectorMachine.products())),
                PassThreads::use,
                ticker,
                clock);
    }

    /// Returns a bench that shows its progress and stops when the user interrupts it.
    Bench bench() {
        return new Bench(host(), task -> new ConsoleProgress(console, task), interrupted());
    }

    /// Loads the models of an experiment with the threads that it names, and shows a message.
    ///
    /// @param checked whether every draft and verdict is checked
    LoadedExperiment load(ExperimentConfig experiment, boolean checked) {
        PassThreads.use(experiment.threads());
        try (var progress = new ConsoleProgress(console, "loading")) {
            progress.at("", 0, ConsoleProgress.UNKNOWN);
            return LoadedExperiment.load(experiment, ticker, checked);
        }
    }

    /// Returns the measurements of a comparison, and shows its progress.
    ComparisonResult compare(ComparisonPlan plan) {
        try (var progress = new ConsoleProgress(console, "comparing")) {
            return new Comparison(plan, ticker, new Comparison.Steps(plan, progress), interrupted())
                    .run();
        }
    }

    /// Returns a run of the cells of a plan.
    ///
    /// @param folder of the results
    /// @param check  whether every draft and verdict is checked
    CellRunner.Count run(
            SweepPlan plan,
            List<PlannedCell> cells,
            SweepFolder folder,
            boolean check,
            SweepListener listener) {
        return new CellRunner(plan, folder, loader(), bench(), host(), check)
                .run(cells, listener, interrupted());
    }

    /// Returns the experiment of one cell.
    Loaded<ExperimentConfig> cell(PlannedCell cell, SweepFolder folder) {
        return CellRunner.load(loader(), cell, folder);
    }
}
