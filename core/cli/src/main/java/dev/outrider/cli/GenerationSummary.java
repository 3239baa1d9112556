package dev.outrider.cli;

import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.metrics.DecodeMetrics;
import dev.outrider.experiment.run.Variant;
import java.util.Locale;

/// One line about a generation, for people.
final class GenerationSummary {
    private GenerationSummary() {}

    static String of(Variant side, Generation generation, DecodeMetrics metrics) {
        if (generation.tokens().length == 0) {
            return "no tokens, ended by " + reason(generation);
        }
        var text = new StringBuilder();
        text.append(
                String.format(
                        Locale.ROOT,
                        "%d tokens, %.1f a second, ended by %s",
                        generation.tokens().length,
                        metrics.tokensPerSecond(),
                        reason(generation)));
        if (!side.plain()) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "; %s: %.2f %s, alpha %.2f",
                            side.name(),
                            metrics.tokensPerRound(),
                            side.beams().isPresent() ? "steps a pass" : "tokens a round",
                            metrics.alpha()));
        }
        return text.toString();
    }

    private static String reason(Generation generation) {
        return generation.reason().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
