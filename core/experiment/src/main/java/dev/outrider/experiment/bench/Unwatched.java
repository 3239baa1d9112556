package dev.outrider.experiment.bench;

import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.Side;
import java.util.List;

/// Nobody looks.
record Unwatched() implements BenchWatcher {
    @Override
    public Comparing comparing(ComparisonPlan plan) {
        return new SilentComparing();
    }

    @Override
    public Verifying verifying(List<Side> variants) {
        return new SilentVerifying();
    }

    @Override
    public Recording recording() {
        return new SilentRecording();
    }

    private record SilentRecording() implements Recording {
        @Override
        public void at(String side, int done, int of) {}

        @Override
        public void close() {}
    }

    private record SilentComparing() implements Comparing {
        @Override
        public void close() {}
    }

    private record SilentVerifying() implements Verifying {
        @Override
        public void at(Side variant, double share) {}

        @Override
        public void close() {}
    }
}
