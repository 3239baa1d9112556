package dev.outrider.cli;

import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.metrics.DecodeMetrics;
import dev.outrider.experiment.run.Contender;
import java.util.Locale;

/// One line about a generation, for people.
final class GenerationSummary {
    private GenerationSummary() {}

    static String of(Contender side, Generation generation, DecodeMetrics metrics) {
        var text = new StringBuilder();
        text.append(
                String.format(
                        Locale.ROOT,
                        "%d tokens, %.1f a second, ended by %s",
                        generation.tokens().length,
                        metrics.tokensPerSecond(),
                        generation.reason().name().toLowerCase(Locale.ROOT).replace('_', ' ')));
        if (!side.plain()) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "; %s: %.2f tokens a round, alpha %.2f",
                            side.name(),
                            metrics.tokensPerRound(),
                            metrics.alpha()));
        }
        return text.toString();
    }
}
