package dev.outrider.treeverify.pass;

import dev.outrider.nn.checkpoint.HalfFloats;
import dev.outrider.nn.network.FusionConfig.Switch;
import dev.outrider.nn.network.Positions;
import dev.outrider.nn.network.RopeTable;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.treeverify.pass.FusionSizes.FusionNorm;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Writes a decoder's weights to the arrays of the kernels, in the order in which kernels read them.
///
/// Projections whose outputs are combined in pairs are interleaved: output `2 p` of queries, keys and values is the
/// first number of rotary pair p, output `2 p + 1` the second; output `2 i` of gate and up is gate i. Thread-safe.
public record WeightLoader(ProgramShape shape, WeightSource source) {
    private static final long FLOAT = Float.BYTES;
    private static final ValueLayout.OfFloat FLOATS = ValueLayout.JAVA_FLOAT_UNALIGNED;

    /// Returns a loader that writes matrices in the shape's forms: rows packed by [QuantizedLayout], or 32-bit floats.
    public WeightLoader ofMatrices() {
        return new WeightLoader(shape, new QuantizedSource(shape, source));
    }

    /// Writes the embedding, `[V, hidden]`. With rounded levels, floats are rounded to bfloat16, as in the back end `vector`.
    public void embedding(MemorySegment to) {
        copy(Weight.EMBEDDING, 0, to, row -> row);
        if (shape.format().rounds() && shape.embedding().form() == Short.SIZE) {
            for (long index = 0; index < to.byteSize() / FLOAT; index++) {
                short half = HalfFloats.toBfloat16(to.getAtIndex(FLOATS, index));
                to.setAtIndex(FLOATS, index, HalfFloats.fromBfloat16(half));
            }
        }
    }

    /// Writes a head that is not tied, `[V, hidden]`.
    public void head(MemorySegment to) {
        copy(Weight.HEAD, 0, to, row -> row);
    }

    /// Writes all norms in the order of [ProgramShape#norms].
    public void norms(MemorySegment to) {
        int layers = shape.config().layers();
        for (int layer = 0; layer < layers; layer++) {
            int number = 0;
            if (shape.framed()) {
                norm(Weight.INPUT_NORM, Weight.INPUT_NORM_BIAS, layer, number++, to);
                norm(Weight.FEED_FORWARD_NORM, Weight.FEED_FORWARD_NORM_BIAS, layer, number++, to);
            }
            if (shape.normsResults()) {
                vector(Weight.OUTPUT_NORM, layer, to.asSlice(shape.norm(layer, number++) * FLOAT));
                vector(Weight.DOWN_NORM, layer, to.asSlice(shape.norm(layer, number) * FLOAT));
            }
        }
        norm(Weight.FINAL_NORM, Weight.FINAL_NORM_BIAS, layers, 0, to);
        ofFusion(Weight.EMBEDDING_NORM, FusionNorm.EMBEDDING, 0, to);
        ofFusion(Weight.FEATURE_NORM, FusionNorm.FEATURE, 0, to);
        ofFusion(Weight.CAPTURED_NORM, FusionNorm.CAPTURED, 0, to);
        for (int layer = 0; layer < layers; layer++) {
            ofFusion(Weight.STREAM_NORM, FusionNorm.STREAM, layer, to);
        }
    }

    private void ofFusion(Weight weight, FusionNorm which, int layer, MemorySegment to) {
        if (weight.present(shape.config(), layer)) {
            vector(weight, layer, to.asSlice(shape.fusion().norm(which, layer) * FLOAT));
        }
    }

    private void norm(Weight weight, Weight bias, int layer, int number, MemorySegment to) {
        var place = to.asSlice(shape.norm(layer, number) * FLOAT);
        int owner = weight.perLayer() ? layer : 0;
        if (weight.present(shape.config(), owner)) {
            vector(weight, owner, place);
            bias(bias, owner, place);
        }
    }

    private void bias(Weight bias, int layer, MemorySegment norm) {
        if (bias.present(shape.config(), layer)) {
            vector(bias, layer, norm.asSlice(shape.config().hiddenSize() * FLOAT));
        }
    }

    /// Writes the matrix that makes a feature from captured states, `[hidden, captured * t]`.
    public void reduction(MemorySegment to) {
        copy(Weight.REDUCTION, 0, to, row -> row);
    }

