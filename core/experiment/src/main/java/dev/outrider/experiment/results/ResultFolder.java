package dev.outrider.experiment.results;

import dev.outrider.common.AtomicFile;
import dev.outrider.common.FailureReason;
import dev.outrider.common.ProcessLock;
import dev.outrider.config.EffectiveConfig;
import dev.outrider.experiment.run.Comparison.Listener;
import dev.outrider.experiment.run.GenerationRecord;
import dev.outrider.experiment.run.Prompt;
import dev.outrider.experiment.run.RoundRecord;
import dev.outrider.experiment.run.Samples;
import dev.outrider.experiment.run.Variant;
import dev.outrider.experiment.table.VariantColumns.Summary;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The folder of one experiment's results: `config.yaml`, `provenance.json`, `rounds.jsonl`,
/// `generations.jsonl`, `summary.json`, `details.json`, `table.txt` and `samples.json`. Confined to one thread.
///
/// Rounds are appended while the run goes on, a generation at a time, so that an interruption loses nothing that was
/// measured; the other files are replaced atomically. Results of an earlier run in the same folder stay until this one
/// has measured something, and are replaced then.
public final class ResultFolder implements Listener, AutoCloseable {
    static final String SUMMARY = "summary.json";

    /// Folder of a run's recorded drafts.
    public static final String RECORDING = "recording";

    /// Files made from an earlier run's lines; the Parquet files are an older version's.
    private static final List<String> STALE =
            List.of(
                    SUMMARY,
                    "details.json",
                    "table.txt",
                    "samples.json",
                    Logprobs.FILE,
                    "report.html",
                    "rounds.parquet",
                    "generations.parquet",
                    "prompts.parquet");

    private static final String DRAWINGS = "report";
    private static final String LOCK = ".lock";

    private final Path directory;
    private final ProcessLock lock;
    private final String config;
    private final boolean made;
    private Optional<Provenance> provenance = Optional.empty();
    private Optional<Lines> lines = Optional.empty();

    private ResultFolder(Path directory, ProcessLock lock, String config, boolean made) {
        this.directory = directory;
        this.lock = lock;
        this.config = config;
        this.made = made;
    }

    /// Claims a folder; no other process can claim it while this object holds it. If nothing is measured, a folder that was empty
    /// is removed again.
    ///
    /// @param directory where the files go; made if it is missing
    /// @param config    kept with them
    /// @throws OutriderException RESULTS_NOT_WRITABLE, also when another run writes there
    public static ResultFolder open(Path directory, EffectiveConfig config) {
        try {
            Files.createDirectories(directory);
            boolean empty = isEmpty(directory);
            return new ResultFolder(directory, claim(directory), config.toYaml(directory), empty);
        } catch (IOException e) {
            throw notWritable(directory, e);
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (var entries = Files.list(directory)) {
            return entries.findAny().isEmpty();
        }
    }

    /// Sets the provenance; must be called before anything is measured.
    public ResultFolder describe(Provenance from) {
        provenance = Optional.of(from);
        return this;
    }

    private static ProcessLock claim(Path directory) throws IOException {
        return ProcessLock.tryTake(directory.resolve(LOCK))
                .orElseThrow(() ->
                        ErrorCode.RESULTS_NOT_WRITABLE.error(
                                "another run is writing its results to '" + directory + "'",
                                "Wait until it has ended, or choose another folder for results."));
    }

    /// The files that grow while the run goes on.
    private record Lines(BufferedWriter rounds, BufferedWriter generations)
            implements AutoCloseable {
        @Override
        public void close() throws IOException {
            try (rounds) {
                generations.close();
            }
        }
    }

    private Lines lines() throws IOException {
        if (lines.isEmpty()) {
            for (String stale : STALE) {
                Files.deleteIfExists(directory.resolve(stale));
            }
            deleteFiles(DRAWINGS);
            deleteFiles(RECORDING);
            AtomicFile.write(directory.resolve("config.yaml"), config);
            AtomicFile.write(
                    directory.resolve("provenance.json"), Json.pretty(provenance.orElseThrow()));
            lines =
                    Optional.of(
                            new Lines(
                                    Files.newBufferedWriter(directory.resolve("rounds.jsonl")),
                                    Files.newBufferedWriter(
                                            directory.resolve("generations.jsonl"))));
        }
        return lines.get();
    }

    private void deleteFiles(String folder) throws IOException {
        Path inside = directory.resolve(folder);
        if (Files.isDirectory(inside, LinkOption.NOFOLLOW_LINKS)) {
            try (var files = Files.list(inside)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /// Returns the folder of the files.
    public Path directory() {
        return directory;
    }

    /// One line of `rounds.jsonl`.
    record Line(String variant, String prompt, int repetition, RoundRecord round) {}

    @Override
    public void measured(Variant variant, Prompt prompt, GenerationRecord record) {
        writing(
                directory,
                () -> {
                    var lines = lines();
                    for (RoundRecord round : record.rounds()) {
                        append(
                                lines.rounds(),
                                new Line(variant.name(), prompt.id(), record.repetition(), round));
                    }
                    append(lines.generations(), GenerationRecord.Line.of(variant, prompt, record));
                    lines.rounds().flush();
                    lines.generations().flush();
                });
    }

    private static void append(BufferedWriter file, Object line) throws IOException {
        file.write(Json.line(line));
        file.write('\n');
    }

    /// Writes the sample of rounds.
    ///
    /// @throws OutriderException RESULTS_NOT_WRITABLE
    public void write(Samples samples) {
        writing(
                directory,
                () -> AtomicFile.write(directory.resolve("samples.json"), Json.pretty(samples)));
    }

    /// Writes details, table and summary, in this order: a run with a summary is complete.
    ///
    /// @throws OutriderException RESULTS_NOT_WRITABLE
    public void write(Report report) {
        writing(
                directory,
                () -> {
                    lines();
                    AtomicFile.write(directory.resolve("details.json"), Json.pretty(report));
                    AtomicFile.write(directory.resolve("table.txt"), TextTable.of(report));
                    AtomicFile.write(
                            directory.resolve(SUMMARY), Json.pretty(Summary.of(report.rows())));
                });
    }

    @Override
    public void close() {
        try (lock) {
            if (lines.isPresent()) {
                lines.get().close();
            } else if (made) {
                leaveNothing();
            }
        } catch (IOException e) {
            throw notWritable(directory, e);
        }
    }

    private void leaveNothing() throws IOException {
        Files.deleteIfExists(directory.resolve(LOCK));
        if (isEmpty(directory)) {
            Files.delete(directory);
        }
    }

    /// Writes files of a folder.
    ///
    /// @throws OutriderException RESULTS_NOT_WRITABLE
    public static void writing(Path directory, Writes files) {
        try {
            files.write();
        } catch (IOException e) {
            throw notWritable(directory, e);
        }
    }

    /// Writes files.
    public interface Writes {
        void write() throws IOException;
    }

    /// Returns the error of files that cannot be written.
    public static OutriderException notWritable(Path directory, IOException cause) {
        return ErrorCode.RESULTS_NOT_WRITABLE.error(
                "results cannot be written to '%s': %s"
                        .formatted(directory, FailureReason.of(cause)),
                "Check that there is space and that the folder may be written to, or choose another one for results.",
                cause);
    }
}
