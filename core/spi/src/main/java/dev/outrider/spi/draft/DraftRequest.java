package dev.outrider.spi.draft;

import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.Capabilities;
import java.util.List;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// The sequence that a session will draft for.
///
/// @param capacity most tokens the sequence can reach, prompt included
/// @param policy   the target's sampling policy; a drafter may use another one of its own
/// @param source   token ids that the target's encoder reads, special ones included; empty for a target that has no encoder
/// @param target   capabilities of the target's session of the sequence; none if there is no such session, as for the texts of a
///                 beam search
@API(status = Status.STABLE, since = "2")
public record DraftRequest(
        int capacity, SamplingPolicy policy, List<Integer> source, Capabilities target) {
    /// Copies the source and checks that the capacity is positive.
    public DraftRequest {
        source = List.copyOf(source);
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity %d is not positive".formatted(capacity));
        }
    }

    /// A request for a sequence whose target's session has no capabilities.
    ///
    /// @param capacity most tokens the sequence can reach, prompt included
    /// @param policy   the target's sampling policy
    /// @param source   token ids that the target's encoder reads
    public DraftRequest(int capacity, SamplingPolicy policy, List<Integer> source) {
        this(capacity, policy, source, Capabilities.none());
    }

    /// A request for a sequence without a source.
    ///
    /// @param capacity most tokens the sequence can reach, prompt included
    /// @param policy   the target's sampling policy
    public DraftRequest(int capacity, SamplingPolicy policy) {
        this(capacity, policy, List.of());
    }
}
