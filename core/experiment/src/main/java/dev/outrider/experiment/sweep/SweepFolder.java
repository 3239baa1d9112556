package dev.outrider.experiment.sweep;

import dev.outrider.common.AtomicFile;
import dev.outrider.common.FailureReason;
import dev.outrider.common.ProcessLock;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.results.ResultFolder;
import dev.outrider.experiment.results.RunFolders;
import dev.outrider.experiment.sweep.CellRecord.CellFailure;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The files of a sweep: `plan.json`, `cells/<id>/` with a comparison's results and `cell.json` in each, and the merged
/// `sweep.json` and `table.txt`.
///
/// A cell is finished when its `cell.json` is there, which is written last and at once. Everything else in its folder without
/// that file is the rest of an attempt that was killed, and the next attempt replaces it.
///
/// @param root the sweep's folder
public record SweepFolder(Path root) {
    private static final String DAMAGED = "Remove the folder of this cell and run the sweep again.";

    /// The plan.
    public Path plan() {
        return root.resolve("plan.json");
    }

    /// The merged report.
    public Path summary() {
        return root.resolve("sweep.json");
    }

    /// The merged report for people.
    public Path table() {
        return root.resolve("table.txt");
    }

    /// Parent of the cells' folders.
    public Path cells() {
        return root.resolve("cells");
    }

    /// A cell's folder, a comparison's results.
    public Path cell(String id) {
        return cells().resolve(id);
    }

    /// Stores a plan here, unless the same plan is stored already.
    ///
    /// @return the stored plan
    /// @throws OutriderException RESULTS_MIXED if another plan's results are here
    public SweepPlan adopt(SweepPlan fresh) {
        if (!Files.exists(plan())) {
            write(plan(), Json.pretty(fresh));
            return fresh;
        }
        SweepPlan kept = SweepPlan.read(plan());
        if (!kept.planHash().equals(fresh.planHash())) {
            throw ErrorCode.RESULTS_MIXED.error(
                    "'%s' holds another plan than '%s' asks for now: %d cells then, %d now"
                            .formatted(
                                    root,
                                    fresh.source(),
                                    kept.cells().size(),
                                    fresh.cells().size()),
                    "Choose another folder with --out, or remove this one.");
        }
        return kept;
    }

    /// The record of a finished cell.
    public Optional<CellRecord> finished(String id) {
        return Json.optional(cell(id).resolve("cell.json"), CellRecord.class, DAMAGED);
    }

    /// Returns the reason why the last attempt at a cell failed, if it did.
    public Optional<CellFailure> failure(String id) {
        return Json.optional(failureFile(id), CellFailure.class, DAMAGED);
    }

    /// Names of all folders of cells, sorted.
    public List<String> ids() {
        return RunFolders.in(cells()).stream()
                .map(folder -> String.valueOf(folder.getFileName()))
                .sorted()
                .toList();
    }

    /// Claims a cell for this process; empty if another process has claimed it.
    Optional<ProcessLock> claim(String id) {
        try {
            return ProcessLock.tryTake(cell(id).resolve(".claim"));
        } catch (IOException e) {
            throw noClaim(id, e);
        }
    }

    /// Returns the error of a claim that can be neither taken nor released.
    OutriderException noClaim(String id, IOException cause) {
        return ErrorCode.RESULTS_NOT_WRITABLE.error(
                "cell '%s' cannot be locked in '%s': %s"
                        .formatted(id, root, FailureReason.of(cause)),
                "Choose a folder that may be written to, on a file system that has locks.",
                cause);
    }

    void write(CellRecord record) {
        write(cell(record.id()).resolve("cell.json"), Json.pretty(record));
    }

    void write(CellFailure failure) {
        write(failureFile(failure.id()), Json.pretty(failure));
    }

    /// Records that the process of a cell ended before the cell was finished.
    ///
    /// @param why the reason
    /// @return the record; empty if the cell is finished or another process runs it
    /// @throws OutriderException RESULTS_NOT_WRITABLE
    public Optional<CellFailure> noteStopped(
            SweepPlan plan, SweepPlan.PlannedCell cell, OutriderException why) {
        var claim = claim(cell.id());
        if (claim.isEmpty()) {
            return Optional.empty();
        }
        try (var _ = claim.get()) {
            if (finished(cell.id()).isPresent()) {
                return Optional.empty();
            }
            var failure = CellFailure.of(cell, plan, why.code().name(), why);
            write(failure);
            return Optional.of(failure);
        } catch (IOException e) {
            throw noClaim(cell.id(), e);
        }
    }

    void forgetFailure(String id) {
        ResultFolder.writing(root, () -> Files.deleteIfExists(failureFile(id)));
    }

    /// Replaces one of the folder's files.
    ///
    /// @throws OutriderException RESULTS_NOT_WRITABLE
    public void write(Path file, String text) {
        ResultFolder.writing(root, () -> AtomicFile.write(file, text));
    }

    private Path failureFile(String id) {
        return cell(id).resolve("failure.json");
    }
}
