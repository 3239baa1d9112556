package dev.outrider.spi.target;

import java.util.Set;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// What a sequence needs from a target.
///
/// @param capacity     cache rows: the longest sequence plus the largest tree scored at its end
/// @param hiddenStates states to be reported by every pass
@API(status = Status.STABLE, since = "2")
public record SessionRequest(int capacity, Set<HiddenState> hiddenStates) {
    /// Copies the states and checks the capacity.
    public SessionRequest {
        hiddenStates = Set.copyOf(hiddenStates);
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity %d is not positive".formatted(capacity));
        }
    }

    /// {@return a request without hidden states}
    ///
    /// @param capacity cache rows, at least 1
    public static SessionRequest ofCapacity(int capacity) {
        return new SessionRequest(capacity, Set.of());
    }
}
