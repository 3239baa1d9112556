package dev.outrider.spi.draft;

import dev.outrider.spi.tree.TokenTree;
import java.util.List;
import java.util.stream.IntStream;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// What one of several drafters guessed of a draft that they made together. A node may be several drafters' guess.
///
/// @param drafter what reports call it
/// @param nodes   the nodes it guessed, ascending, the root left out; none where it proposed nothing
@API(status = Status.EXPERIMENTAL, since = "4")
public record Contribution(String drafter, List<Integer> nodes) {
    /// Copies the nodes.
    public Contribution {
        nodes = List.copyOf(nodes);
    }

    /// {@return every node of a tree as one drafter's guess}
    ///
    /// @param drafter what reports call it
    /// @param tree    what it proposed
    public static Contribution whole(String drafter, TokenTree tree) {
        return new Contribution(drafter, IntStream.range(1, tree.size()).boxed().toList());
    }
}
