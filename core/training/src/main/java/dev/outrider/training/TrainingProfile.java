package dev.outrider.training;

import dev.outrider.common.Ticker;
import java.util.EnumMap;
import java.util.Map;

/// The time of a run by its parts. The parts are disjoint, and their sum is the whole.
///
/// @param seconds of every part, zero if the run has no such part
public record TrainingProfile(Map<Part, Double> seconds) {
    /// The part of a run that time is spent in.
    public enum Part {
        ROWS("reading, encoding and packing text"),
        INPUTS("the frozen target's or teacher's pass, and what is handed to the engine"),
        FORWARD("the loss"),
        BACKWARD("its gradients"),
        OPTIMISER("clipping, AdamW"),
        VALIDATION("validation"),
        CHECKPOINTS("checkpoints"),
        REST("start, curve, display");

        private final String meaning;

        Part(String meaning) {
            this.meaning = meaning;
        }

        /// {@return the work of this part}
        public String meaning() {
            return meaning;
        }
    }

    public TrainingProfile {
        var all = new EnumMap<Part, Double>(Part.class);
        for (var part : Part.values()) {
            all.put(part, seconds.getOrDefault(part, 0.0));
        }
        seconds = Map.copyOf(all);
    }

    /// The time of all parts together.
    public double total() {
        return seconds.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /// A part's share of the whole, 0 to 1.
    public double share(Part part) {
        double total = total();
        return total > 0 ? seconds.getOrDefault(part, 0.0) / total : 0;
    }

    /// A stop watch: each lap is the time since the one before. Confined.
    static final class Laps {
        private final Ticker ticker;
        private final Map<TrainingProfile.Part, Double> seconds =
                new EnumMap<>(TrainingProfile.Part.class);
        private long last;

        Laps(Ticker ticker) {
            this.ticker = ticker;
            last = ticker.nanos();
        }

        /// Adds the time since the last lap to a part.
        void lap(TrainingProfile.Part part) {
            long now = ticker.nanos();
            seconds.merge(part, (now - last) / 1e9, Double::sum);
            last = now;
        }

        TrainingProfile profile() {
            return new TrainingProfile(seconds);
        }
    }
}
