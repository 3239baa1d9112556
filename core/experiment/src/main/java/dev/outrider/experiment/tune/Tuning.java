package dev.outrider.experiment.tune;

import dev.outrider.common.AtomicFile;
import dev.outrider.common.Ticker;
import dev.outrider.config.ConfigLoader;
import dev.outrider.config.Loaded;
import dev.outrider.experiment.bench.Bench;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.results.Provenance;
import dev.outrider.experiment.results.Report;
import dev.outrider.experiment.results.ResultFolder;
import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.spi.target.TargetModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Finds the fastest variant by comparisons that become longer while their candidates become fewer (successive halving). Each comparison is a
/// run of [Bench] with a folder of its own; one that is there is not measured again. Confined to one thread.
public final class Tuning {
    /// Candidates after the first comparison, those that belong to the best drafter aside.
    private static final int SECOND = 4;

    private static final int THIRD = 2;
    private static final double NANOS = 1e9;

    /// Most times its time that a comparison is given if nothing was measured in less.
    private static final int LONGEST = 64;

    private final Probe probe;
    private final TuneSettings settings;
    private final Bench bench;
    private final Supplier<TargetModel> target;
    private final ConfigLoader loader;
    private final BooleanSupplier cancelled;
    private final Ticker ticker;
    private final Path out;
    private final Consumer<String> log;
    private final long start;

    /// @param bench     runs the comparisons
    /// @param target    loaded when something is to be measured; stays the caller's, and is not asked for in another number format
    /// @param loader    reads their configurations
    /// @param cancelled whether the user has ended it
    /// @param out       their folders' parent
    /// @param log       told what begins
    public Tuning(
            Probe probe,
            Bench bench,
            Supplier<TargetModel> target,
            ConfigLoader loader,
            BooleanSupplier cancelled,
            Ticker ticker,
            Path out,
            Consumer<String> log) {
        this.probe = probe;
        this.settings = probe.settings();
        this.bench = bench;
        this.target = target;
        this.loader = loader;
        this.cancelled = cancelled;
        this.ticker = ticker;
        this.out = out;
        this.log = log;
        this.start = ticker.nanos();
    }

    /// A finished comparison.
    ///
    /// @param stage  that was asked for
    /// @param report what it found
    public record Measured(TuneStage stage, Report report) {}

    /// Everything that was found.
    ///
    /// @param stages  finished comparisons, in order; at least one
    /// @param lengths expected speedups by drafter and length, after the first comparison
    public record Found(List<Measured> stages, Map<String, Map<Integer, Double>> lengths) {
        /// Returns the comparison that decides: the last one, unless it was interrupted before it had as many prompts as the one before.
        public Measured decisive() {
            var last = stages.getLast();
            if (!last.report().coverage().interrupted() || stages.size() == 1) {
                return last;
            }
            var before = stages.get(stages.size() - 2);
            return last.report().coverage().prompts() < before.report().coverage().prompts()
                    ? before
                    : last;
        }
    }

    /// Runs the comparisons.
    ///
    /// @return nothing if it was interrupted before anything was measured
    /// @throws dev.outrider.spi.error.OutriderException what [Bench] throws
    public Optional<Found> run() {
        var stages = new ArrayList<Measured>();
        var lengths = new LinkedHashMap<String, Map<Integer, Double>>();
        if (add(stages, TuneStage.look(probe))) {
            var look = stages.getFirst().report();
            var choice = new LengthChoice(ResultReader.rounds(folder("1-look")));
            probe.families()
                    .forEach(family -> {
                        var found = choice.of(family);
                        if (!found.isEmpty()) {
                            lengths.put(family.name(), found);
                        }
                    });
            if (add(stages, TuneStage.halving(probe, second(look, lengths)))) {
                add(stages, TuneStage.last(probe, third(stages.getLast())));
            }
        }
        return stages.isEmpty() ? Optional.empty() : Optional.of(new Found(stages, lengths));
    }

    /// Measures plain decoding and what came nearest with the target in another number format, on the first of the prompts of a decision.
    ///
    /// @return nothing if it was interrupted
    /// @throws dev.outrider.spi.error.OutriderException also if the target has no such format
    public Optional<FormatComparison> format(
            String format, Measured decision, VariantResult nearest) {
        var candidates =
                decision.stage().candidates().stream()
                        .filter(each -> each.name().equals(nearest.name()))
                        .toList();
        double seconds =
                settings.seconds()
                        * (1 - TuneStage.LOOK - TuneStage.HALVING - TuneStage.DECISION)
                        / probe.formats().size();
        var stage = decision.stage().in(format, candidates).within(seconds);
        return add(new ArrayList<>(), stage)
                ? Optional.of(
                        FormatComparison.of(
                                format,
                                ResultReader.generations(folder(decision.stage().name())),
                                ResultReader.generations(folder(stage.name())),
                                settings.seed()))
                : Optional.empty();
    }

