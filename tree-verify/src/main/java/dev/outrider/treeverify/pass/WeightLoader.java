package dev.outrider.treeverify.pass;

import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import java.lang.foreign.MemorySegment;

/// Writes a decoder's weights where kernels read them, in the order kernels read them.
///
/// Projections whose outputs are combined in pairs are interleaved: output `2 p` of queries, keys and values is the
/// first number of rotary pair p, output `2 p + 1` the second; output `2 i` of gate and up is gate i. Thread-safe.
public record WeightLoader(ProgramShape shape, WeightSource source) {
    private static final long FLOAT = Float.BYTES;

    /// The embedding, `[V, hidden]`.
    public void embedding(MemorySegment to) {
        copy(Weight.EMBEDDING, 0, to, row -> row);
    }

    /// A head of its own, `[V, hidden]`.
    public void head(MemorySegment to) {
        copy(Weight.HEAD, 0, to, row -> row);
    }

    /// All norms in the order of [ProgramShape#norms].
    public void norms(MemorySegment to) {
        long size = shape.config().hiddenSize() * FLOAT;
        int layers = shape.config().layers();
        for (int layer = 0; layer < layers; layer++) {
            vector(Weight.INPUT_NORM, layer, to.asSlice(2 * layer * size));
            vector(Weight.FEED_FORWARD_NORM, layer, to.asSlice((2 * layer + 1) * size));
        }
        vector(Weight.FINAL_NORM, 0, to.asSlice(2 * layers * size));
    }

    /// Norms of query and key heads in the order of [ProgramShape#headNorms]; nothing if there are none.
    public void headNorms(MemorySegment to) {
        if (shape.config().queryKeyNorm()) {
            long size = shape.config().headSize() * FLOAT;
            for (int layer = 0; layer < shape.config().layers(); layer++) {
                vector(Weight.QUERY_NORM, layer, to.asSlice(2 * layer * size));
                vector(Weight.KEY_NORM, layer, to.asSlice((2 * layer + 1) * size));
            }
        }
    }

    /// All biases, where [ProgramShape] says; places of biases the decoder has not are left alone.
    public void biases(MemorySegment to) {
        for (int layer = 0; layer < shape.config().layers(); layer++) {
            if (shape.queryKeyValueBias(layer) >= 0) {
                queryKeyValue(
                        layer,
                        to.asSlice(shape.queryKeyValueBias(layer) * FLOAT),
                        Weight.QUERY_BIAS,
                        Weight.KEY_BIAS,
                        Weight.VALUE_BIAS);
            }
            if (shape.outputBias(layer) >= 0) {
                vector(Weight.OUTPUT_BIAS, layer, to.asSlice(shape.outputBias(layer) * FLOAT));
            }
            if (shape.gateUpBias(layer) >= 0) {
                gateUp(
                        layer,
                        to.asSlice(shape.gateUpBias(layer) * FLOAT),
                        Weight.GATE_BIAS,
                        Weight.UP_BIAS);
                vector(Weight.DOWN_BIAS, layer, to.asSlice(shape.downBias(layer) * FLOAT));
            }
        }
    }

    /// Queries, keys and values of a layer, `[queryKeyValueOutputs, hidden]`.
    public void queryKeyValue(int layer, MemorySegment to) {
        queryKeyValue(layer, to, Weight.QUERY, Weight.KEY, Weight.VALUE);
    }

    /// The output projection of a layer, `[hidden, heads * headSize]`.
    public void output(int layer, MemorySegment to) {
        copy(Weight.OUTPUT, layer, to, row -> row);
    }

    /// Gate and up of a layer, `[2 * inner, hidden]`.
    public void gateUp(int layer, MemorySegment to) {
        gateUp(layer, to, Weight.GATE, Weight.UP);
    }

    /// The down projection of a layer, `[hidden, inner]`.
    public void down(int layer, MemorySegment to) {
        copy(Weight.DOWN, layer, to, row -> row);
    }

    private void queryKeyValue(
            int layer, MemorySegment to, Weight query, Weight key, Weight value) {
        int size = shape.config().headSize();
        int queries = shape.queryWidth();
        copy(query, layer, to, row -> paired(row, size));
        copy(key, layer, to, row -> queries + paired(row, size));
        copy(value, layer, to, row -> queries + shape.cacheWidth() + paired(row, size));
    }

    private void gateUp(int layer, MemorySegment to, Weight gate, Weight up) {
        copy(gate, layer, to, row -> 2 * row);
        copy(up, layer, to, row -> 2 * row + 1);
    }

    /// The output of a head's number: pair i of a head is its numbers i and i + size / 2.
    private static int paired(int row, int size) {
        int head = row / size;
        int number = row % size;
        int half = size / 2;
        return head * size + 2 * (number % half) + number / half;
    }

    private void vector(Weight weight, int layer, MemorySegment to) {
        copy(weight, layer, to, row -> row);
    }

    @FunctionalInterface
    private interface Order {
        /// The row of the destination that takes a row of the weight.
        int destination(int row);
    }

    private void copy(Weight weight, int layer, MemorySegment to, Order order) {
        long[] sizes = weight.shape(shape.config(), layer);
        int rows = Math.toIntExact(sizes[0]);
        long bytes = weight.elements(shape.config(), layer) / rows * FLOAT;
        source.read(
                weight,
                layer,
                from -> {
                    for (int row = 0; row < rows; row++) {
                        MemorySegment.copy(
                                from, row * bytes, to, order.destination(row) * bytes, bytes);
                    }
                });
    }
}
