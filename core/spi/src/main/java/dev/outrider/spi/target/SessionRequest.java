package dev.outrider.spi.target;

import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Capacity, hidden states and source that a sequence needs from a target.
///
/// @param capacity     cache rows: the longest sequence plus the largest tree scored at its end
/// @param hiddenStates states to be reported by every pass
/// @param source       token ids that the encoder reads, special ones included; empty for a target that has no encoder
@API(status = Status.STABLE, since = "2")
public record SessionRequest(int capacity, Set<HiddenState> hiddenStates, List<Integer> source) {
    /// Copies the states and the source and checks the capacity.
    public SessionRequest {
        hiddenStates = Set.copyOf(hiddenStates);
        source = List.copyOf(source);
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity %d is not positive".formatted(capacity));
        }
    }

    /// A request without a source.
    ///
    /// @param capacity     cache rows, at least 1
    /// @param hiddenStates states to be reported by every pass
    public SessionRequest(int capacity, Set<HiddenState> hiddenStates) {
        this(capacity, hiddenStates, List.of());
    }

    /// {@return a request without hidden states and without a source}
    ///
    /// @param capacity cache rows, at least 1
    public static SessionRequest ofCapacity(int capacity) {
        return new SessionRequest(capacity, Set.of());
    }
}
