package dev.outrider.cli;

import dev.outrider.common.Ticker;
import dev.outrider.training.TrainingProgress;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/// A run in one line: loss, validation, speed, time left. Confined.
final class TrainingLine {
    private final Ticker ticker;
    private final long startNanos;
    private long steps;
    private long seen;
    private OptionalDouble validation = OptionalDouble.empty();

    TrainingLine(Ticker ticker) {
        this.ticker = ticker;
        startNanos = ticker.nanos();
    }

    /// Takes note of a step.
    void at(TrainingProgress.Step step) {
        seen++;
        steps = step.steps() - step.step();
        if (step.validationLoss().isPresent()) {
            validation = step.validationLoss();
        }
    }

    /// What stands beside a bar, which has the step and the time itself.
    String beside(TrainingProgress.Step step) {
        var text = new StringBuilder(String.format(Locale.ROOT, "loss %.3f", step.loss()));
        validation.ifPresent(
                loss -> text.append(String.format(Locale.ROOT, ", validation %.3f", loss)));
        return text.append(String.format(Locale.ROOT, ", %.0f tokens/s", step.tokensPerSecond()))
                .toString();
    }

    /// What a log says.
    String whole(TrainingProgress.Step step) {
        var measures =
                step.measures().entrySet().stream()
                        .map(each ->
                                String.format(
                                        Locale.ROOT, ", %s %.3f", each.getKey(), each.getValue()))
                        .collect(Collectors.joining());
        return "step %d of %d: %s%s, %s left"
                .formatted(step.step(), step.steps(), beside(step), measures, left());
    }

    /// If the steps to come take as long as those seen.
    private String left() {
        double perStep = (ticker.nanos() - startNanos) / 1e9 / seen;
        long seconds = Math.round(perStep * steps);
        return "%d:%02d:%02d".formatted(seconds / 3600, seconds / 60 % 60, seconds % 60);
    }
}
