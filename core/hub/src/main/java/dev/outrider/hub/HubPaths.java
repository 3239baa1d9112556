package dev.outrider.hub;

import dev.outrider.config.EffectiveConfig;
import dev.outrider.config.RemotePaths;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.Collection;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Names of hub models in configurations. Reading a configuration downloads nothing;
/// [#fetchMissing] does. Thread-safe.
///
/// @param hub the hub with its cache; requested when the first name is read
public record HubPaths(Supplier<Hub> hub) implements RemotePaths {
    @Override
    public Optional<Place> place(String text) {
        if (!HubName.isName(text)) {
            return Optional.empty();
        }
        var name = HubName.parse(text);
        var cached = hub.get().cached(name);
        return Optional.of(
                new Place(
                        cached.map(Hub.Snapshot::path).orElseGet(() -> hub.get().place(name)),
                        cached.map(Hub.Snapshot::commit)));
    }

    /// Downloads every model that configurations name and that is missing on this machine.
    ///
    /// @return true if a model was missing; then the configurations must be read again
    /// @throws OutriderException as [Hub#pull], and `IO_FAILED` if it was cancelled
    public boolean fetchMissing(
            Collection<EffectiveConfig> configurations,
            PullListener listener,
            BooleanSupplier cancelled) {
        var missing =
                configurations.stream()
                        .flatMap(each -> each.remoteNames().stream())
                        .filter(each -> each.revision().isEmpty())
                        .map(EffectiveConfig.RemoteName::name)
                        .distinct()
                        .toList();
        missing.forEach(name -> fetch(HubName.parse(name), listener, cancelled));
        return !missing.isEmpty();
    }

    /// Returns a model, downloading it if it is missing.
    ///
    /// @throws OutriderException as [#fetchMissing]
    public Hub.Snapshot fetch(HubName name, PullListener listener, BooleanSupplier cancelled) {
        return hub.get()
                .require(name, listener, cancelled)
                .orElseThrow(() ->
                        ErrorCode.IO_FAILED.error(
                                "fetching '%s' was interrupted".formatted(name),
                                "Run the same command again; it goes on where it stopped."));
    }
}
