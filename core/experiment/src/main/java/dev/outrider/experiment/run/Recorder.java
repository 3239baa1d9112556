package dev.outrider.experiment.run;

import dev.outrider.engine.decode.DecodeListener;
import dev.outrider.spi.DecodeEvent;
import java.util.ArrayList;
import java.util.List;

/// Keeps what a report needs of one generation's events. Confined to one thread.
final class Recorder implements DecodeListener {
    private final List<RoundRecord> rounds = new ArrayList<>();
    private long prefillNanos;

    @Override
    public void onEvent(DecodeEvent event) {
        switch (event) {
            case DecodeEvent.Prefilled prefilled ->
                    prefillNanos = prefilled.targetNanos() + prefilled.drafterNanos();
            case DecodeEvent.RoundCompleted round -> rounds.add(RoundRecord.of(round));
            case DecodeEvent.Finished _ -> {}
        }
    }

    List<RoundRecord> rounds() {
        return List.copyOf(rounds);
    }

    long prefillNanos() {
        return prefillNanos;
    }
}
