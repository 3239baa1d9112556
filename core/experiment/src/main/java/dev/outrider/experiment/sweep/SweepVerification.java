package dev.outrider.experiment.sweep;

import dev.outrider.common.Ticker;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.report.Json;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.verify.Evidence;
import dev.outrider.experiment.verify.Verification;
import dev.outrider.experiment.verify.VerificationSettings;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// Puts every combination of a sweep to the test. One false-alarm rate is shared evenly by all cells, and within a cell by its
/// variants. What was found of a cell is kept at once, and not looked for again. Confined to one thread.
public final class SweepVerification {
    private static final String FILE = "exactness.json";
    private static final String DAMAGED = "Remove the file and verify again.";

    private final SweepPlan plan;
    private final SweepFolder folder;
    private final VerificationSettings settings;
    private final Ticker ticker;
    private final BooleanSupplier cancelled;

    /// @param settings  of the whole run; its batch is that of each cell's configuration
    /// @param cancelled asked before every cell and round
    public SweepVerification(
            SweepPlan plan,
            SweepFolder folder,
            VerificationSettings settings,
            Ticker ticker,
            BooleanSupplier cancelled) {
        this.plan = plan;
        this.folder = folder;
        this.settings = settings;
        this.ticker = ticker;
        this.cancelled = cancelled;
    }

    /// Makes the experiment of a cell; told of each before it is looked at.
    @FunctionalInterface
    public interface Cells {
        /// @param cell the next one
        ExperimentConfig load(PlannedCell cell);
    }

    /// Look at every cell that was not looked at before.
    ///
    /// @return what is known of all cells, in order; without those that were not reached
    /// @throws OutriderException what loading a cell throws, RESULTS_NOT_WRITABLE
    public List<VerifiedCell> run(Cells cells, Verification.Progress progress) {
        var verified = new ArrayList<VerifiedCell>();
        for (PlannedCell cell : plan.cells()) {
            Optional<VerifiedCell> before = before(cell);
            if (before.isPresent()) {
                verified.add(before.get());
            } else if (!cancelled.getAsBoolean()) {
                verify(cell, cells, progress).ifPresent(verified::add);
            }
        }
        return verified;
    }

    private Optional<VerifiedCell> before(PlannedCell cell) {
        Path file = folder.cell(cell.id()).resolve(FILE);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        return Optional.of(Json.read(file, VerifiedCell.class, DAMAGED))
                .filter(kept ->
                        kept.configHash().equals(cell.configHash())
                                && kept.settings().withBatch(1).equals(share()));
    }

    private Optional<VerifiedCell> verify(
            PlannedCell cell, Cells cells, Verification.Progress progress) {
        var config = cells.load(cell);
        var here = share().withBatch(config.batch());
        try (var loaded = LoadedExperiment.load(config, ticker, false)) {
            var verification =
                    new Verification(
                            loaded.sides(), loaded.plan(config).prompts(), here, ticker, cancelled);
            Map<String, Evidence> evidence = verification.run(progress);
            if (cancelled.getAsBoolean()) {
                return Optional.empty();
            }
            var found =
                    new VerifiedCell(
                            cell.index(),
                            cell.labels(),
                            cell.configHash(),
                            here,
                            CellRecord.revision(
                                    plan.gitRevision(), plan.gitDirty(), plan.outrider()),
                            verification.variants().stream()
                                    .map(side ->
                                            VerifiedCell.Variant.of(
                                                    side,
                                                    Optional.ofNullable(evidence.get(side.name()))
                                                            .orElseThrow()))
                                    .toList());
            folder.write(folder.cell(cell.id()).resolve(FILE), Json.pretty(found));
            return Optional.of(found);
        }
    }

    private VerificationSettings share() {
        return settings.oneOf(plan.cells().size());
    }
}
