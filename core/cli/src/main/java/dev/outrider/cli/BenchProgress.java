package dev.outrider.cli;

import dev.outrider.experiment.bench.BenchWatcher;
import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.Prompt;
import dev.outrider.experiment.run.Variant;

/// Shows how far a comparison has come.
final class BenchProgress implements BenchWatcher.Comparing {
    private final Progress bar;

    BenchProgress(Console console, ComparisonPlan plan) {
        int warmUp = plan.warmup() * plan.sides().size() * plan.batch();
        bar = new Progress(console, "comparing", plan.generations() + warmUp);
    }

    @Override
    public void starting(Variant side, Prompt prompt, boolean warmup) {
        bar.step((warmup ? "warming up " : "") + side.name() + ", " + prompt.id());
    }

    @Override
    public void close() {
        bar.close();
    }
}
