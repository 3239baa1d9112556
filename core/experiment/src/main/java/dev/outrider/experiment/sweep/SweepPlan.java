package dev.outrider.experiment.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.common.Sha256;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.results.Provenance.GitState;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.sweep.SweepGridReader.SweepGrid;
import dev.outrider.experiment.sweep.SweepPlan.PlannedCell;
import dev.outrider.experiment.sweep.SweepPlan.RefusedCell;
import dev.outrider.experiment.table.Column;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Every cell of a sweep, for one machine, several processes, or a cluster's jobs. Stored as `plan.json`.
///
/// @param version     of the sweep's files, [#VERSION]
/// @param name        of the sweep, and of its folder
/// @param question    the question of the sweep
/// @param source      the file it was made from
/// @param planHash    SHA-256 over the cells: two plans with equal hashes run the same experiments under the same numbers
/// @param outrider    version that made it
/// @param gitRevision commit that made it, or `unknown`
/// @param gitDirty    whether the checkout differed from that commit
/// @param axes        the keys that vary; the last one varies fastest
/// @param cells       in order
/// @param refused     combinations that are not run, with the reason
/// @param excluded    combinations that the file leaves out
public record SweepPlan(
        int version,
        String name,
        String question,
        String source,
        String planHash,
        String outrider,
        String gitRevision,
        boolean gitDirty,
        List<Axis> axes,
        List<PlannedCell> cells,
        List<RefusedCell> refused,
        int excluded) {
    /// The version of the plan and of every file in a sweep's folder that is read again, such as `cell.json` and `exactness.json`.
    /// A change of one of these formats changes this number: a folder that an older version wrote is refused before anything is
    /// added to it.
    public static final int VERSION = 2;

    private static final String REMEDY =
            "Make the plan again with 'outrider sweep CONFIG' in another folder (--out), or remove this one first.";

    /// An axis of the sweep.
    ///
    /// @param name   of the axis
    /// @param values labels of the values
    public record Axis(String name, List<String> values) {
        /// A column of tables with the value of each row.
        ///
        /// @param labels of a row, by axis
        <R> Column<R> column(Function<R, Map<String, String>> labels) {
            return Column.<R>words("axis." + name, row -> labels.apply(row).getOrDefault(name, ""))
                    .called(name)
                    .meaning("axis of the sweep");
        }
    }

    /// Makes the plan of a sweep: every combination is checked as far as that is possible without loading a model.
    ///
    /// @param grid    its configurations
    /// @param source  the file it came from
    /// @param results parent of the plan's folder
    /// @param git     the checkout, for the record
    /// @param version of Outrider, for the record
    /// @throws OutriderException CONFIG_INVALID if an axis changes the name, which belongs to the sweep; the first refusal if
    ///                           every cell is refused
    public static SweepPlan of(
            SweepGrid grid, String source, Path results, GitState git, String version) {
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
                VERSION,
                first.name(),
                first.question(),
                source,
                hash(cells),
                version,
                git.revision(),
                git.dirty(),
                grid.axes(),
                cells,
                refused,
                grid.excluded());
    }

    /// Returns the reason why a cell cannot be run: its output would not be the target's, or its parts do not fit.
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
            throw ErrorCode.CONFIG_INVALID.error(
                    "%s: an axis changes 'name' from '%s' to '%s', which is the name of the whole sweep"
                            .formatted(source, first.name(), config.name()),
                    "Take the axis out; results name every cell by its values.");
        }
    }

    /// Reads a plan.
    ///
    /// @throws OutriderException DATA_INVALID if it is missing, damaged, edited or of another version
    public static SweepPlan read(Path file) {
        SweepPlan plan = Json.object(file, SweepPlan.class, REMEDY);
        if (plan.version() != VERSION) {
            throw damaged(
                    "'%s' is a plan of version %d, expected %d"
                            .formatted(file, plan.version(), VERSION));
        }
        if (!plan.planHash().equals(hash(plan.cells()))) {
            throw damaged(
                    "'%s' was changed: its cells do not have the hash it states".formatted(file));
        }
        return plan;
    }

    /// Returns the cell with a number.
    ///
    /// @throws OutriderException USAGE if there is none
    public PlannedCell cell(int index) {
        if (index < 0 || index >= cells.size()) {
            throw ErrorCode.USAGE.error(
                    "there is no cell %d; the plan has %d, numbered from 0"
                            .formatted(index, cells.size()),
                    "Give --index a number from 0 to %d.".formatted(cells.size() - 1));
        }
        return cells.get(index);
    }

    /// SHA-256 over numbers, labels and configurations, in hexadecimal digits.
    static String hash(List<PlannedCell> cells) {
        var hash = new Sha256();
        for (PlannedCell cell : cells) {
            hash.add("%d\n%s\n%s\n".formatted(cell.index(), cell.labels(), cell.configHash()));
        }
        return hash.hex();
    }

    private static OutriderException damaged(String problem) {
        return ErrorCode.DATA_INVALID.error(problem, REMEDY);
    }

    /// One complete experiment of a sweep; it needs neither the sweep's file nor its command line.
    ///
    /// @param index      from 0
    /// @param id         name of its folder: the index and the beginning of the hash
    /// @param labels     its value on every axis
    /// @param configHash SHA-256 of its effective configuration, independent of the place of the plan
    /// @param config     the effective configuration; its paths are relative to the plan's folder
    public record PlannedCell(
            int index, String id, Map<String, String> labels, String configHash, JsonNode config) {
        private static final int HASH_DIGITS = 12;

        static PlannedCell of(
                int index, Map<String, String> labels, String configHash, JsonNode config) {
            String id = "%04d-%s".formatted(index, configHash.substring(0, HASH_DIGITS));
            return new PlannedCell(index, id, labels, configHash, config);
        }

        /// Axes and values on one line.
        public String describe() {
            return describe(labels);
        }

        static String describe(Map<String, String> labels) {
            return labels.entrySet().stream()
                    .map(label -> label.getKey() + "=" + label.getValue())
                    .collect(Collectors.joining(" "));
        }
    }

    /// A combination that is not run because its output would not be the target's, or because it cannot work.
    ///
    /// @param labels its value on every axis
    /// @param code   name of the error
    /// @param reason the error's sentence
    public record RefusedCell(Map<String, String> labels, String code, String reason) {
        /// Axes and values on one line.
        public String describe() {
            return PlannedCell.describe(labels);
        }
    }
}
