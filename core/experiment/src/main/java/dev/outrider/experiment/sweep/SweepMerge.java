package dev.outrider.experiment.sweep;

import dev.outrider.experiment.report.GitState;
import dev.outrider.experiment.report.read.ResultReader;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Puts the results of a sweep's cells together, and refuses to mix what cannot be compared.
public final class SweepMerge {
    private final SweepPlan plan;
    private final SweepFolder folder;
    private final boolean mixed;

    /// @param mixed whether cells that different revisions ran may stand in one report
    public SweepMerge(SweepPlan plan, SweepFolder folder, boolean mixed) {
        this.plan = plan;
        this.folder = folder;
        this.mixed = mixed;
    }

    /// Refuse to add to cells that another revision has run.
    ///
    /// @param git     what would run the missing cells
    /// @param version of Outrider that would
    /// @throws OutriderException RESULTS_MIXED
    public void requireContinuedBy(GitState git, String version) {
        var revisions = new TreeSet<String>();
        records().forEach(record -> revisions.add(record.revision()));
        revisions.add(CellRecord.revision(git.revision(), git.dirty(), version));
        requireOne(revisions);
    }

    /// Merge what is there.
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

    private List<CellFailure> failures() {
        return plan.cells().stream()
                .filter(cell -> folder.finished(cell.id()).isEmpty())
                .flatMap(cell -> folder.failure(cell.id()).stream())
                .toList();
    }

    private static String shortened(String hash) {
        return hash.substring(0, Math.min(12, hash.length()));
    }

    private static OutriderException mixed(String problem, String remedy) {
        return new OutriderException(ErrorCode.RESULTS_MIXED, problem, remedy);
    }
}
