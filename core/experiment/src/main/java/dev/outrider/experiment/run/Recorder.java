package dev.outrider.experiment.run;

import dev.outrider.engine.metrics.DecodeMetrics;
import dev.outrider.engine.metrics.MetricsCollector;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeListener;
import java.util.ArrayList;
import java.util.List;

/// Keeps what a report needs of each round of one generation. Confined to one thread.
final class Recorder implements DecodeListener {
    private final List<RoundRecord> rounds = new ArrayList<>();
    private final MetricsCollector metrics = new MetricsCollector();

    @Override
    public void onEvent(DecodeEvent event) {
        metrics.onEvent(event);
        switch (event) {
            case DecodeEvent.RoundCompleted round -> rounds.add(RoundRecord.of(round));
            case DecodeEvent.BeamPassCompleted pass -> rounds.add(RoundRecord.of(pass));
            case DecodeEvent.Prefilled _, DecodeEvent.PluginFailed _, DecodeEvent.Finished _ -> {}
        }
    }

    DecodeMetrics metrics() {
        return metrics.metrics();
    }

    List<RoundRecord> rounds() {
        return List.copyOf(rounds);
    }
}
