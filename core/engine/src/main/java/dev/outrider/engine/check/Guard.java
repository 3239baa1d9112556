package dev.outrider.engine.check;

import java.time.Duration;
import java.util.Optional;

/// What becomes of a request whose drafter or rule fails: throws, breaks its contract, or does not answer in time.
///
/// @param onFailure whether the request ends or goes on without drafts
/// @param deadline  longest time for one call of the drafter; no limit when empty. With a limit a drafter's calls are made on a
///                  thread of the sequence's own, which is interrupted at the limit and left behind at twice the limit
/// @param left      drafters that were left behind, which are called no more; shared by all who use the guard
public record Guard(OnFailure onFailure, Optional<Duration> deadline, LeftDrafters left) {
    /// What to do about a failure.
    public enum OnFailure {
        /// The request ends with the failure.
        STOP,
        /// The request goes on with plain decoding.
        PLAIN
    }

    public Guard {
        if (deadline.isPresent() && !deadline.get().isPositive()) {
            throw new IllegalArgumentException(
                    "deadline %s is not positive".formatted(deadline.get()));
        }
    }

    /// A guard that has left no drafter behind yet.
    public Guard(OnFailure onFailure, Optional<Duration> deadline) {
        this(onFailure, deadline, new LeftDrafters());
    }

    /// Failures end the request; calls may take as long as they like.
    public static Guard stopping() {
        return new Guard(OnFailure.STOP, Optional.empty());
    }
}
