package dev.outrider.spi;

import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.run.RunListener;
import dev.outrider.spi.target.LogitsProcessor;
import dev.outrider.spi.target.TargetModel;
import java.util.List;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Entry point of a plugin, found by [java.util.ServiceLoader]. Lists factories and does no work.
///
/// # Versions
///
/// Contracts have one number, [#SPI_VERSION]. It rises by one with every accepted change of the contracts. A host serves plugins of
/// an earlier version if all later changes were additions; the build of Outrider checks binary compatibility with every served
/// version. An incompatible change raises the oldest served version. A plugin of a later version than the host's is refused,
/// because it may call methods that the host does not have.
@API(status = Status.STABLE, since = "2")
public interface OutriderPlugin {
    /// Version of these contracts.
    int SPI_VERSION = 11;

    /// {@return the version the plugin was compiled against} Implementations return the constant, which the compiler
    /// copies into their class file.
    int spiVersion();

    /// {@return drafters the plugin adds}
    default List<Drafter.Factory<?>> drafters() {
        return List.of();
    }

    /// {@return acceptance rules the plugin adds}
    default List<AcceptanceRule.Factory<?>> acceptanceRules() {
        return List.of();
    }

    /// {@return target back ends the plugin adds}
    default List<TargetModel.Factory<?>> targets() {
        return List.of();
    }

    /// {@return ways to choose draft lengths that the plugin adds}
    default List<DraftLengthPolicy.Factory<?>> draftLengthPolicies() {
        return List.of();
    }

    /// {@return logits processors the plugin adds}
    default List<LogitsProcessor.Factory<?>> logitsProcessors() {
        return List.of();
    }

    /// {@return listeners the plugin adds}
    default List<RunListener.Factory<?>> listeners() {
        return List.of();
    }
}
