package dev.outrider.experiment.report.output;

import dev.outrider.experiment.costs.Costs;
import dev.outrider.experiment.costs.MeasuredCosts;
import dev.outrider.experiment.lab.Asked;
import dev.outrider.experiment.lab.LabReport;
import dev.outrider.experiment.lab.Laboratory;
import dev.outrider.experiment.lab.Recording;
import dev.outrider.experiment.lab.Starts;
import dev.outrider.experiment.report.read.Results;
import dev.outrider.spi.error.OutriderException;
import java.util.ArrayList;
import java.util.Optional;

/// What the recording of a comparison answers, if there is one.
///
/// @param results    with a gap that says so where the recording is broken: the rest of the report does not need it
/// @param laboratory the answers
record RecordedAnswers(Results results, Optional<LabReport> laboratory) {
    /// @param there other costs than the run's own
    static RecordedAnswers of(Results results, Optional<Costs> there) {
        if (results.several() || !Recording.isIn(results.cells().getFirst().folder())) {
            return new RecordedAnswers(results, Optional.empty());
        }
        var cell = results.cells().getFirst();
        try {
            var own = MeasuredCosts.of(cell);
            var recording = Recording.read(cell.folder());
            var laboratory =
                    there.isPresent()
                            ? new Laboratory(
                                    recording, there.get(), own, Starts.NONE, Asked.everything())
                            : Laboratory.atOwnCosts(recording, own, Asked.everything());
            return new RecordedAnswers(results, Optional.of(laboratory.report()));
        } catch (OutriderException e) {
            var gaps = new ArrayList<>(results.gaps());
            gaps.add("the recording is left out: %s".formatted(e.problem()));
            return new RecordedAnswers(
                    new Results(results.name(), results.folder(), results.cells(), gaps),
                    Optional.empty());
        }
    }
}
