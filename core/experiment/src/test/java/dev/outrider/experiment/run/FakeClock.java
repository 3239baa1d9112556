package dev.outrider.experiment.run;

import dev.outrider.common.Ticker;

/// A clock that moves only when a fake model moves it: measured times become exact.
public final class FakeClock implements Ticker {
    private long now;

    @Override
    public long nanos() {
        return now;
    }

    /// Lets time pass.
    public void advance(long nanos) {
        now += nanos;
    }
}
