package dev.outrider.experiment.bench;

import dev.outrider.experiment.run.Comparison.Listener;
import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.Progress;
import dev.outrider.experiment.run.Variant;
import dev.outrider.experiment.verify.Verification;
import java.util.List;

/// Shows people how far an experiment has come; shows nothing by default. Called on the running thread.
public interface BenchWatcher {
    /// Models are being loaded; what is returned is closed when they are there.
    default Loading loading() {
        return () -> {};
    }

    /// The comparison begins; what is returned is told about it and closed at its end.
    default Comparing comparing(ComparisonPlan plan) {
        return () -> {};
    }

    /// The tests of the distribution begin; what is returned is told about them and closed at their end.
    default Verifying verifying(List<Variant> variants) {
        return (_, _) -> {};
    }

    /// The recording begins; what is returned is told about it and closed at its end.
    default Recording recording() {
        return (_, _, _) -> {};
    }

    /// Follows the loading of models.
    interface Loading extends AutoCloseable {
        @Override
        void close();
    }

    /// Follows a recording.
    interface Recording extends Progress, AutoCloseable {
        @Override
        default void close() {}
    }

    /// Follows a comparison.
    interface Comparing extends Listener, AutoCloseable {
        @Override
        void close();
    }

    /// Follows tests of the distribution.
    interface Verifying extends Verification.Progress, AutoCloseable {
        @Override
        default void close() {}
    }
}
