package dev.outrider.nn.network;

import dev.outrider.spi.target.PartialPasses.LayerSubset;
import java.util.List;

/// A decoder whose passes can leave layers out, and can begin where another one ended. Whether a row goes through the layers in one
/// pass or in two, its results are the same to the last bit.
public interface LayeredNetwork extends DecoderNetwork {
    /// Number of layers.
    int layers();

    /// As [#forward(List, PassOutputs)], by some of the layers alone. Of layers that did not run there are no states; logits are those of
    /// the last state there is, behind the final norm.
    ///
    /// @param blocks  at least one; caches are distinct
    /// @param outputs what to report
    /// @param layers  which layers run
    /// @throws IllegalArgumentException if there are no such layers
    PassResult forward(List<RowBlock> blocks, PassOutputs outputs, LayerSubset layers);

    /// Takes rows that went through the first layers through the others.
    ///
    /// @param blocks  at least one; their rows are the last scratch rows of their caches. Caches are distinct
    /// @param outputs what to report; states below the layer come from the earlier passes, which must have been asked for them
    /// @param layer   layers that the rows went through, at least 1
    /// @param rows    where each row of the blocks is, in order, with its state after those layers
    PassResult resume(List<RowBlock> blocks, PassOutputs outputs, int layer, List<PassRow> rows);
}
