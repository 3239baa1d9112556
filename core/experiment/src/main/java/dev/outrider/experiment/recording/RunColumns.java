package dev.outrider.experiment.recording;

import dev.outrider.common.AtomicFile;
import dev.outrider.common.FailureReason;
import dev.outrider.experiment.recording.RecordingFiles.StageColumns;
import dev.outrider.experiment.run.ComparisonResult;
import dev.outrider.experiment.run.GenerationRecord;
import dev.outrider.experiment.run.Prompt;
import dev.outrider.parquet.Column;
import dev.outrider.parquet.Column.Type;
import dev.outrider.parquet.TableWriter;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Every run's `rounds.parquet`, `generations.parquet` and `prompts.parquet`: what was measured, as columns (docs/guide/laboratory.md).
public final class RunColumns {
    private static final Column VARIANT = new Column("variant", Type.TEXT);
    private static final Column PROMPT = new Column("prompt", Type.TEXT);
    private static final Column KIND = new Column("kind", Type.TEXT);
    private static final Column REPETITION = new Column("repetition", Type.INT);
    private static final List<Column> ROUNDS =
            Stream.concat(
                            StageColumns.after(
                                    VARIANT,
                                    PROMPT,
                                    KIND,
                                    REPETITION,
                                    new Column("round", Type.INT),
                                    new Column("nodes", Type.INT),
                                    new Column("depth", Type.INT),
                                    new Column("accepted", Type.INT),
                                    new Column("emitted", Type.INT))
                                    .stream(),
                            Stream.of(new Column("why", Type.TEXT)))
                    .toList();
    private static final List<Column> GENERATIONS =
            List.of(
                    VARIANT,
                    PROMPT,
                    KIND,
                    REPETITION,
                    new Column("wall_nanos", Type.LONG),
                    new Column("tokens", Type.INTS));
    private static final List<Column> PROMPTS =
            List.of(PROMPT, KIND, new Column("tokens", Type.INTS), new Column("source", Type.INTS));

    private RunColumns() {}

    /// Writes the three files.
    ///
    /// @param results folder of the run
    /// @throws OutriderException RESULTS_NOT_WRITABLE
    public static void write(Path results, ComparisonResult result) {
        var prompts = result.plan().prompts();
        try {
            write(
                    results.resolve("rounds.parquet"),
                    ROUNDS,
                    table -> {
                        for (var record : result.generations()) {
                            rounds(table, prompts.get(record.prompt()), record);
                        }
                    });
            write(
                    results.resolve("generations.parquet"),
                    GENERATIONS,
                    table -> {
                        for (var record : result.generations()) {
                            var prompt = prompts.get(record.prompt());
                            table.row(
                                    record.variant(),
                                    prompt.id(),
                                    prompt.kind(),
                                    record.repetition(),
                                    record.wallNanos(),
                                    array(record.tokens()));
                        }
                    });
            write(
                    results.resolve("prompts.parquet"),
                    PROMPTS,
                    table -> {
                        for (var prompt : prompts) {
                            table.row(
                                    prompt.id(),
                                    prompt.kind(),
                                    prompt.array(),
                                    array(prompt.source()));
                        }
                    });
        } catch (IOException e) {
            throw new OutriderException(
                    ErrorCode.RESULTS_NOT_WRITABLE,
                    "columns cannot be written to '%s': %s".formatted(results, FailureReason.of(e)),
                    "Check that there is space and that the folder may be written to.",
                    e);
        }
    }

    private interface Rows {
        void writeTo(TableWriter table) throws IOException;
    }

    private static void write(Path file, List<Column> columns, Rows rows) throws IOException {
        AtomicFile.write(
                file,
                temporary -> {
                    try (var table = new TableWriter(temporary, columns, Map.of())) {
                        rows.writeTo(table);
                    }
                });
    }

    private static void rounds(TableWriter table, Prompt prompt, GenerationRecord record)
            throws IOException {
        for (var round : record.rounds()) {
            var times = round.times();
            table.row(
                    record.variant(),
                    prompt.id(),
                    prompt.kind(),
                    record.repetition(),
                    round.round(),
                    round.nodes(),
                    round.depth(),
                    round.accepted(),
                    round.emitted(),
                    times.draft(),
                    times.score(),
                    times.decide(),
                    times.commit(),
                    times.observe(),
                    times.rest(),
                    round.why());
        }
    }

    private static int[] array(List<Integer> tokens) {
        return tokens.stream().mapToInt(Integer::intValue).toArray();
    }
}
