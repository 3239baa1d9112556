package dev.outrider.cli;

import dev.outrider.experiment.run.ComparisonListener;
import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.Contender;
import dev.outrider.experiment.run.FailedPrompt;
import dev.outrider.experiment.run.GenerationRecord;
import dev.outrider.experiment.run.Prompt;

/// Shows how far a comparison has come, and passes everything on to the files.
final class BenchProgress implements ComparisonListener, AutoCloseable {
    private final ComparisonListener files;
    private final Progress bar;

    BenchProgress(Console console, ComparisonPlan plan, ComparisonListener files) {
        this.files = files;
        int warmUp = plan.warmup() * plan.contenders().size();
        bar = new Progress(console, "comparing", plan.generations() + warmUp);
    }

    @Override
    public void starting(Contender contender, Prompt prompt, boolean warmup) {
        bar.step((warmup ? "warming up " : "") + contender.name() + ", " + prompt.id());
        files.starting(contender, prompt, warmup);
    }

    @Override
    public void measured(Contender contender, Prompt prompt, GenerationRecord record) {
        files.measured(contender, prompt, record);
    }

    @Override
    public void failed(FailedPrompt failure) {
        files.failed(failure);
    }

    @Override
    public void close() {
        bar.close();
    }
}
