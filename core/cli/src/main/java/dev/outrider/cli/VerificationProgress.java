package dev.outrider.cli;

import dev.outrider.experiment.bench.BenchWatcher;
import dev.outrider.experiment.run.Variant;
import java.util.List;

/// Shows how far a verification has come.
final class VerificationProgress implements BenchWatcher.Verifying {
    private static final int STEPS = 1000;

    private final List<Variant> variants;
    private final Progress bar;

    VerificationProgress(Console console, List<Variant> variants) {
        this.variants = variants;
        this.bar = new Progress(console, "verifying", (long) STEPS * variants.size());
    }

    @Override
    public void at(Variant variant, double share) {
        bar.at(Math.round(STEPS * (variants.indexOf(variant) + share)), variant.name());
    }

    @Override
    public void close() {
        bar.close();
    }
}
