package dev.outrider.nn.network;

import dev.outrider.spi.target.PartialPasses.LayerSubset;
import java.util.List;

/// A decoder whose passes can leave layers out, and can start from the states of an earlier pass. A row's results are the same to
/// the last bit if it runs through the layers in one pass or in two.
public interface LayeredNetwork extends DecoderNetwork {
    /// Returns the number of layers.
    int layers();

    /// Runs a pass like [#forward(List, PassOutputs)], but with only some of the layers. There are no states of layers that did
    /// not run. Logits are those of the last state, after the final norm.
    ///
    /// @param blocks  at least one; caches are distinct
    /// @param outputs what to report
    /// @param layers  which layers run
    /// @throws IllegalArgumentException if there are no such layers
    PassResult forward(List<RowBlock> blocks, PassOutputs outputs, LayerSubset layers);

    /// Runs the remaining layers for rows that an earlier pass ran through the first layers.
    ///
    /// @param blocks  at least one; their rows are the last scratch rows of their caches. Caches are distinct
    /// @param outputs what to report; states of earlier layers come from the earlier passes, which must have reported them
    /// @param layer   number of layers that the rows ran through, at least 1
    /// @param rows    for each row of the blocks, in order, its row in an earlier pass, with its state after those layers
    PassResult resume(List<RowBlock> blocks, PassOutputs outputs, int layer, List<PassRow> rows);
}
