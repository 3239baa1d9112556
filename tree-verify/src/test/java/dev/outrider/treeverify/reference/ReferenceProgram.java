package dev.outrider.treeverify.reference;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.RopeTable;
import dev.outrider.treeverify.pass.DeviceProgram;
import dev.outrider.treeverify.pass.PassStaging;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.WeightLoader;
import dev.outrider.treeverify.reference.ReferenceKernels.ReferenceAttention;
import dev.outrider.treeverify.reference.ReferenceKernels.ReferenceProjections;
import dev.outrider.treeverify.reference.ReferenceKernels.ReferenceRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/// Reference implementation of a whole program: runs the reference implementation of every task of the device's graph, in the
/// same order.
public final class ReferenceProgram implements DeviceProgram {
    private record Layer(float[] queryKeyValue, float[] output, float[] gateUp, float[] down) {}

    private final ProgramShape shape;
    private final float[] embedding;
    private final float[] head;
    private final float[] norms;
    private final float[] headNorms;
    private final float[] biases;
    private final List<Layer> layers = new ArrayList<>();
    private final RopeTable rope;
    private final float[] stream;
    private final float[] middle;
    private final float[] normed;
    private final float[] queries;
    private final float[] attended;
    private final float[] chunks;
    private final float[] inner;
    private final float[] keys;
    private final float[] values;
    private final float[] logits;

    public ReferenceProgram(ProgramShape shape, WeightLoader weights) {
        this.shape = shape;
        var config = shape.config();
        int hidden = config.hiddenSize();
        int rows = shape.maxRows();
        embedding = filled(config.vocabularySize() * hidden, weights::embedding);
        head =
                config.tiedHead()
                        ? embedding
                        : filled(config.vocabularySize() * hidden, weights::head);
        norms = filled(shape.norms(), weights::norms);
        headNorms = filled(shape.headNorms(), weights::headNorms);
        biases = filled(shape.biases(), weights::biases);
        for (int number = 0; number < config.layers(); number++) {
            int layer = number;
            layers.add(
                    new Layer(
                            filled(
                                    shape.queryKeyValueOutputs() * hidden,
                                    to -> weights.queryKeyValue(layer, to)),
                            filled(hidden * shape.queryWidth(), to -> weights.output(layer, to)),
                            filled(
                                    2 * config.intermediateSize() * hidden,
                                    to -> weights.gateUp(layer, to)),
                            filled(
                                    hidden * config.intermediateSize(),
                                    to -> weights.down(layer, to))));
        }
        rope = RopeTable.of(config, config.maxPositions());
        stream = new float[(config.layers() + 1) * rows * hidden];
        middle = new float[rows * hidden];
        normed = new float[rows * hidden];
        queries = new float[rows * shape.queryWidth()];
        attended = new float[rows * shape.queryWidth()];
        chunks = new float[Math.toIntExact(shape.chunkResults())];
        inner = new float[rows * config.intermediateSize()];
        keys = new float[config.layers() * shape.cacheRows() * shape.cacheWidth()];
        values = new float[keys.length];
        logits = new float[rows * config.vocabularySize()];
    }

    @Override
    public void run(PassStaging staging) {
        var config = shape.config();
        int[] pass = staging.numbers();
        int hidden = config.hiddenSize();
        int width = shape.cacheWidth();
        int maxRows = shape.maxRows();
        ReferenceRows.compact(
                pass,
                keys,
                values,
                config.layers() * width,
                width,
                shape.cacheRows(),
                maxRows,
                shape.maxMoves());
        ReferenceRows.embed(pass, embedding, stream, hidden, maxRows);
        for (int layer = 0; layer < config.layers(); layer++) {
            run(layer, pass, staging.masks());
        }
        float epsilon = (float) config.normEpsilon();
        int last = config.layers() * maxRows * hidden;
        ReferenceRows.rmsNorm(
                pass, stream, last, norms, 2 * config.layers() * hidden, normed, hidden, epsilon);
        ReferenceProjections.head(
                pass, head, normed, logits, hidden, config.vocabularySize(), maxRows);
    }

    @Override
    public void readLogits(int first, int rows, MemorySegment to) {
        int vocabulary = shape.config().vocabularySize();
        copy(logits, first * vocabulary, rows * vocabulary, to);
    }

