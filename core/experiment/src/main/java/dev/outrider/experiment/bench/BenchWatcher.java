package dev.outrider.experiment.bench;

import dev.outrider.experiment.recording.RunRecorder;
import dev.outrider.experiment.run.Comparison.Listener;
import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.Variant;
import dev.outrider.experiment.verify.Verification;
import java.util.List;

/// Shows people how far an experiment has come. Called on the running thread.
public interface BenchWatcher {
    /// The comparison begins; what is returned is told about it and closed at its end.
    Comparing comparing(ComparisonPlan plan);

    /// The tests of the distribution begin; what is returned is told about them and closed at their end.
    Verifying verifying(List<Variant> variants);

    /// The recording begins; what is returned is told about it and closed at its end.
    Recording recording();

    /// Follows a recording.
    interface Recording extends RunRecorder.Progress, AutoCloseable {
        @Override
        void close();
    }

    /// Follows a comparison.
    interface Comparing extends Listener, AutoCloseable {
        @Override
        void close();
    }

    /// Follows tests of the distribution.
    interface Verifying extends Verification.Progress, AutoCloseable {
        @Override
        void close();
    }

    /// Shows nothing.
    static BenchWatcher none() {
        return new Unwatched();
    }

    /// Nobody looks.
    record Unwatched() implements BenchWatcher {
        @Override
        public Comparing comparing(ComparisonPlan plan) {
            return new SilentComparing();
        }

        @Override
        public Verifying verifying(List<Variant> variants) {
            return new SilentVerifying();
        }

        @Override
        public Recording recording() {
            return new SilentRecording();
        }

        private record SilentRecording() implements Recording {
            @Override
            public void at(String variant, int done, int of) {}

            @Override
            public void close() {}
        }

        private record SilentComparing() implements Comparing {
            @Override
            public void close() {}
        }

        private record SilentVerifying() implements Verifying {
            @Override
            public void at(Variant variant, double share) {}

            @Override
            public void close() {}
        }
    }
}
