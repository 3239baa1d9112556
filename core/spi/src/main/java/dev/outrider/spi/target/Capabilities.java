package dev.outrider.spi.target;

import java.util.Optional;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Optional facilities beyond a contract, found by their type. A drafter gets only this view of the target's session, so it cannot
/// score or commit.
@API(status = Status.EXPERIMENTAL, since = "5")
@FunctionalInterface
public interface Capabilities {
    /// {@return the facility, if it is offered}
    ///
    /// @param <T> type of the facility
    /// @param type the facility
    <T> Optional<T> capability(Class<T> type);

    /// {@return capabilities that offer nothing}
    static Capabilities none() {
        return Capabilities::nothing;
    }

    private static <T> Optional<T> nothing(Class<T> type) {
        return Optional.empty();
    }
}
