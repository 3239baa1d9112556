package dev.outrider.spi.target;

import dev.outrider.spi.tree.TokenTree;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Passes through some of a target's layers, over the committed rows of one of its sessions, for drafters that use the target
/// itself. A session offers it by [TargetSession#capability].
///
/// A drafter begins, then grows a tree level by level. Results of rows of the [first layers][LayerSubset.First] are kept, with keys and values:
/// when the session next scores a tree, nodes that were grown start after those layers, so that no layer runs twice for one node.
/// Rows with [sub-layers left out][LayerSubset.Without] are for the draft only, and are dropped. The scores of a tree are
/// the same to the last bit, with or without partial passes.
///
/// [TargetSession#score], [TargetSession#prefill] and [TargetSession#commit] end the partial passes. Confined to the session's
/// thread, and valid as long as the session is open.
@API(status = Status.EXPERIMENTAL, since = "5")
public interface PartialPasses {
    /// {@return rows that can run before the session is full, those of the growing tree included}
    int room();

    /// Begins a tree; an earlier tree is dropped.
    ///
    /// @param layers the layers of the passes
    /// @throws dev.outrider.spi.error.OutriderException `CAPABILITY_MISSING` if the target has no such layers
    void begin(LayerSubset layers);

    /// Runs the nodes of a tree that have not run yet. Node i attends to the committed rows and to its ancestors.
    ///
    /// @param tree its first nodes are those that have run, in their order; at least one node is new
    /// @return scores of the new nodes by the layers that ran, from the first new node. The caller closes
    ///     them before the session's next pass
    /// @throws dev.outrider.spi.error.OutriderException `CONTEXT_EXCEEDED`, `TOKEN_OUT_OF_RANGE`
    /// @throws IllegalArgumentException if the tree does not begin with the nodes that have run
    /// @throws IllegalStateException    if no tree was begun
    TargetScores grow(TokenTree tree);

    /// The layers that a partial pass runs. Layers count from 0. Final norm and head always run, on the output of the last layer
    /// that ran.
    sealed interface LayerSubset {
        /// The first layers, without all the others: early exit.
        ///
        /// @param layers number of layers, at least 1
        /// @see "Elhoushi et al. 2024 (LayerSkip), section 4.3"
        record First(int layers) implements LayerSubset {
            /// Checks that there is a layer.
            public First {
                if (layers < 1) {
                    throw new IllegalArgumentException(
                            "an exit after %d layers, expected at least 1".formatted(layers));
                }
            }
        }

        /// All layers except some of their sub-layers. Nothing is added to the residual stream in place of a left-out sub-layer.
        ///
        /// @param attention   layers whose attention is left out
        /// @param feedForward layers whose feed-forward part is left out
        /// @see "Zhang et al. 2023 (Draft & Verify)"
        record Without(Set<Integer> attention, Set<Integer> feedForward) implements LayerSubset {
            /// Copies the layers and checks that none is negative.
            public Without {
                attention = Set.copyOf(attention);
                feedForward = Set.copyOf(feedForward);
                for (var layers : List.of(attention, feedForward)) {
                    if (layers.stream().anyMatch(layer -> layer < 0)) {
                        throw new IllegalArgumentException(
                                "layers %s count from 0".formatted(new TreeSet<>(layers)));
                    }
                }
            }
        }
    }
}
