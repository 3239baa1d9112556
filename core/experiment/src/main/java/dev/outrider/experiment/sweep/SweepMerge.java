package dev.outrider.experiment.sweep;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.outrider.experiment.results.Provenance.GitState;
import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.table.VariantColumns.Summary;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Merges the results of a sweep's cells, and refuses to mix results that cannot be compared.
///
/// @param mixed whether cells of different revisions may be in one report
public record SweepMerge(SweepPlan plan, SweepFolder folder, boolean mixed) {
    /// Refuses to add cells to those that another revision has run.
    ///
    /// @param git     the checkout that would run the missing cells
    /// @param version its version of Outrider
    /// @throws OutriderException RESULTS_MIXED
    public void requireContinuedBy(GitState git, String version) {
        var revisions = new TreeSet<String>();
        records().forEach(record -> revisions.add(record.revision()));
        revisions.add(CellRecord.revision(git, version));
        requireOne(revisions);
    }

    /// Merges the existing results.
    ///
    /// @throws OutriderException RESULTS_MIXED if cells are of another plan, or of several revisions; DATA_INVALID
    public SweepSummary merge() {
        List<CellRecord> records = records();
        var revisions = new TreeSet<String>();
        records.forEach(record -> revisions.add(record.revision()));
        requireOne(revisions);
        return new SweepSummary(
                plan.name(),
                plan.question(),
                plan.planHash(),
                List.copyOf(revisions),
                plan.axes(),
                plan.cells().size(),
                records.size(),
                plan.excluded(),
                records.stream().map(this::cell).toList(),
                failures(),
                plan.refused());
    }

    private List<CellRecord> records() {
        Set<String> known = new HashSet<>();
        plan.cells().forEach(cell -> known.add(cell.id()));
        List<CellRecord> records = new ArrayList<>();
        for (String id : folder.ids()) {
            folder.finished(id)
                    .ifPresent(record -> {
                        if (!known.contains(id) || !record.planHash().equals(plan.planHash())) {
                            throw mixed(
                                    "'%s' holds cell '%s' of another plan (%s, expected %s)"
                                            .formatted(
                                                    folder.root(),
                                                    id,
                                                    shortened(record.planHash()),
                                                    shortened(plan.planHash())),
                                    "Choose another folder with --out, or remove this one.");
                        }
                        records.add(record);
                    });
        }
        return records;
    }

    private void requireOne(Set<String> revisions) {
        if (revisions.size() > 1 && !mixed) {
            throw mixed(
                    "cells of '%s' were run by different revisions: %s"
                            .formatted(folder.root(), String.join(", ", revisions)),
                    "Run the sweep again in another folder, or add --allow-mixed to compare them all the same.");
        }
    }

    private SweepSummary.Cell cell(CellRecord record) {
        return new SweepSummary.Cell(
                record.index(),
                record.id(),
                record.labels(),
                "cells/" + record.id(),
                record.configHash(),
                record.seconds(),
                ResultReader.report(folder.cell(record.id())).rows());
    }

    private List<CellRecord.CellFailure> failures() {
        return plan.cells().stream()
                .filter(cell -> folder.finished(cell.id()).isEmpty())
                .flatMap(cell -> folder.failure(cell.id()).stream())
                .toList();
    }

    private static String shortened(String hash) {
        return hash.substring(0, Math.min(12, hash.length()));
    }

    private static OutriderException mixed(String problem, String remedy) {
        return ErrorCode.RESULTS_MIXED.error(problem, remedy);
    }

    /// `sweep.json`: the merged results. A function of the plan and of the cells' files alone, so that it does not matter how often
    /// the sweep was interrupted, or how many processes ran it.
    ///
    /// @param name      of the sweep
    /// @param question  the question of the sweep
    /// @param planHash  of its plan
    /// @param revisions revisions that ran the finished cells; more than one only if that was allowed
    /// @param axes      the keys that vary
    /// @param planned   cells of the plan
    /// @param finished  cells with results
    /// @param excluded  combinations that the file leaves out
    /// @param cells     the finished ones, in the plan's order
    /// @param failures  cells whose last attempt failed
    /// @param refused   combinations that are not run
    public record SweepSummary(
            String name,
            String question,
            String planHash,
            List<String> revisions,
            List<SweepPlan.Axis> axes,
            int planned,
            int finished,
            int excluded,
            List<Cell> cells,
            List<CellRecord.CellFailure> failures,
            List<SweepPlan.RefusedCell> refused) {
        /// A finished cell.
        ///
        /// @param index      its number
        /// @param id         its name
        /// @param labels     its value on every axis
        /// @param folder     its results, relative to the sweep's folder
        /// @param configHash its configuration
        /// @param seconds    its duration
        /// @param variants   its results, in the file as `summary`: an object for each variant, as in its `summary.json`
        public record Cell(
                int index,
                String id,
                Map<String, String> labels,
                String folder,
                String configHash,
                double seconds,
                @JsonIgnore List<VariantResult> variants) {
            /// Returns the columns of the variants.
            @JsonProperty
            List<Map<String, Object>> summary() {
                return Summary.of(variants);
            }
        }
    }
}
