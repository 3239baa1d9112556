package dev.outrider.experiment.report;

import dev.outrider.common.AtomicFile;
import dev.outrider.common.ProcessLock;
import dev.outrider.config.EffectiveConfig;
import dev.outrider.experiment.run.ComparisonListener;
import dev.outrider.experiment.run.Contender;
import dev.outrider.experiment.run.GenerationRecord;
import dev.outrider.experiment.run.Prompt;
import dev.outrider.experiment.run.RoundRecord;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The folder of one experiment's results: `config.yaml`, `provenance.json`, `rounds.jsonl`, `summary.json`,
/// `details.json` and `table.txt`. Confined to one thread.
///
/// Rounds are appended while the run goes on, a generation at a time, so that an interruption loses nothing that was
/// measured; the other files are replaced atomically. Results of an earlier run of the same name stay until this one has
/// measured something, and are replaced then.
public final class ResultFolder implements ComparisonListener, AutoCloseable {
    private static final List<String> REPORTS =
            List.of("summary.json", "details.json", "table.txt");
    private static final String LOCK = ".lock";

    private final Path directory;
    private final ProcessLock lock;
    private final String config;
    private final Provenance provenance;
    private Optional<BufferedWriter> rounds = Optional.empty();

    private ResultFolder(Path directory, ProcessLock lock, String config, Provenance provenance) {
        this.directory = directory;
        this.lock = lock;
        this.config = config;
        this.provenance = provenance;
    }

    /// Claim a folder; no other process can while this one holds it.
    ///
    /// @param results    parent of all results
    /// @param name       name of the experiment
    /// @throws OutriderException RESULTS_NOT_WRITABLE, also when another run writes there
    public static ResultFolder open(
            Path results, String name, EffectiveConfig config, Provenance provenance) {
        Path directory = results.resolve(name);
        try {
            Files.createDirectories(directory);
            return new ResultFolder(
                    directory, claim(directory), config.toYaml(directory), provenance);
        } catch (IOException e) {
            throw notWritable(directory, e);
        }
    }

    private static ProcessLock claim(Path directory) throws IOException {
        return ProcessLock.tryTake(directory.resolve(LOCK))
                .orElseThrow(() ->
                        new OutriderException(
                                ErrorCode.RESULTS_NOT_WRITABLE,
                                "another run is writing its results to '" + directory + "'",
                                "Wait until it has ended, or choose another folder for results."));
    }

    private BufferedWriter rounds() throws IOException {
        if (rounds.isEmpty()) {
            for (String stale : REPORTS) {
                Files.deleteIfExists(directory.resolve(stale));
            }
            AtomicFile.write(directory.resolve("config.yaml"), config);
            AtomicFile.write(directory.resolve("provenance.json"), Json.pretty(provenance));
            rounds = Optional.of(Files.newBufferedWriter(directory.resolve("rounds.jsonl")));
        }
        return rounds.get();
    }

    /// Where the files are.
    public Path directory() {
        return directory;
    }

    /// One line of `rounds.jsonl`.
    record Line(String side, String prompt, int repetition, RoundRecord round) {}

    @Override
    public void measured(Contender contender, Prompt prompt, GenerationRecord record) {
        try {
            var rounds = rounds();
            for (RoundRecord round : record.rounds()) {
                rounds.write(
                        Json.line(
                                new Line(
                                        contender.name(),
                                        prompt.id(),
                                        record.repetition(),
                                        round)));
                rounds.write('\n');
            }
            rounds.flush();
        } catch (IOException e) {
            throw notWritable(directory, e);
        }
    }

    /// Write summary, details and table.
    ///
    /// @throws OutriderException RESULTS_NOT_WRITABLE
    public void write(Report report) {
        try {
            rounds();
            AtomicFile.write(directory.resolve("summary.json"), Json.pretty(report.summary()));
            AtomicFile.write(directory.resolve("details.json"), Json.pretty(report.details()));
            AtomicFile.write(directory.resolve("table.txt"), TextTable.of(report));
        } catch (IOException e) {
            throw notWritable(directory, e);
        }
    }

    @Override
    public void close() {
        try (lock) {
            if (rounds.isPresent()) {
                rounds.get().close();
            }
        } catch (IOException e) {
            throw notWritable(directory, e);
        }
    }

    private static OutriderException notWritable(Path directory, IOException cause) {
        return new OutriderException(
                ErrorCode.RESULTS_NOT_WRITABLE,
                "results cannot be written to '" + directory + "': " + cause,
                "Free space there, or choose another folder for results.",
                cause);
    }
}
