package dev.outrider.training;

import dev.outrider.common.Ticker;
import java.util.EnumMap;
import java.util.Map;

/// A stop watch: each lap is the time since the one before. Confined.
final class Laps {
    private final Ticker ticker;
    private final Map<TrainingProfile.Part, Double> seconds =
            new EnumMap<>(TrainingProfile.Part.class);
    private long last;

    Laps(Ticker ticker) {
        this.ticker = ticker;
        last = ticker.nanos();
    }

    /// What has been done since the last lap was this.
    void lap(TrainingProfile.Part part) {
        long now = ticker.nanos();
        seconds.merge(part, (now - last) / 1e9, Double::sum);
        last = now;
    }

    TrainingProfile profile() {
        return new TrainingProfile(seconds);
    }
}
