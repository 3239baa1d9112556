package dev.outrider.cli;

import dev.outrider.common.PrintableText;
import dev.outrider.engine.decode.Hypothesis;
import dev.outrider.spi.target.Tokenizer;
import java.util.List;
import java.util.Locale;

/// What a beam search came to, a line each.
final class HypothesisList {
    private HypothesisList() {}

    static String of(List<Hypothesis> hypotheses, Tokenizer tokenizer) {
        var text = new StringBuilder();
        for (var each : hypotheses) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "%9.4f  %s%n",
                            each.score(),
                            PrintableText.of(tokenizer.decode(each.ids()).replace('\n', ' '))));
        }
        return text.toString();
    }
}
