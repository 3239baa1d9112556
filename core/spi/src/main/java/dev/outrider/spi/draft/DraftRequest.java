package dev.outrider.spi.draft;

import dev.outrider.spi.sampling.SamplingPolicy;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// What a drafter is told about the sequence it will draft for.
///
/// @param capacity most tokens the sequence can reach, prompt included
/// @param policy   the target's sampling policy; a drafter may use another one of its own
@API(status = Status.STABLE, since = "2")
public record DraftRequest(int capacity, SamplingPolicy policy) {
    /// Checks that the capacity is positive.
    public DraftRequest {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity %d is not positive".formatted(capacity));
        }
    }
}
