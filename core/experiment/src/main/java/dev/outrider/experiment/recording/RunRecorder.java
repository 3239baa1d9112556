package dev.outrider.experiment.recording;

import dev.outrider.common.AtomicFile;
import dev.outrider.common.FailureReason;
import dev.outrider.engine.check.Compatibility.Losslessness;
import dev.outrider.engine.prediction.DraftsAlongText;
import dev.outrider.experiment.recording.Levels.TopTokens;
import dev.outrider.experiment.recording.RecordingFiles.Manifest;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.ComparisonResult;
import dev.outrider.experiment.run.GenerationRecord;
import dev.outrider.experiment.run.Variant;
import dev.outrider.parquet.Column;
import dev.outrider.parquet.TableWriter;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeEvent.StageTimes;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.run.RunListener;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Records what plain decoding wrote in a run, what every variant drafts at each position of it, and both distributions there. Nothing of
/// it happens while times are measured. Confined to one thread.
public final class RunRecorder {
    private final ComparisonPlan plan;
    private final ComparisonResult result;
    private final int most;
    private final Progress progress;
    private final BooleanSupplier cancelled;
    private final Map<GenerationRecord, Integer> texts = new HashMap<>();
    private final Set<Integer> targetsKept = new HashSet<>();
    private final Map<Variant, Integer> deepest = new LinkedHashMap<>();

    /// Follows a recording.
    @FunctionalInterface
    public interface Progress {
        /// One text begins.
        ///
        /// @param variant whose drafts are made
        /// @param done texts of it that are over
        /// @param of   texts of it in all
        void at(String variant, int done, int of);
    }

    /// @param result    of the plan
    /// @param most      tokens of a distribution that are kept one by one, at least 1
    /// @param progress  told about every text
    /// @param cancelled asked before every text
    public RunRecorder(
            ComparisonResult result, int most, Progress progress, BooleanSupplier cancelled) {
        this.plan = result.plan();
        this.result = result;
        this.most = most;
        this.progress = progress;
        this.cancelled = cancelled;
    }

    /// Writes the recording; a recording that was there is replaced. The manifest comes last: without it there is none.
    ///
    /// @param results folder of the run
    /// @param rounds  of the run
    /// @throws OutriderException     RESULTS_NOT_WRITABLE; what drafting throws
    /// @throws CancellationException if cancelled
    public void write(Path results, RoundWatch rounds) {
        Path folder = results.resolve(RecordingFiles.FOLDER);
        try {
            Files.createDirectories(folder);
            Files.deleteIfExists(folder.resolve(RecordingFiles.MANIFEST));
            rounds(folder, rounds);
            texts(folder);
            var variants = new ArrayList<Manifest.OfVariant>();
            try (var positions =
                            open(
                                    folder,
                                    RecordingFiles.POSITIONS,
                                    RecordingFiles.POSITION_COLUMNS);
                    var drafts =
                            open(
                                    folder,
                                    RecordingFiles.DRAFTS,
                                    both(RecordingFiles.DRAFT_COLUMNS, RecordingFiles.TREE));
                    var levels =
                            open(
                                    folder,
                                    RecordingFiles.LEVELS,
                                    both(RecordingFiles.LEVEL_COLUMNS, RecordingFiles.TOP))) {
                var tables = new Tables(positions, drafts, levels);
                for (Variant variant : plan.variants()) {
                    if (!variant.plain()) {
                        variants.add(variant(variant, tables));
                    }
                }
            }
            times(folder);
            AtomicFile.write(
                    folder.resolve(RecordingFiles.MANIFEST),
                    Json.pretty(new Manifest(RecordingFiles.FORMAT, plan.seed(), most, variants)));
        } catch (IOException e) {
            throw notWritable(folder, e);
        } catch (UncheckedIOException e) {
            throw notWritable(
                    folder, Optional.ofNullable(e.getCause()).orElseGet(() -> new IOException(e)));
        }
    }

    private record Tables(TableWriter positions, TableWriter drafts, TableWriter levels) {}

