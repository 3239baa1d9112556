package dev.outrider.experiment.tune;

import dev.outrider.common.AtomicFile;
import dev.outrider.config.ConfigLoader;
import dev.outrider.experiment.bench.Bench;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.config.PromptSource.FromFile;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.results.Provenance;
import dev.outrider.experiment.results.Report;
import dev.outrider.experiment.results.ResultFolder;
import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.run.PromptReader;
import dev.outrider.experiment.stats.SequentialTest.InterimAnalysis.End;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.tune.TuneStage.Pace;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Finds the fastest variant by comparisons that become longer while their candidates become fewer (successive halving). Each comparison is a
/// run of [Bench] with a folder of its own; a finished comparison is not measured again. Confined to one thread.
public final class Tuning {
    /// The number of candidates after the first comparison, without those of the best drafter.
    private static final int SURVIVORS = 4;

    private static final int FINALISTS = 2;
    private static final String PROBE = "probe.json";

    private final Probe probe;

    /// Names of drafters that do not fit any more.
    private final Set<String> gone;

    private final TuneSettings settings;
    private final Bench bench;
    private final TargetModel target;
    private final ConfigLoader loader;
    private final Path out;
    private final Consumer<String> log;
    private double planned;
    private double spent;

    /// Removes results of another question from the folder.
    ///
    /// @param asked  the candidates that can be tried
    /// @param bench  runs the comparisons
    /// @param target stays the caller's, and is not used in another number format
    /// @param loader reads their configurations
    /// @param out    the parent of their folders
    /// @param log    gets a line when a comparison begins
    /// @throws OutriderException RESULTS_NOT_WRITABLE
    public Tuning(
            Probe asked,
            Bench bench,
            TargetModel target,
            ConfigLoader loader,
            Path out,
            Consumer<String> log) {
        this.settings = asked.settings();
        this.bench = bench;
        this.target = target;
        this.loader = loader;
        this.out = out;
        this.log = log;
        this.probe =
                Json.optional(out.resolve(PROBE), Probe.class)
                        .filter(kept -> kept.question().equals(asked.question()))
                        .orElseGet(() -> {
                            removeResults();
                            write(PROBE, Json.pretty(asked));
                            return asked;
                        });
        if (!probe.all().equals(asked.all())) {
            log.accept(
                    "What fits into memory is another choice now; '%s' goes on with the one that it has. Another --out starts over."
                            .formatted(out));
        }
        var fitting = asked.families().stream().map(DrafterFamily::keys).toList();
        this.gone =
                probe.families().stream()
                        .filter(each -> !fitting.contains(each.keys()))
                        .map(DrafterFamily::name)
                        .collect(Collectors.toSet());
    }

    private void removeResults() {
        if (!Files.exists(out.resolve(PROBE))) {
            return;
        }
        log.accept("Asked anew: what '%s' has is removed and measured again".formatted(out));
        try (var files = Files.walk(out, 2)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                if (out.relativize(file).toString().matches("tuned[^/]*|[1-4]-[^/]+/[^/]+")) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw ResultFolder.notWritable(out, e);
        }
    }

    /// Runs the comparisons.
    ///
    /// @return finished comparisons, in order, the one that decides last; none if it was interrupted before anything was measured
    /// @throws OutriderException OUT_OF_MEMORY if a drafter that the folder has begun with does not fit any more; what [Bench] throws
    public List<Measured> run() {
        var stages = new ArrayList<Measured>();
        var screening = TuneStage.screening(probe);
        if (add(stages, screening)) {
            var prices = new LengthChoice(ResultReader.rounds(folder(screening))).prices(probe);
            if (add(stages, TuneStage.halving(probe, survivors(probe, prices)))) {
                add(stages, last(stages.getLast(), screening.prompts()));
            }
        }
        return stages;
    }

    /// A finished comparison.
    ///
    /// @param stage  that was asked for
    /// @param report its results
    public record Measured(TuneStage stage, Report report) {
        /// Returns whether it ended after the number of prompts that was estimated to fit, although prompts and time were left.
        public boolean endedByPlan() {
            return report.interimAnalysis()
                    .filter(each ->
                            each.end() == End.NO_MORE_PROMPTS
                                    && each.mostPrompts() < stage.prompts())
                    .isPresent();
        }
    }

    /// Returns whether the last comparison is among them, with variants that were chosen on its own prompts.
    public static boolean selected(List<Measured> stages) {
        var last = stages.getLast().stage();
        return last.name().equals(TuneStage.LAST)
                && last.file().equals(stages.getFirst().stage().file());
    }

    /// The last comparison has prompts that no earlier one used, in a file of its own; all prompts if fewer than six are left.
    private TuneStage last(Measured halving, int used) {
        var finalists = best(halving, FINALISTS);
        var pace = Pace.of(halving, finalists);
        var file = Path.of(settings.prompts());
        var seen = new HashSet<>(PromptReader.read(new FromFile(file, List.of(), used)));
        var lines = lines(file);
        var rest =
                IntStream.range(0, lines.size())
                        .filter(number -> !seen.contains(probe.prompts().get(number)))
                        .mapToObj(lines::get)
                        .toList();
        if (rest.size() < TuneStage.FEWEST_PROMPTS) {
            return TuneStage.last(probe, pace, finalists, settings.prompts(), lines.size());
        }
        var name = settings.prompts().endsWith(".jsonl") ? "unseen.jsonl" : "unseen.txt";
        write(name, String.join("\n", rest));
        var unseen = out.resolve(name).toAbsolutePath().toString();
        return TuneStage.last(probe, pace, finalists, unseen, rest.size());
    }

