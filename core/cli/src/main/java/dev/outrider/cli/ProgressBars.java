package dev.outrider.cli;

import dev.outrider.experiment.bench.BenchWatcher;
import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.Variant;
import java.util.List;

/// Shows each stage of an experiment as a bar.
record ProgressBars(Console console) implements BenchWatcher {
    @Override
    public Comparing comparing(ComparisonPlan plan) {
        return new BenchProgress(console, plan);
    }

    @Override
    public Recording recording() {
        return new RecordingProgress(new PhaseProgress(console, "recording"));
    }

    private record RecordingProgress(PhaseProgress bar) implements Recording {
        @Override
        public void at(String side, int done, int of) {
            bar.at(side, done, of);
        }

        @Override
        public void close() {
            bar.close();
        }
    }

    @Override
    public Verifying verifying(List<Variant> variants) {
        return new VerificationProgress(console, variants);
    }
}
