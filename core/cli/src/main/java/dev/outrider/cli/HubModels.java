package dev.outrider.cli;

import dev.outrider.config.EffectiveConfig;
import dev.outrider.config.Loaded;
import dev.outrider.hub.HubName;
import dev.outrider.hub.HubPaths;
import dev.outrider.hub.Snapshot;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Models that commands need by their names on the hub: those that are not on this machine are fetched, with a progress bar.
final class HubModels {
    private final Console console;
    private final Interruption interruption;
    private final HubPaths paths;

    @Inject
    HubModels(Console console, Interruption interruption, HubPaths paths) {
        this.console = console;
        this.interruption = interruption;
        this.paths = paths;
    }

    /// A configuration whose models are on this machine.
    ///
    /// @param read reads it, twice if something had to be fetched
    <L extends Loaded<?>> L ready(Supplier<L> read) {
        var loaded = read.get();
        return fetch(List.of(loaded.effective())) ? read.get() : loaded;
    }

    /// Fetch what configurations name.
    ///
    /// @return whether anything was missing
    boolean fetch(Collection<EffectiveConfig> configurations) {
        try (var progress = new PullProgress(console)) {
            return paths.fetchMissing(configurations, progress, interruption::requested);
        }
    }

    /// What an option of the command line names: a path, or a model of the hub, which is fetched if it is missing.
    Path local(String given) {
        if (!HubName.isName(given)) {
            return Path.of(given);
        }
        try (var progress = new PullProgress(console)) {
            return paths.fetch(name(given), progress, interruption::requested).path();
        }
    }

    /// Ask the hub what a name is now, and fetch what is missing of it.
    ///
    /// @return nothing if the user broke it off
    Optional<Snapshot> pull(String given) {
        try (var progress = new PullProgress(console)) {
            return paths.hub().get().pull(name(given), progress, interruption::requested);
        }
    }

    private static HubName name(String given) {
        try {
            return HubName.parse(given);
        } catch (IllegalArgumentException e) {
            throw new OutriderException(
                    ErrorCode.USAGE,
                    "'%s' is no name of a model on the hub; expected %s"
                            .formatted(given, e.getMessage()),
                    "Take the name from the model's page on the hub.");
        }
    }
}
