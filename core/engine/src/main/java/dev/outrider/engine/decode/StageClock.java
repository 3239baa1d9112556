package dev.outrider.engine.decode;

import dev.outrider.common.Ticker;

/// Splits time into laps. Confined to one thread.
public final class StageClock {
    private final Ticker ticker;
    private long last;

    /// A clock whose first lap begins now.
    public StageClock(Ticker ticker) {
        this.ticker = ticker;
        this.last = ticker.nanos();
    }

    /// Nanoseconds since the last lap, or since the clock was made.
    public long lap() {
        long now = ticker.nanos();
        long lap = now - last;
        last = now;
        return lap;
    }
}
