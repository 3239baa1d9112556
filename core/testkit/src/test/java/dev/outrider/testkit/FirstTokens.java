package dev.outrider.testkit;

import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import java.util.List;

/// Collects the first token of each round.
final class FirstTokens {
    private FirstTokens() {}

    static void collect(DecodeEvent event, List<Integer> firsts) {
        if (event instanceof RoundCompleted round) {
            firsts.add(round.verdict().emitted(round.draft().tree())[0]);
        }
    }
}