    /// Runs a comparison, or reads it.
    ///
    /// @return whether it is there and whole
    private boolean add(List<Measured> stages, TuneStage planned) {
        double left = settings.seconds() - (ticker.nanos() - start) / NANOS;
        boolean last = planned.decides() && !settings.formats();
        var stage = last ? planned.within(Math.max(left, planned.seconds() / 2)) : planned;
        var loaded =
                loader.parse(
                        stage.yaml(settings),
                        stage.name(),
                        Path.of("").toAbsolutePath(),
                        ExperimentConfig.class,
                        List.of());
        var kept = finished(stage.name(), loaded.effective().configHash());
        if (kept.isPresent()) {
            log.accept("%s: measured already".formatted(stage.name()));
            stages.add(new Measured(stage, kept.get()));
            return true;
        }
        log.accept(
                "%s: plain decoding and %d candidates, about %.0f s"
                        .formatted(stage.name(), stage.candidates().size(), stage.seconds()));
        var report = measured(loaded, stage);
        // Warming up may take all the time where code is still being compiled.
        for (int longer = 4;
                longer <= LONGEST && report.isEmpty() && !cancelled.getAsBoolean();
                longer *= 4) {
            report = measured(loaded, stage.within(longer * stage.seconds()));
        }
        report.ifPresent(each -> stages.add(new Measured(stage, each)));
        return report.filter(each -> !each.coverage().interrupted()).isPresent();
    }

    private Optional<Report> measured(Loaded<ExperimentConfig> loaded, TuneStage stage) {
        var runner = stage.precision().isEmpty() ? bench.around(target) : bench;
        return runner.run(
                        new Bench.Request(
                                loaded.config(),
                                loaded.effective(),
                                loaded.effective().configHash(),
                                () -> folder(stage.name()),
                                false,
                                Optional.of(stage.budget()),
                                false))
                .map(Bench.Outcome::report);
    }

    private Optional<Report> finished(String stage, String hash) {
        var folder = folder(stage);
        if (!Files.exists(folder.resolve("summary.json"))) {
            return Optional.empty();
        }
        return Json.optional(folder.resolve("provenance.json"), Provenance.class)
                .filter(from -> from.configHash().equals(hash))
                .map(_ -> ResultReader.report(folder))
                .filter(report -> !report.coverage().interrupted());
    }

    private Path folder(String stage) {
        return out.resolve(stage);
    }

    /// The best two lengths of each drafter and the drafters without a length, those of them that promise most, and the other ways of the
    /// best drafter.
    List<Candidate> second(Report look, Map<String, Map<Integer, Double>> lengths) {
        var scores = new LinkedHashMap<Candidate, Double>();
        for (var family : probe.families()) {
            lengths.getOrDefault(family.name(), Map.of()).entrySet().stream()
                    .sorted(Map.Entry.<Integer, Double>comparingByValue().reversed())
                    .limit(2)
                    .forEach(each -> scores.put(family.chain(each.getKey()), each.getValue()));
        }
        var measured =
                look.speculative().stream()
                        .collect(
                                Collectors.toMap(
                                        VariantResult::name, each -> each.speed().expected()));
        probe.first().stream()
                .filter(each -> each.length() == 0)
                .forEach(each -> scores.put(each, measured.getOrDefault(each.name(), 0.0)));
        var chosen = new LinkedHashSet<>(best(scores, SECOND));
        scores.entrySet().stream()
                .filter(each -> each.getKey().length() > 0)
                .max(Map.Entry.comparingByValue())
                .flatMap(best ->
                        probe.families().stream()
                                .filter(each -> each.name().equals(best.getKey().family()))
                                .findFirst())
                .ifPresent(family -> {
                    chosen.add(family.expectedGain());
                    family.trees().forEach(widths -> chosen.add(family.tree(widths)));
                });
        return List.copyOf(chosen);
    }

    /// Those of a comparison whose intervals have the highest lower ends: with few prompts a median is high by chance too often.
    static List<Candidate> third(Measured halving) {
        var scores = new LinkedHashMap<Candidate, Double>();
        for (var candidate : halving.stage().candidates()) {
            halving.report().speculative().stream()
                    .filter(each -> each.name().equals(candidate.name()))
                    .forEach(each -> scores.put(candidate, each.speedup().least()));
        }
        return best(scores, THIRD);
    }

    private static List<Candidate> best(Map<Candidate, Double> scores, int count) {
        return scores.entrySet().stream()
                .sorted(Comparator.comparingDouble(each -> -each.getValue()))
                .limit(count)
                .map(Map.Entry::getKey)
                .toList();
    }

    /// Writes a file of the folder.
    ///
    /// @throws dev.outrider.spi.error.OutriderException RESULTS_NOT_WRITABLE
    public static void write(Path folder, String name, String text) {
        try {
            Files.createDirectories(folder);
            AtomicFile.write(folder.resolve(name), text);
        } catch (IOException e) {
            throw ResultFolder.notWritable(folder, e);
        }
    }
}
