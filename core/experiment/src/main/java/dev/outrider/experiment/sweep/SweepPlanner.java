package dev.outrider.experiment.sweep;

import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.results.Provenance.GitState;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.sweep.SweepGridReader.SweepGrid;
import dev.outrider.experiment.sweep.SweepPlan.PlannedCell;
import dev.outrider.experiment.sweep.SweepPlan.RefusedCell;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Makes the plan of a sweep: every combination is checked as far as that is possible without loading a model.
public final class SweepPlanner {
    private final GitState git;
    private final String version;

    /// @param git     the checkout, for the record
    /// @param version of Outrider, for the record
    public SweepPlanner(GitState git, String version) {
        this.git = git;
        this.version = version;
    }

    /// Plan a sweep.
    ///
    /// @param grid    its configurations
    /// @param source  the file it came from
    /// @param results parent of the folder the plan will be in
    /// @throws OutriderException CONFIG_INVALID if an axis changes the name, which belongs to the sweep; the first refusal if
    ///                           every cell is refused
    public SweepPlan plan(SweepGrid grid, String source, Path results) {
        ExperimentConfig first = grid.cells().getFirst().loaded().config();
        List<PlannedCell> cells = new ArrayList<>();
        List<RefusedCell> refused = new ArrayList<>();
        Optional<OutriderException> refusal = Optional.empty();
        for (SweepGrid.Cell cell : grid.cells()) {
            ExperimentConfig config = cell.loaded().config();
            requireSameName(first, config, source);
            Optional<OutriderException> found = refusal(config);
            if (found.isPresent()) {
                refusal = refusal.or(() -> found);
                refused.add(
                        new RefusedCell(
                                cell.labels(), found.get().code().name(), found.get().problem()));
                continue;
            }
            var effective = cell.loaded().effective();
            cells.add(
                    PlannedCell.of(
                            cells.size(),
                            cell.labels(),
                            effective.configHash(),
                            Json.tree(effective.toJson(results.resolve(first.name())))));
        }
        if (cells.isEmpty() && refusal.isPresent()) {
            throw refusal.get();
        }
        return new SweepPlan(
                SweepPlan.VERSION,
                first.name(),
                first.question(),
                source,
                SweepPlan.hash(cells),
                version,
                git.revision(),
                git.dirty(),
                grid.axes(),
                cells,
                refused,
                grid.excluded());
    }

    /// Why a cell would not be run: its output would not be the target's, or its parts do not fit.
    public static Optional<OutriderException> refusal(ExperimentConfig config) {
        try {
            LoadedExperiment.check(config);
            return Optional.empty();
        } catch (OutriderException e) {
            return Optional.of(e);
        }
    }

    private static void requireSameName(
            ExperimentConfig first, ExperimentConfig config, String source) {
        if (!config.name().equals(first.name())) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
                    "%s: an axis changes 'name' from '%s' to '%s', which is the name of the whole sweep"
                            .formatted(source, first.name(), config.name()),
                    "Take the axis out; results name every cell by its values.");
        }
    }
}
