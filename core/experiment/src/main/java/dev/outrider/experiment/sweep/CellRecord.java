package dev.outrider.experiment.sweep;

import dev.outrider.experiment.bench.Host;
import dev.outrider.experiment.results.Provenance.GitState;
import dev.outrider.experiment.sweep.SweepPlan.PlannedCell;
import dev.outrider.spi.error.OutriderException;
import java.util.Map;

/// `cell.json`: marks a finished cell, with its plan and its revision. Written last and atomically.
///
/// @param index       number of the cell
/// @param id          name of its folder
/// @param labels      its value on every axis
/// @param planHash    the plan it belongs to
/// @param configHash  its configuration
/// @param git         checkout that ran it
/// @param outrider    version that ran it
/// @param seconds     its duration, loading included
public record CellRecord(
        int index,
        String id,
        Map<String, String> labels,
        String planHash,
        String configHash,
        GitState git,
        String outrider,
        double seconds) {
    static CellRecord of(PlannedCell cell, SweepPlan plan, Host host, double seconds) {
        return new CellRecord(
                cell.index(),
                cell.id(),
                cell.labels(),
                plan.planHash(),
                cell.configHash(),
                host.git(),
                host.version(),
                seconds);
    }

    /// Returns the revision, which must be equal in all cells of a report.
    public String revision() {
        return revision(git, outrider);
    }

    /// Returns the revision of a program.
    static String revision(GitState git, String version) {
        return "%s%s (%s)".formatted(git.revision(), git.dirty() ? " with changes" : "", version);
    }

    /// `failure.json`: the reason why the last attempt at a cell failed. The next run of the sweep tries it again.
    ///
    /// @param index    number of the cell
    /// @param id       name of its folder
    /// @param labels   its value on every axis
    /// @param planHash the plan it belongs to
    /// @param code     name of the error
    /// @param message  the mistake and its remedy
    public record CellFailure(
            int index,
            String id,
            Map<String, String> labels,
            String planHash,
            String code,
            String message) {
        static CellFailure of(PlannedCell cell, SweepPlan plan, String code, Throwable failed) {
            return new CellFailure(
                    cell.index(),
                    cell.id(),
                    cell.labels(),
                    plan.planHash(),
                    code,
                    failed instanceof OutriderException known
                            ? String.valueOf(known.getMessage())
                            : failed.toString());
        }
    }
}
