package dev.outrider.spi.target;

import java.util.Optional;

/// Offers nothing.
enum NoCapabilities implements Capabilities {
    INSTANCE;

    @Override
    public <T> Optional<T> capability(Class<T> type) {
        return Optional.empty();
    }
}
