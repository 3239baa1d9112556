package dev.outrider.engine.metrics;

import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeListener;

/// Adds up the events of one thread's sequences. Confined to that thread.
public final class MetricsCollector implements DecodeListener {
    private DecodeMetrics metrics = DecodeMetrics.none();

    @Override
    public void onEvent(DecodeEvent event) {
        metrics = metrics.plus(DecodeMetrics.of(event));
    }

    /// What was seen so far.
    public DecodeMetrics metrics() {
        return metrics;
    }
}
