package dev.outrider.experiment.bench;

import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.Contender;
import java.util.List;

/// Nobody looks.
record Unwatched() implements BenchWatcher {
    @Override
    public Comparing comparing(ComparisonPlan plan) {
        return new SilentComparing();
    }

    @Override
    public Verifying verifying(List<Contender> variants) {
        return new SilentVerifying();
    }

    private record SilentComparing() implements Comparing {
        @Override
        public void close() {}
    }

    private record SilentVerifying() implements Verifying {
        @Override
        public void at(Contender variant, double share) {}

        @Override
        public void close() {}
    }
}
