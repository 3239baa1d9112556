package dev.outrider.experiment.run;

import dev.outrider.engine.decode.DecodeListener;
import dev.outrider.spi.DecodeEvent;
import java.util.ArrayList;
import java.util.List;

/// Keeps what a report needs of each round of one generation. Confined to one thread.
final class Recorder implements DecodeListener {
    private final List<RoundRecord> rounds = new ArrayList<>();

    @Override
    public void onEvent(DecodeEvent event) {
        if (event instanceof DecodeEvent.RoundCompleted round) {
            rounds.add(RoundRecord.of(round));
        }
    }

    List<RoundRecord> rounds() {
        return List.copyOf(rounds);
    }
}