    /// Writes the matrix that joins embedding and feature, `[hidden, 2 * hidden]`.
    public void join(MemorySegment to) {
        copy(Weight.JOIN, 0, to, row -> row);
    }

    /// Writes position vectors in the order of [ProgramShape#positions]; nothing if there are none.
    public void positions(MemorySegment to) {
        switch (shape.config().form().positions()) {
            case Positions.Learned(_, int offset) ->
                    copy(
                            Weight.POSITIONS,
                            0,
                            to,
                            row ->
                                    row < offset + shape.config().maxPositions()
                                            ? row - offset
                                            : -1);
            case Positions.Sinusoidal() ->
                    to.copyFrom(
                            MemorySegment.ofArray(
                                    Positions.Sinusoidal.table(
                                            shape.config().maxPositions(),
                                            shape.config().hiddenSize())));
            case Positions.Rotary _, Positions.Relative _ -> {}
        }
    }

    /// Writes cosines, each followed by its sine, in the order of [ProgramShape#rotation].
    public void rotations(MemorySegment to) {
        var config = shape.config();
        for (int table = 0; config.form().rotary() && table < shape.rotationTables(); table++) {
            var rope =
                    table == 0
                            ? RopeTable.of(config, config.maxPositions())
                            : RopeTable.ofLocal(config, config.maxPositions());
            long first = (long) table * shape.rotations();
            for (int index = 0; index < rope.cos().length; index++) {
                to.setAtIndex(FLOATS, first + 2L * index, rope.cos()[index]);
                to.setAtIndex(FLOATS, first + 2L * index + 1, rope.sin()[index]);
            }
        }
    }

    /// Writes norms of query and key heads in the order of [ProgramShape#headNorms]; nothing if there are none.
    public void headNorms(MemorySegment to) {
        if (shape.config().queryKeyNorm()) {
            long queries = shape.headNormSize(shape.config().heads());
            for (int layer = 0; layer < shape.config().layers(); layer++) {
                long first = (long) layer * shape.headNormsOfLayer();
                vector(Weight.QUERY_NORM, layer, to.asSlice(first * FLOAT));
                vector(Weight.KEY_NORM, layer, to.asSlice((first + queries) * FLOAT));
            }
        }
    }

