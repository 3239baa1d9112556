package dev.outrider.hub;

import dev.outrider.config.EffectiveConfig;
import dev.outrider.config.RemotePaths;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.Collection;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Names of models on the hub, in configurations. Reading a configuration fetches nothing; [#fetchMissing] does. Thread-safe.
///
/// @param hub whose cache the models are in; asked for once a name is read
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

    /// Fetch every model that configurations name and that is not on this machine.
    ///
    /// @return whether there were any, and so whether the configurations must be read again
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

    /// A model that is on this machine when this returns.
    ///
    /// @throws OutriderException as [#fetchMissing]
    public Hub.Snapshot fetch(HubName name, PullListener listener, BooleanSupplier cancelled) {
        return hub.get()
                .require(name, listener, cancelled)
                .orElseThrow(() ->
                        new OutriderException(
                                ErrorCode.IO_FAILED,
                                "fetching '%s' was interrupted".formatted(name),
                                "Run the same command again; it goes on where it stopped."));
    }
}
