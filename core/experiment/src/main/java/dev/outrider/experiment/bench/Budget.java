package dev.outrider.experiment.bench;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/// How far a comparison that continues until it is decided may go.
///
/// @param prompts most prompts, in place of the configuration's limit; without it every prompt of its source
/// @param time    after which no prompt begins; without it there is no such time
public record Budget(OptionalInt prompts, Optional<Duration> time) {
    /// Most prompts.
    public static Budget ofPrompts(int prompts) {
        return new Budget(OptionalInt.of(prompts), Optional.empty());
    }

    /// Every prompt of the source, until some time is over.
    public static Budget ofTime(Duration time) {
        return new Budget(OptionalInt.empty(), Optional.of(time));
    }
}
