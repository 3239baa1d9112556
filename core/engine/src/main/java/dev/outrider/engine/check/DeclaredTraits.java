package dev.outrider.engine.check;

import static dev.outrider.engine.check.Contract.require;

import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.tree.TreeShape;

/// Pairings are checked before anything is loaded, by the traits a factory knows from a configuration alone. A drafter that was loaded must
/// not be more than that.
public final class DeclaredTraits {
    private DeclaredTraits() {}

    /// Checks a loaded drafter.
    ///
    /// @param name     the drafter's, as configurations use it
    /// @param declared what its factory said
    /// @param loaded   what it says itself
    /// @throws OutriderException `CONTRACT_BROKEN` if it chooses nodes in another way, proposes trees where chains were declared, or learns
    ///     where that was not, or the other way round
    public static void requireWithin(String name, DrafterTraits declared, DrafterTraits loaded) {
        var who = "drafter '%s'".formatted(name);
        require(
                declared.selections().containsAll(loaded.selections()),
                who,
                "chooses nodes as %s once it is loaded, expected %s as its factory declares",
                loaded.selections().stream().sorted().toList(),
                declared.selections().stream().sorted().toList());
        require(
                declared.shape() == TreeShape.TREE || loaded.shape() == TreeShape.CHAIN,
                who,
                "proposes trees once it is loaded, expected chains as its factory declares");
        require(
                declared.learns() == loaded.learns(),
                who,
                "%s once it is loaded, expected that it %s as its factory declares",
                loaded.learns() ? "learns" : "does not learn",
                declared.learns() ? "learns" : "does not learn");
    }
}