    @Override
    public void readStream(int layer, int rows, MemorySegment to) {
        int hidden = shape.config().hiddenSize();
        copy(stream, layer * shape.maxRows() * hidden, rows * hidden, to);
    }

    @Override
    public void readNormed(int rows, MemorySegment to) {
        copy(normed, 0, rows * shape.config().hiddenSize(), to);
    }

    @Override
    public MemorySegment embedding() {
        return onHost(embedding);
    }

    @Override
    public MemorySegment head() {
        return onHost(head);
    }

    @Override
    public void close() {
        // There are only arrays.
    }

    private void run(int number, int[] pass, long[] masks) {
        var config = shape.config();
        var layer = layers.get(number);
        int hidden = config.hiddenSize();
        int maxRows = shape.maxRows();
        int layerBase = number * shape.cacheRows() * shape.cacheWidth();
        int before = number * maxRows * hidden;
        float epsilon = (float) config.normEpsilon();
        ReferenceRows.rmsNorm(
                pass, stream, before, norms, 2 * number * hidden, normed, hidden, epsilon);
        ReferenceProjections.queryKeyValue(
                pass,
                layer.queryKeyValue(),
                biases,
                shape.queryKeyValueBias(number),
                normed,
                rope.cos(),
                rope.sin(),
                queries,
                keys,
                values,
                layerBase,
                hidden,
                config.heads(),
                config.keyValueHeads(),
                config.headSize(),
                config.queryKeyNorm() ? 0 : 1,
                maxRows);
        if (config.queryKeyNorm()) {
            ReferenceRows.normAndRotate(
                    pass,
                    headNorms,
                    2 * number * config.headSize(),
                    rope.cos(),
                    rope.sin(),
                    queries,
                    keys,
                    layerBase,
                    config.heads(),
                    config.keyValueHeads(),
                    config.headSize(),
                    epsilon,
                    maxRows);
        }
        int window = config.window(number).orElse(0);
        ReferenceAttention.attend(
                pass,
                masks,
                queries,
                keys,
                values,
                attended,
                chunks,
                sinks(number),
                layerBase,
                config.heads(),
                config.keyValueHeads(),
                config.headSize(),
                window,
                scale(config),
                maxRows,
                shape.maskWords(),
                shape.keyChunk(),
                shape.keyChunks(number));
        ReferenceAttention.reduce(
                pass,
                chunks,
                attended,
                config.heads(),
                config.headSize(),
                window,
                maxRows,
                shape.keyChunk(),
                shape.keyChunks(number));
        ReferenceProjections.residual(
                pass,
                layer.output(),
                biases,
                shape.outputBias(number),
                attended,
                stream,
                before,
                middle,
                0,
                shape.queryWidth(),
                hidden);
        ReferenceRows.rmsNorm(
                pass, middle, 0, norms, (2 * number + 1) * hidden, normed, hidden, epsilon);
        ReferenceProjections.gateUp(
                pass,
                layer.gateUp(),
                biases,
                shape.gateUpBias(number),
                normed,
                inner,
                hidden,
                config.intermediateSize());
        ReferenceProjections.residual(
                pass,
                layer.down(),
                biases,
                shape.downBias(number),
                inner,
                middle,
                0,
                stream,
                before + maxRows * hidden,
                config.intermediateSize(),
                hidden);
    }

    private float[] sinks(int layer) {
        int first = shape.sinks(layer);
        return first < 0
                ? new float[0]
                : Arrays.copyOfRange(biases, first, first + shape.config().heads());
    }

    private static float scale(DecoderConfig config) {
        return (float) (1 / Math.sqrt(config.headSize()));
    }

    /// Returns a copy outside the heap, because the engine reads no memory of the heap.
    private static MemorySegment onHost(float[] numbers) {
        var memory =
                java.lang.foreign.Arena.ofAuto().allocate(ValueLayout.JAVA_FLOAT, numbers.length);
        copy(numbers, 0, numbers.length, memory);
        return memory;
    }

    private static float[] filled(int size, Consumer<MemorySegment> filler) {
        var numbers = new float[size];
        filler.accept(MemorySegment.ofArray(numbers));
        return numbers;
    }

    private static void copy(float[] from, int first, int count, MemorySegment to) {
        MemorySegment.copy(from, first, to, ValueLayout.JAVA_FLOAT, 0, count);
    }
}
