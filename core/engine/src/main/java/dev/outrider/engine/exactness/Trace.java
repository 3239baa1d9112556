package dev.outrider.engine.exactness;

import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DecodeListener;
import java.util.ArrayList;
import java.util.List;

/// The rounds of one generation, with their drafts. Confined to one thread.
public final class Trace implements DecodeListener {
    private final List<RoundCompleted> rounds = new ArrayList<>();

    @Override
    public void onEvent(DecodeEvent event) {
        if (event instanceof RoundCompleted round) {
            rounds.add(round);
        }
    }

    /// Rounds in order.
    public List<RoundCompleted> rounds() {
        return List.copyOf(rounds);
    }
}
