package dev.outrider.spi.target;

import java.util.Optional;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// What something offers beyond its contract, asked for by type. Whoever has only this of a session can ask, and neither score nor commit.
@API(status = Status.EXPERIMENTAL, since = "5")
@FunctionalInterface
public interface Capabilities {
    /// {@return an optional facility}
    ///
    /// @param <T> type of the facility
    /// @param type the facility
    <T> Optional<T> capability(Class<T> type);

    /// {@return nothing of any type}
    static Capabilities none() {
        return NoCapabilities.INSTANCE;
    }
}
