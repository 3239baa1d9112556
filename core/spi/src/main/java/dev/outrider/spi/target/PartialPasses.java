package dev.outrider.spi.target;

import dev.outrider.spi.tree.TokenTree;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Passes through some of a target's layers, over the committed rows of one of its sessions, for drafters that draft with the target itself. A session offers it by [TargetSession#capability].
///
/// A drafter begins, then grows a tree level by level. Results of rows of the [first layers][LayerSubset.First] are kept, with keys and values:
/// when the session next scores a tree, nodes of it that were grown begin above those layers, so that no layer runs twice for one node.
/// Rows with [sub-layers left out][LayerSubset.Without] serve the draft only, and are dropped. The scores of a tree are
/// the same to the last bit, whatever was grown before.
///
/// [TargetSession#score], [TargetSession#prefill] and [TargetSession#commit] end what was begun. Confined to the session's thread, and valid as
/// long as the session is open.
@API(status = Status.EXPERIMENTAL, since = "5")
public interface PartialPasses {
    /// {@return rows that can be run before the session is full, those of the tree that is growing included}
    int room();

    /// Begins a tree; what was grown before is forgotten.
    ///
    /// @param layers what the passes run
    /// @throws dev.outrider.spi.error.OutriderException `CAPABILITY_MISSING` if the target has no such layers
    void begin(LayerSubset layers);

    /// Runs the nodes of a tree that were not run yet. Node i attends to the committed rows and to its ancestors.
    ///
    /// @param tree its first nodes are those that were run, in their order; at least one node is new
    /// @return scores of the new nodes by the layers that ran: the first is of the first node that was not run. The caller closes
    ///     them before the session's next pass
    /// @throws dev.outrider.spi.error.OutriderException `CONTEXT_EXCEEDED`, `TOKEN_OUT_OF_RANGE`
    /// @throws IllegalArgumentException if the tree does not begin with what was run
    /// @throws IllegalStateException    if nothing was begun
    TargetScores grow(TokenTree tree);

    /// The layers that a partial pass runs. Layers count from 0. Final norm and head always run, on the output of the last layer
    /// that ran.
    sealed interface LayerSubset {
        /// The first layers, all the others left out: early exit.
        ///
        /// @param layers how many run, at least 1
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

        /// All layers but for some of their sub-layers. What a sub-layer that is left out would add to the residual stream is not added.
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
