package dev.outrider.experiment.sweep;

import dev.outrider.experiment.bench.Host;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.run.Progress;
import dev.outrider.experiment.sweep.SweepPlan.PlannedCell;
import dev.outrider.experiment.verify.Verification;
import dev.outrider.experiment.verify.VerificationSettings;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/// Puts every combination of a sweep to the test. One false-alarm rate is shared evenly by all cells, and within a cell by its
/// variants. What was found of a cell is kept at once, and the same revision does not look for it again. Confined to one thread.
///
/// @param settings  of the whole run; seed and batch are those of each cell's configuration
/// @param check     whether every draft and verdict is checked as well
/// @param host      what looks
/// @param cancelled asked before every cell and round
public record SweepVerification(
        SweepPlan plan,
        SweepFolder folder,
        VerificationSettings settings,
        boolean check,
        Host host,
        BooleanSupplier cancelled) {
    private static final String FILE = "exactness.json";
    private static final String DAMAGED = "Remove the file and verify again.";

    /// Look at every cell that was not looked at before.
    ///
    /// @param load makes the experiment of a cell
    /// @return what is known of all cells, in order; without those that were not reached
    /// @throws OutriderException what loading a cell throws, RESULTS_MIXED if another revision has looked at some of them,
    ///     RESULTS_NOT_WRITABLE
    public List<VerifiedCell> run(Function<PlannedCell, ExperimentConfig> load, Progress progress) {
        var before = plan.cells().stream().map(this::before).toList();
        var verified = new ArrayList<VerifiedCell>();
        for (int i = 0; i < before.size(); i++) {
            if (before.get(i).isPresent()) {
                verified.add(before.get(i).get());
            } else if (!cancelled.getAsBoolean()) {
                verify(plan.cells().get(i), load, progress).ifPresent(verified::add);
            }
        }
        return verified;
    }

    private Optional<VerifiedCell> before(PlannedCell cell) {
        return Json.optional(folder.cell(cell.id()).resolve(FILE), VerifiedCell.class, DAMAGED)
                .filter(kept -> kept.configHash().equals(cell.configHash()))
                .map(this::ofThisRevision)
                .map(this::asHard)
                .filter(kept -> kept.checked() || !check);
    }

    /// Refuses to mix in results that were found with other settings.
    private VerifiedCell asHard(VerifiedCell kept) {
        var own = kept.settings();
        if (!share().with(own.seed(), own.batch()).equals(own)) {
            throw new OutriderException(
                    ErrorCode.RESULTS_MIXED,
                    "cells of '%s' were verified with %s, now %s is asked for"
                            .formatted(
                                    folder.root(),
                                    own.allOf(plan.cells().size()).options(),
                                    settings.options()),
                    "Ask for the same, choose another folder with --out, or remove this one.");
        }
        return kept;
    }

    private VerifiedCell ofThisRevision(VerifiedCell kept) {
        if (!kept.revision().equals(revision())) {
            throw new OutriderException(
                    ErrorCode.RESULTS_MIXED,
                    "cells of '%s' were verified by revision %s, this one is %s"
                            .formatted(folder.root(), kept.revision(), revision()),
                    "Choose another folder with --out, or remove this one.");
        }
        return kept;
    }

    private Optional<VerifiedCell> verify(
            PlannedCell cell, Function<PlannedCell, ExperimentConfig> load, Progress progress) {
        var config = load.apply(cell);
        var here = share().with(config.seed(), config.batch());
        try (var loaded = LoadedExperiment.load(config, host.ticker(), check)) {
            var verification =
                    new Verification(
                            loaded.variants(),
                            loaded.plan(config).prompts(),
                            here,
                            host.ticker(),
                            cancelled);
            var verified =
                    verification.run((variant, done, of) ->
                            progress.at(
                                    "%s, %s %.0f %%"
                                            .formatted(cell.describe(), variant, 100.0 * done / of),
                                    cell.index(),
                                    plan.cells().size()));
            if (cancelled.getAsBoolean()) {
                return Optional.empty();
            }
            var found =
                    new VerifiedCell(
                            cell.index(),
                            cell.labels(),
                            cell.configHash(),
                            here,
                            check,
                            revision(),
                            verified);
            folder.write(folder.cell(cell.id()).resolve(FILE), Json.pretty(found));
            return Optional.of(found);
        }
    }

    private String revision() {
        return CellRecord.revision(host.git(), host.version());
    }

    private VerificationSettings share() {
        return settings.oneOf(plan.cells().size());
    }

    /// The result of a verification of one cell of a sweep. Kept as `exactness.json` in the cell's folder.
    ///
    /// @param index      number of the cell
    /// @param labels     its value on every axis
    /// @param configHash its configuration
    /// @param settings   how hard was looked
    /// @param checked    whether every draft and verdict was checked as well
    /// @param revision   what looked
    /// @param variants   in the order of the configuration
    public record VerifiedCell(
            int index,
            Map<String, String> labels,
            String configHash,
            VerificationSettings settings,
            boolean checked,
            String revision,
            List<Verification.Verified> variants) {}
}