    /// Writes all biases at the indices of [ProgramShape]. The places of biases that the decoder does not have are not written.
    public void biases(MemorySegment to) {
        if (shape.joinBias() >= 0) {
            vector(Weight.JOIN_BIAS, 0, to.asSlice(shape.joinBias() * FLOAT));
        }
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
            if (shape.sinks(layer) >= 0) {
                vector(Weight.SINKS, layer, to.asSlice(shape.sinks(layer) * FLOAT));
            }
            if (shape.gateUpBias(layer) >= 0) {
                feedForwardBiases(
                        layer,
                        to.asSlice(shape.gateUpBias(layer) * FLOAT),
                        to.asSlice(shape.downBias(layer) * FLOAT));
            }
            if (shape.routerBias(layer) >= 0) {
                vector(Weight.ROUTER_BIAS, layer, to.asSlice(shape.routerBias(layer) * FLOAT));
            }
        }
    }

    private void feedForwardBiases(int layer, MemorySegment gateUp, MemorySegment down) {
        if (shape.config().sparse(layer)) {
            ofExperts(Weight.EXPERT_GATE_BIAS, layer, gateUp, row -> 2 * row);
            ofExperts(Weight.EXPERT_UP_BIAS, layer, gateUp, row -> 2 * row + 1);
            ofExperts(Weight.EXPERT_DOWN_BIAS, layer, down, row -> row);
        } else {
            gateUp(layer, gateUp, Weight.GATE_BIAS, Weight.UP_BIAS);
            vector(Weight.DOWN_BIAS, layer, down);
        }
    }

    /// Writes queries, keys and values of a layer, `[queryKeyValueOutputs, hidden]`.
    public void queryKeyValue(int layer, MemorySegment to) {
        queryKeyValue(layer, to, Weight.QUERY, Weight.KEY, Weight.VALUE);
    }

    /// Writes the output projection of a layer, `[hidden, heads * headSize]`.
    public void output(int layer, MemorySegment to) {
        copy(Weight.OUTPUT, layer, to, row -> row);
    }

    /// Writes [ProgramShape#gateUp].
    public void gateUp(int layer, MemorySegment to) {
        if (shape.config().sparse(layer)) {
            ofExperts(Weight.EXPERT_GATE, layer, to, row -> 2 * row);
            ofExperts(Weight.EXPERT_UP, layer, to, row -> 2 * row + 1);
        } else {
            gateUp(layer, to, Weight.GATE, Weight.UP);
        }
    }

    /// Writes [ProgramShape#down].
    public void down(int layer, MemorySegment to) {
        if (shape.config().sparse(layer)) {
            ofExperts(Weight.EXPERT_DOWN, layer, to, row -> row);
        } else {
            copy(Weight.DOWN, layer, to, row -> row);
        }
    }

    private void ofExperts(Weight weight, int layer, MemorySegment to, Order order) {
        int first = weight.first(shape.config(), layer);
        int end = weight.first(shape.config(), layer + 1);
        for (int number = first; number < end; number++) {
            int before = (number - first) * shape.experts().padded(weight);
            copy(weight, number, to, row -> before + order.destination(row));
        }
    }

    /// Writes one of the matrices of [ProgramShape#routing].
    ///
    /// @param number index in that list
    public void routing(int layer, int number, MemorySegment to) {
        switch (number) {
            case 0 -> {
                copy(Weight.ROUTER, layer, to, row -> row);
                if (shape.experts().sharedSize() > 0) {
                    copy(Weight.SHARED_EXPERT_GATE, layer, to, _ -> shape.experts().scores() - 1);
                }
            }
            case 1 -> gateUp(layer, to, Weight.SHARED_GATE, Weight.SHARED_UP);
            default -> copy(Weight.SHARED_DOWN, layer, to, row -> row);
        }
    }

    private void queryKeyValue(
            int layer, MemorySegment to, Weight query, Weight key, Weight value) {
        int size = shape.config().headSize();
        int queries = shape.queryWidth();
        int rotary = shape.rotaryOfProjection(layer);
        copy(query, layer, to, row -> paired(row, size, rotary));
        copy(key, layer, to, row -> queries + paired(row, size, rotary));
        copy(value, layer, to, row -> queries + shape.cacheWidth() + paired(row, size, rotary));
    }

    private void gateUp(int layer, MemorySegment to, Weight gate, Weight up) {
        boolean gated = shape.config().form().feedForward().gated();
        if (gated) {
            copy(gate, layer, to, row -> 2 * row);
        }
        copy(up, layer, to, row -> gated ? 2 * row + 1 : row);
    }

    /// Returns the output for a row of a projection. Pair i of the first `rotary` numbers of a head consists of the numbers i and
    /// i + rotary / 2. The numbers after them are paired in the same way.
    private static int paired(int row, int size, int rotary) {
        int number = row % size;
        int first = number < rotary ? 0 : rotary;
        int half = (number < rotary ? rotary : size - rotary) / 2;
        int within = number - first;
        return row - number + first + 2 * (within % half) + within / half;
    }

    /// Writes a norm or a bias. The factor of blocks' results is multiplied into their norms.
    private void vector(Weight weight, int layer, MemorySegment to) {
        copy(weight, layer, to, row -> row);
        var form = shape.config().form();
        boolean result = weight == Weight.OUTPUT_NORM || weight == Weight.DOWN_NORM;
        float factor = result ? (float) form.scales().residual() : 1;
        boolean zeroCentred =
                form.norms().zeroCentred()
                        || shape.config().fusion().stream()
                                .anyMatch(each -> each.has(Switch.ZERO_CENTRED_NORMS));
        float centre = weight.norm() && zeroCentred ? 1 : 0;
        for (long index = 0; index < weight.elements(shape.config(), layer); index++) {
            to.setAtIndex(FLOATS, index, (to.getAtIndex(FLOATS, index) + centre) * factor);
        }
    }

    @FunctionalInterface
    private interface Order {
        /// Returns the row of the destination for a row of the weight; negative if the row is not copied.
        int destination(int row);
    }

    private void copy(Weight weight, int layer, MemorySegment to, Order order) {
        long[] sizes = weight.shape(shape.config(), layer);
        int rows = Math.toIntExact(sizes[0]);
        source.read(
                weight,
                layer,
                from -> {
                    long bytes = from.byteSize() / rows;
                    for (int row = 0; row < rows; row++) {
                        int at = order.destination(row);
                        if (at >= 0) {
                            MemorySegment.copy(from, row * bytes, to, at * bytes, bytes);
                        }
                    }
                });
    }
}
