package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.FusionSizes.FusionNorm;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/// Offsets of a layer's numbers in the arrays that all layers share: a few integers for each layer, which its kernels read.
/// Scalar arguments would be constants of the compiled code, and every layer would need a separate compilation.
public final class LayerOffsets {
    /// The layer's part of the cache: keys `[keyHeads * headSize, cacheRows]`, and values `[cacheRows, keyHeads * headSize]`.
    /// Adjacent lanes of attention read the same number of adjacent keys, but adjacent numbers of a value.
    public static final int CACHE = 0;

    /// Cosines and sines of the layer's angles.
    public static final int ROTATION = 1;

    /// The residual stream before the layer.
    public static final int STREAM = 2;

    /// The residual stream after the layer.
    public static final int NEXT_STREAM = 3;

    /// The norm before attention; for the offsets after the last layer, the final norm.
    public static final int ATTENTION_NORM = 4;

    /// The norm before the feed-forward layer.
    public static final int FEED_FORWARD_NORM = 5;

    /// Norms of query and key heads.
    public static final int HEAD_NORM = 6;

    /// Biases of queries, keys and values.
    public static final int QUERY_KEY_VALUE_BIAS = 7;

    /// Biases of the output projection.
    public static final int OUTPUT_BIAS = 8;

    /// Biases of gate and up; those of all experts.
    public static final int GATE_UP_BIAS = 9;

    /// Biases of the down projection; those of all experts.
    public static final int DOWN_BIAS = 10;

    /// Always 0, for arrays that hold the numbers of one layer.
    public static final int START = 11;

    /// The norm of attention's result.
    public static final int OUTPUT_NORM = 12;

    /// The norm of the feed-forward layer's result.
    public static final int DOWN_NORM = 13;

    /// Not an offset: the rows of the cache. A kernel has at most 20 arguments.
    public static final int CACHE_ROWS = 14;

    /// The norm of the stream's half of a wide layer's input.
    public static final int STREAM_NORM = 15;

    /// The norm of the embedding before a projected join.
    public static final int EMBEDDING_NORM = 16;

    /// The norm of the feature before a projected join.
    public static final int FEATURE_NORM = 17;

    /// The norm of all captured states of a row.
    public static final int CAPTURED_NORM = 18;

    /// Biases of the projected join.
    public static final int JOIN_BIAS = 19;

    /// Biases of the router.
    public static final int ROUTER_BIAS = 20;

    /// Attention sinks of the query heads; negative without any.
    public static final int SINKS = 21;

    /// Not an offset: the words of a row's mask.
    public static final int MASK_WORDS = 22;

    /// Not an offset: the maximum rows of a pass.
    public static final int MAX_ROWS = 23;

    /// The norm before the next layer's attention, or the final norm.
    public static final int NEXT_NORM = 24;

    /// An index that means: there are no biases, no stream is added, or no norm is folded.
    public static final int NONE = -1;

    private LayerOffsets() {}

    /// Returns the offsets of a layer.
    ///
    /// @param layer index from 0; the number of layers gives the offsets of the kernels after the last layer
    public static IntArray of(ProgramShape shape, int layer) {
        int hidden = shape.config().hiddenSize();
        int stream = shape.maxRows() * hidden;
        return IntArray.fromElements(
                layer * shape.cacheRows() * shape.cacheWidth(),
                shape.rotation(layer),
                layer * stream,
                (layer + 1) * stream,
                shape.norm(layer, 0),
                shape.norm(layer, 1),
                layer * shape.headNormsOfLayer(),
                shape.queryKeyValueBias(layer),
                shape.outputBias(layer),
                shape.gateUpBias(layer),
                shape.downBias(layer),
                0,
                shape.norm(layer, shape.normsOfLayer() - 2),
                shape.norm(layer, shape.normsOfLayer() - 1),
                shape.cacheRows(),
                shape.fusion().norm(FusionNorm.STREAM, layer),
                shape.fusion().norm(FusionNorm.EMBEDDING, 0),
                shape.fusion().norm(FusionNorm.FEATURE, 0),
                shape.fusion().norm(FusionNorm.CAPTURED, 0),
                shape.joinBias(),
                shape.routerBias(layer),
                shape.sinks(layer),
                shape.maskWords(),
                shape.maxRows(),
                shape.norm(layer + 1, 0));
    }

    /// Returns the index of a bias's offset, or [#NONE] if the decoder has no such bias. Either all layers have it or none, so
    /// the result is a constant of their code.
    ///
    /// @param offset start of the bias, or -1
    public static int ofBias(int index, int offset) {
        return offset < 0 ? NONE : index;
    }
}
