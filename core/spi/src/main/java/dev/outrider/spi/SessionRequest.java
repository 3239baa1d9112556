package dev.outrider.spi;

import java.util.Set;

/// What a sequence needs from a target.
///
/// @param capacity     cache rows: the longest sequence plus the largest tree scored at its end
/// @param hiddenStates states to be reported by every pass
public record SessionRequest(int capacity, Set<HiddenState> hiddenStates) {
    public SessionRequest {
        hiddenStates = Set.copyOf(hiddenStates);
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity %d is not positive".formatted(capacity));
        }
    }

    /// A request without hidden states.
    public static SessionRequest ofCapacity(int capacity) {
        return new SessionRequest(capacity, Set.of());
    }
}
