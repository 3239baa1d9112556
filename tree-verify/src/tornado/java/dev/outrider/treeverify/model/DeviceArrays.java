package dev.outrider.treeverify.model;

import dev.outrider.nn.network.Experts;
import dev.outrider.treeverify.kernels.LayerOffsets;
import dev.outrider.treeverify.kernels.StoredMatrix;
import dev.outrider.treeverify.pass.PassStaging.PassLayout;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.WeightLoader;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/// All arrays of a program, in the host's memory; the device has a copy of each. The shapes are those of the kernels' arguments.
final class DeviceArrays {
    /// Layers that are read at the same time. Each needs memory for a matrix in 32 bits, and for its source.
    private static final int LAYERS_AT_ONCE = 4;

    /// The arrays of one layer.
    ///
    /// @param routing see [ProgramShape#routing]
    /// @param offsets [LayerOffsets]
    record Layer(
            StoredMatrix queryKeyValue,
            StoredMatrix output,
            StoredMatrix gateUp,
            StoredMatrix down,
            List<StoredMatrix> routing,
            IntArray offsets) {}

    final StoredMatrix embedding;
    final StoredMatrix head;
    private final boolean tiedHead;
    final FloatArray norms;
    final FloatArray headNorms;
    final FloatArray biases;
    final List<Layer> layers = new ArrayList<>();
    final IntArray offsetsAfterLayers;
    /// Position vectors, or a placeholder.
    final FloatArray positions;

    private final boolean placed;

    /// Cosines and sines of all layers, then those of layers with separate angles.
    final FloatArray rotations;

    final FloatArray stream;
    final FloatArray middle;
    final FloatArray normed;
    final FloatArray queries;
    final FloatArray attended;

    /// Results of attention's chunks; see [ProgramShape#chunkResults].
    final FloatArray chunks;

    final FloatArray inner;

    /// Choices of experts, scores of all experts, and factors, inner rows and results of the choices.
    final IntArray choices;

    final FloatArray scores;
    final FloatArray factors;
    final FloatArray expertInner;
    final FloatArray made;
    final FloatArray keys;
    final FloatArray values;
    final FloatArray logits;

    final IntArray pass;
    final LongArray masks;

    /// The arrays of a draft layer's input.
    final Optional<FusionArrays> fusion;

    DeviceArrays(ProgramShape shape, WeightLoader weights) {
        var config = shape.config();
        int hidden = config.hiddenSize();
        int rows = shape.maxRows();
        tiedHead = shape.tiedHead();
        var matrices = weights.ofMatrices();
        embedding = StoredMatrix.of(shape.embedding(), matrices::embedding);
        head = tiedHead ? embedding : StoredMatrix.of(shape.head(), matrices::head);
        norms = filled(shape.norms(), weights::norms);
        headNorms = filled(shape.headNorms(), weights::headNorms);
        biases = filled(shape.biases(), weights::biases);
        for (int first = 0; first < config.layers(); first += LAYERS_AT_ONCE) {
            layers.addAll(
                    IntStream.range(first, Math.min(first + LAYERS_AT_ONCE, config.layers()))
                            .parallel()
                            .mapToObj(layer -> layer(shape, matrices, layer))
                            .toList());
        }
        offsetsAfterLayers = LayerOffsets.of(shape, config.layers());
        placed = shape.placed();
        positions = placed ? filled(shape.positions(), weights::positions) : norms;
        rotations = filled(shape.rotations() * shape.rotationTables(), weights::rotations);
        stream = zeros((config.layers() + 1) * rows * hidden);
        middle = zeros(rows * hidden);
        normed = zeros(shape.normedRows());
        queries = zeros(rows * shape.queryWidth());
        attended = zeros(rows * shape.queryWidth());
        chunks = zeros(Math.toIntExact(shape.chunkResults()));
        inner = zeros(rows * Math.max(config.intermediateSize(), shape.experts().sharedSize()));
        choices = new IntArray(shape.experts().choices());
        choices.init(0);
        scores = zeros(rows * shape.experts().scores());
        factors = zeros(shape.experts().maxChoices());
        int width = shape.experts().form().map(Experts::intermediateSize).orElse(0);
        expertInner = zeros(shape.experts().maxChoices() * width);
        made = zeros(shape.experts().maxChoices() * hidden);
        keys = zeros(config.layers() * shape.cacheRows() * shape.cacheWidth());
        values = zeros(keys.getSize());
        logits = zeros(rows * shape.logits());
        pass = new IntArray(PassLayout.size(rows, shape.maxMoves()));
        pass.init(0);
        masks = new LongArray(rows * shape.maskWords());
        masks.init(0);
        fusion = config.fusion().map(_ -> new FusionArrays(shape, matrices));
    }

    /// Returns the arrays that are copied to the device once: weights, and arrays that kernels keep there from run to run.
    Object[] resident() {
        var arrays = new ArrayList<Object>(List.of(ofAllLayers()));
        arrays.addAll(List.of(headNorms, logits, offsetsAfterLayers));
        arrays.addAll(List.of(ofExperts()));
        if (!tiedHead) {
            arrays.add(head.array());
        }
        if (placed) {
            arrays.add(positions);
        }
        for (int layer = 0; layer < layers.size(); layer++) {
            arrays.addAll(List.of(matrices(layer)));
        }
        fusion.ifPresent(each -> arrays.addAll(List.of(each.resident())));
        return arrays.toArray();
    }

    /// Returns the arrays of [#resident] that the kernels of every layer use, and the embedding.
    Object[] ofAllLayers() {
        return new Object[] {
            embedding.array(),
            norms,
            biases,
            rotations,
            stream,
            middle,
            normed,
            queries,
            attended,
            chunks,
            inner,
            keys,
            values
        };
    }

    /// Returns the arrays of [#resident] that layers with experts use, one layer after the other.
    Object[] ofExperts() {
        return new Object[] {choices, scores, factors, expertInner, made};
    }

    /// Returns the arrays of [#resident] that belong to a layer.
    Object[] matrices(int layer) {
        var arrays = layers.get(layer);
        var all = new ArrayList<>(List.<Object>of(arrays.offsets));
        Stream.of(arrays.queryKeyValue, arrays.output, arrays.gateUp, arrays.down)
                .forEach(each -> all.add(each.array()));
        arrays.routing.forEach(each -> all.add(each.array()));
        return all.toArray();
    }

    private static Layer layer(ProgramShape shape, WeightLoader weights, int layer) {
        var routing = shape.routing(layer);
        return new Layer(
                StoredMatrix.of(
                        shape.queryKeyValue(layer), to -> weights.queryKeyValue(layer, to)),
                StoredMatrix.of(shape.output(layer), to -> weights.output(layer, to)),
                StoredMatrix.of(shape.gateUp(layer), to -> weights.gateUp(layer, to)),
                StoredMatrix.of(shape.down(layer), to -> weights.down(layer, to)),
                IntStream.range(0, routing.size())
                        .mapToObj(each ->
                                StoredMatrix.of(
                                        routing.get(each),
                                        to -> weights.routing(layer, each, to)))
                        .toList(),
                LayerOffsets.of(shape, layer));
    }

    private static FloatArray filled(int size, Consumer<MemorySegment> filler) {
        var array = zeros(size);
        filler.accept(array.getSegment());
        return array;
    }

    static FloatArray zeros(int size) {
        var array = new FloatArray(size);
        array.getSegment().fill((byte) 0);
        return array;
    }
}