    /// A line for each prompt.
    private static List<String> lines(Path file) {
        try {
            return Stream.of(Files.readString(file).split("\n"))
                    .filter(line -> !line.isBlank())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Measures plain decoding and the fastest variant with the target in another number format, on the prompts of a decision.
    ///
    /// @return lines about it; none if it was interrupted
    /// @throws OutriderException also if the target has no such format
    public String format(String format, Measured decision, VariantResult nearest) {
        var candidates =
                decision.stage().candidates().stream()
                        .filter(each -> each.name().equals(nearest.name()))
                        .toList();
        double seconds = TuneStage.FORMATS * settings.seconds() / probe.formats().size();
        int drawn = decision.report().coverage().plannedPrompts();
        var stage = decision.stage().in(format, candidates, seconds, drawn);
        return add(new ArrayList<>(), stage)
                ? FormatComparison.shown(
                        format,
                        ResultReader.generations(folder(decision.stage())),
                        ResultReader.generations(folder(stage)),
                        settings.temperature() == 0)
                : "";
    }

    /// Runs a comparison, or reads its results.
    ///
    /// @return whether it is complete
    private boolean add(List<Measured> stages, TuneStage stage) {
        var loaded =
                loader.parse(
                        stage.yaml(settings),
                        stage.name(),
                        Path.of("").toAbsolutePath(),
                        ExperimentConfig.class,
                        List.of());
        var hash = loaded.effective().configHash();
        double share = stage.seconds() / (settings.seconds() - planned);
        double time = share * (settings.seconds() - spent);
        planned += stage.seconds();
        var kept = finished(folder(stage), hash);
        if (kept.isPresent()) {
            log.accept("%s: measured already".formatted(stage.name()));
            stages.add(new Measured(stage, kept.get()));
            spent += stage.seconds();
            return true;
        }
        requireFitting(stage);
        log.accept(
                "%s: plain decoding and %d candidates, about %.0f s"
                        .formatted(stage.name(), stage.candidates().size(), time));
        var runner = stage.precision().isEmpty() ? bench.around(target) : bench;
        var budget = Optional.of(stage.budget(time));
        var outcome =
                runner.run(
                        new Bench.Request(loaded, hash, () -> folder(stage), false, budget, false));
        spent += outcome.map(Bench.Outcome::seconds).orElse(0.0);
        var report = outcome.map(Bench.Outcome::report);
        boolean whole = report.filter(each -> !each.coverage().interrupted()).isPresent();
        // An interrupted comparison counts only if it has enough prompts to show a difference.
        report.filter(each ->
                        whole
                                || stages.isEmpty()
                                || each.coverage().prompts() >= TuneStage.FEWEST_PROMPTS)
                .ifPresent(each -> stages.add(new Measured(stage, each)));
        return whole;
    }

    private void requireFitting(TuneStage stage) {
        var lost =
                stage.candidates().stream()
                        .map(Candidate::family)
                        .filter(gone::contains)
                        .findFirst();
        if (lost.isPresent()) {
            throw ErrorCode.OUT_OF_MEMORY.error(
                    "'%s' compares '%s', which does not fit into memory any more"
                            .formatted(folder(stage), lost.get()),
                    "Free memory, or start over in another folder with --out.");
        }
    }

    private static Optional<Report> finished(Path folder, String hash) {
        if (!Files.exists(folder.resolve("summary.json"))) {
            return Optional.empty();
        }
        return Json.optional(folder.resolve("provenance.json"), Provenance.class)
                .filter(from -> from.configHash().equals(hash))
                .map(_ -> ResultReader.report(folder))
                .filter(report -> !report.coverage().interrupted());
    }

    /// Returns the folder of all comparisons.
    public Path folder() {
        return out;
    }

    private Path folder(TuneStage stage) {
        return out.resolve(stage.name());
    }

    /// Returns the best two lengths of each drafter and the drafters without a length, limited to the candidates with the highest
    /// expected speedups, and the other candidates of the best drafter.
    static List<Candidate> survivors(Probe probe, Map<Candidate, Double> prices) {
        var ranked =
                prices.entrySet().stream()
                        .sorted(Map.Entry.<Candidate, Double>comparingByValue().reversed())
                        .map(Map.Entry::getKey)
                        .toList();
        var taken = new HashMap<String, Integer>();
        var chosen = new LinkedHashSet<Candidate>();
        ranked.stream()
                .filter(each -> taken.merge(each.family(), 1, Integer::sum) <= 2)
                .limit(SURVIVORS)
                .forEach(chosen::add);
        var best = ranked.stream().filter(each -> each.length() > 0).map(Candidate::family);
        var first = best.findFirst().orElse("");
        for (var family : probe.families()) {
            if (family.name().equals(first)) {
                chosen.add(family.expectedGain());
                family.trees().forEach(widths -> chosen.add(family.tree(widths)));
            }
        }
        return List.copyOf(chosen);
    }

    /// Returns the candidates of a comparison whose intervals have the highest lower ends: with few prompts a median is too often
    /// high by chance.
    static List<Candidate> best(Measured measured, int count) {
        var scores = new HashMap<String, Double>();
        measured.report()
                .speculative()
                .forEach(each -> scores.put(each.name(), each.speedup().least()));
        return measured.stage().candidates().stream()
                .filter(each -> scores.containsKey(each.name()))
                .sorted(Comparator.comparingDouble(each -> -scores.getOrDefault(each.name(), 0.0)))
                .limit(count)
                .toList();
    }

    /// Writes a file of the folder.
    ///
    /// @throws OutriderException RESULTS_NOT_WRITABLE
    public void write(String name, String text) {
        ResultFolder.writing(
                out,
                () -> {
                    Files.createDirectories(out);
                    AtomicFile.write(out.resolve(name), text);
                });
    }
}
