package dev.outrider.experiment.recording;

import dev.outrider.common.AtomicFile;
import dev.outrider.engine.check.Compatibility.Losslessness;
import dev.outrider.engine.prediction.DraftsAlongText;
import dev.outrider.experiment.recording.RecordingFiles.Manifest;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.results.ResultFolder;
import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.ComparisonResult;
import dev.outrider.experiment.run.GenerationRecord;
import dev.outrider.experiment.run.Progress;
import dev.outrider.experiment.run.Variant;
import dev.outrider.parquet.Column;
import dev.outrider.parquet.TableWriter;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// Records the texts that plain decoding wrote in a run, and the drafts of every variant at each of their positions, with both
/// probabilities. It runs after the measurement. Confined to one thread.
public final class RunRecorder {
    private final ComparisonPlan plan;
    private final ComparisonResult result;
    private final Progress progress;
    private final BooleanSupplier cancelled;
    private final Map<GenerationRecord, Integer> texts = new LinkedHashMap<>();
    private final Map<Variant, Integer> deepest = new LinkedHashMap<>();

    /// @param result    of the plan
    /// @param progress  told about every text
    /// @param cancelled asked before every text
    public RunRecorder(ComparisonResult result, Progress progress, BooleanSupplier cancelled) {
        this.plan = result.plan();
        this.result = result;
        this.progress = progress;
        this.cancelled = cancelled;
    }

    /// Writes the recording and replaces an earlier one. The manifest is written last: a folder without a manifest has no
    /// recording.
    ///
    /// @param results folder of the run
    /// @throws OutriderException     RESULTS_NOT_WRITABLE; what drafting throws
    /// @throws CancellationException if cancelled
    public void write(Path results) {
        Path folder = results.resolve(RecordingFiles.FOLDER);
        try {
            Files.createDirectories(folder);
            Files.deleteIfExists(folder.resolve(RecordingFiles.MANIFEST));
            texts(folder);
            var variants = new ArrayList<Manifest.OfVariant>();
            try (var drafts = open(folder, RecordingFiles.DRAFTS, RecordingFiles.DRAFT_COLUMNS);
                    var levels =
                            open(folder, RecordingFiles.LEVELS, RecordingFiles.LEVEL_COLUMNS)) {
                for (Variant variant : plan.variants()) {
                    if (!variant.plain()) {
                        variants.add(variant(variant, drafts, levels));
                    }
                }
            }
            times(folder);
            AtomicFile.write(
                    folder.resolve(RecordingFiles.MANIFEST),
                    Json.pretty(new Manifest(RecordingFiles.FORMAT, plan.seed(), variants)));
        } catch (IOException e) {
            throw ResultFolder.notWritable(folder, e);
        } catch (UncheckedIOException e) {
            throw ResultFolder.notWritable(
                    folder, Optional.ofNullable(e.getCause()).orElseGet(() -> new IOException(e)));
        }
    }

    private static TableWriter open(Path folder, String name, List<Column> columns)
            throws IOException {
        return new TableWriter(
                folder.resolve(name),
                columns,
                Map.of("outrider.recording", Integer.toString(RecordingFiles.FORMAT)));
    }

    /// Writes the texts of plain decoding; at temperature 0 only the first repetition, since all are equal.
    private void texts(Path folder) throws IOException {
        var columns =
                Stream.concat(RecordingFiles.TEXT_COLUMNS.stream(), RecordingFiles.TOKENS.stream())
                        .toList();
        try (var table = open(folder, RecordingFiles.TEXTS, columns)) {
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
                            tokens(record));
                }
            }
        }
    }

    private static int[] tokens(GenerationRecord text) {
        return text.tokens().stream().mapToInt(token -> token).toArray();
    }

    /// Runs after all drafts, because drafters may learn from it.
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
        texts.keySet().forEach(text -> byPrompt.putIfAbsent(text.prompt(), text));
        long rounds = result.generations().stream().mapToLong(each -> each.rounds().size()).sum();
        try (var table = open(folder, RecordingFiles.TIMES, RecordingFiles.TIME_COLUMNS)) {
            new LengthTimer(plan, cancelled)
                    .write(List.copyOf(byPrompt.values()), variants, rounds, progress, table);
        }
    }

    private Manifest.OfVariant variant(Variant variant, TableWriter drafts, TableWriter levels) {
        Optional<String> refusal = Optional.empty();
        try {
            drafts(variant, drafts, levels);
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

    private void drafts(Variant variant, TableWriter drafts, TableWriter levels) {
        require(variant.beams().isEmpty(), "a beam search has no rule to judge again");
        require(
                variant.losslessness() != Losslessness.LOSSY,
                "the pairing is lossy: what it writes is not the target's text");
        var along = new DraftsAlongText(variant.decoder());
        var written =
                texts.entrySet().stream()
                        .filter(text -> text.getKey().variant().equals(variant.baseline()))
                        .toList();
        int done = 0;
        for (var each : written) {
            if (cancelled.getAsBoolean()) {
                throw new CancellationException();
            }
            progress.at(variant.name(), done++, written.size());
            var text = each.getKey();
            int number = each.getValue();
            along.read(
                    plan.request(variant, text.prompt()),
                    tokens(text),
                    plan.randomness(variant, text.prompt(), text.repetition()),
                    (position, draft, target, rest) -> {
                        try {
                            int depth = draft.tree().candidateDepth();
                            deepest.merge(variant, depth, Math::max);
                            drafts.row(variant.name(), number, position, depth, selection(draft));
                            int level = 1;
                            for (var found : Levels.of(draft, target, rest)) {
                                levels.row(
                                        variant.name(),
                                        number,
                                        position,
                                        level++,
                                        found.width(),
                                        found.p(),
                                        found.q(),
                                        found.rank(),
                                        found.overlap());
                            }
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    });
        }
    }

    /// Returns the spelling of a draft's selection in files.
    private static String selection(Draft draft) {
        return switch (draft.selection().kind()) {
            case POINT_MASS -> "point mass";
            case INDEPENDENT -> "independent";
            case WITHOUT_REPLACEMENT -> "without replacement";
        };
    }

    private static void require(boolean recordable, String problem) {
        if (!recordable) {
            throw ErrorCode.CAPABILITY_MISSING.error(problem, "Leave it out of what is recorded.");
        }
    }
}