    private static TableWriter open(Path folder, String name, List<Column> columns)
            throws IOException {
        return new TableWriter(
                folder.resolve(name),
                columns,
                Map.of("outrider.recording", Integer.toString(RecordingFiles.FORMAT)));
    }

    private static List<Column> both(List<Column> first, List<Column> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    private static void rounds(Path folder, RoundWatch watch) throws IOException {
        try (var table = open(folder, RecordingFiles.ROUNDS, RecordingFiles.ROUND_COLUMNS)) {
            for (var round : watch.rounds()) {
                var tree = round.tree();
                var times = round.times();
                table.row(
                        round.sequence().variant(),
                        round.sequence().prompt(),
                        round.sequence().repetition(),
                        round.round(),
                        round.selection(),
                        IntStream.range(1, tree.size()).map(tree::parent).toArray(),
                        IntStream.range(1, tree.size()).map(tree::token).toArray(),
                        round.verdict().acceptedNodes().stream().mapToInt(node -> node).toArray(),
                        round.verdict().nextToken(),
                        switch (round.verdict().origin()) {
                            case BONUS -> "bonus";
                            case CORRECTION -> "correction";
                        },
                        round.emitted(),
                        times.draft(),
                        times.score(),
                        times.decide(),
                        times.commit(),
                        times.observe(),
                        times.rest());
            }
        }
    }

    /// Writes the texts of plain decoding; at temperature 0 only the first repetition, since all are equal.
    private void texts(Path folder) throws IOException {
        try (var table =
                open(
                        folder,
                        RecordingFiles.TEXTS,
                        both(RecordingFiles.TEXT_COLUMNS, RecordingFiles.TOKENS))) {
            for (Variant variant : plan.variants()) {
                for (GenerationRecord record :
                        variant.plain() ? result.of(variant) : List.<GenerationRecord>of()) {
                    if (record.tokens().isEmpty()
                            || variant.policy().greedy() && record.repetition() > 0) {
                        continue;
                    }
                    var prompt = plan.prompts().get(record.prompt());
                    int number = texts.size();
                    texts.put(record, number);
                    table.row(
                            number,
                            variant.name(),
                            prompt.id(),
                            prompt.kind(),
                            record.repetition(),
                            record.tokens().size(),
                            record.tokens().stream().mapToInt(token -> token).toArray());
                }
            }
        }
    }

    /// After all drafts, for drafters may learn from it.
    private void times(Path folder) throws IOException {
        var variants = new LinkedHashMap<Variant, Integer>();
        plan.variants().stream()
                .filter(variant ->
                        variant.plain()
                                && deepest.keySet().stream()
                                        .anyMatch(each -> each.baseline().equals(variant.name())))
                .forEach(variant -> variants.put(variant, 0));
        variants.putAll(deepest);
        var byPrompt = new TreeMap<Integer, GenerationRecord>();
        texts.entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .forEach(text -> byPrompt.putIfAbsent(text.getKey().prompt(), text.getKey()));
        try (var table = open(folder, RecordingFiles.TIMES, RecordingFiles.TIME_COLUMNS)) {
            new LengthTimer(plan, cancelled)
                    .write(
                            List.copyOf(byPrompt.values()),
                            variants,
                            result.generations().stream()
                                    .mapToLong(each -> each.rounds().size())
                                    .sum(),
                            progress,
                            table);
        }
    }

    private Manifest.OfVariant variant(Variant variant, Tables tables) throws IOException {
        Optional<String> refusal = Optional.empty();
        try {
            drafts(variant, tables);
        } catch (OutriderException e) {
            if (!e.code().equals(ErrorCode.CAPABILITY_MISSING)) {
                throw e.within("variant '%s'".formatted(variant.name()));
            }
            refusal = Optional.of(e.problem());
        }
        return new Manifest.OfVariant(
                variant.name(),
                variant.baseline(),
                variant.drafter(),
                variant.rule(),
                variant.policy().temperature(),
                refusal);
    }

    private void drafts(Variant variant, Tables tables) {
        require(variant.beams().isEmpty(), "a beam search has no rule to judge again");
        require(
                variant.losslessness() != Losslessness.LOSSY,
                "the pairing is lossy: what it writes is not the target's text");
        var along = new DraftsAlongText(variant.decoder());
        var written =
                texts.keySet().stream()
                        .filter(text -> text.variant().equals(variant.baseline()))
                        .sorted((one, other) -> Integer.compare(number(one), number(other)))
                        .toList();
        int done = 0;
        for (var text : written) {
            if (cancelled.getAsBoolean()) {
                throw new CancellationException();
            }
            progress.at(variant.name(), done++, written.size());
            int number = number(text);
            boolean first = targetsKept.add(number);
            along.read(
                    plan.request(variant, text.prompt()),
                    text.tokens().stream().mapToInt(token -> token).toArray(),
                    plan.randomness(variant, text.prompt(), text.repetition()),
                    (position, draft, target, rest) -> {
                        try {
                            if (first) {
                                position(tables.positions(), number, position, target, rest);
                            }
                            var tree = draft.tree();
                            deepest.merge(variant, tree.candidateDepth(), Math::max);
                            tables.drafts()
                                    .row(
                                            variant.name(),
                                            number,
                                            position,
                                            tree.candidateDepth(),
                                            RoundWatch.selection(draft),
                                            IntStream.range(1, tree.size())
                                                    .map(tree::parent)
                                                    .toArray(),
                                            IntStream.range(1, tree.size())
                                                    .map(tree::token)
                                                    .toArray());
                            int level = 1;
                            for (var each : Levels.of(draft, target, rest, most)) {
                                tables.levels()
                                        .row(
                                                variant.name(),
                                                number,
                                                position,
                                                level++,
                                                each.width(),
                                                each.p(),
                                                each.q(),
                                                each.rank(),
                                                each.overlap(),
                                                each.top().tokens(),
                                                each.top().probabilities(),
                                                each.top().tail());
                            }
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    });
        }
    }

    private int number(GenerationRecord text) {
        return texts.getOrDefault(text, -1);
    }

    private void position(
            TableWriter table, int text, int position, TargetDistributions target, int... rest)
            throws IOException {
        double[] p = target.distribution(0);
        var top = TopTokens.of(p, target.support(0), most);
        table.row(
                text, position, rest[0], p[rest[0]], top.tokens(), top.probabilities(), top.tail());
    }

    private static void require(boolean recordable, String problem) {
        if (!recordable) {
            throw new OutriderException(
                    ErrorCode.CAPABILITY_MISSING, problem, "Leave it out of what is recorded.");
        }
    }

    private static OutriderException notWritable(Path folder, IOException cause) {
        return new OutriderException(
                ErrorCode.RESULTS_NOT_WRITABLE,
                "the recording cannot be written to '%s': %s"
                        .formatted(folder, FailureReason.of(cause)),
                "Check that there is space and that the folder may be written to.",
                cause);
    }

    /// Keeps every round of a run with its tree and verdict, without distributions. Thread-safe.
    public static final class RoundWatch implements RunListener {
        private final List<Round> rounds = new ArrayList<>();

        /// A round as it was.
        record Round(
                Sequence sequence,
                int round,
                String selection,
                TokenTree tree,
                Verdict verdict,
                int emitted,
                StageTimes times) {}

        @Override
        public DecodeListener begin(Sequence sequence) {
            return event -> {
                if (event instanceof DecodeEvent.RoundCompleted round) {
                    add(
                            new Round(
                                    sequence,
                                    round.round(),
                                    selection(round.draft()),
                                    round.draft().tree(),
                                    round.verdict(),
                                    round.emitted(),
                                    round.times()));
                }
            };
        }

        private synchronized void add(Round round) {
            rounds.add(round);
        }

        synchronized List<Round> rounds() {
            return List.copyOf(rounds);
        }

        /// Returns the spelling of a draft's selection in files.
        static String selection(Draft draft) {
            return switch (draft.selection().kind()) {
                case POINT_MASS -> "point mass";
                case INDEPENDENT -> "independent";
                case WITHOUT_REPLACEMENT -> "without replacement";
            };
        }

        @Override
        public void close() {}
    }
}
