package dev.outrider.treeverify.model;

import dev.outrider.nn.gguf.GgufType;
import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.BlockForm.Activation;
import dev.outrider.nn.network.BlockForm.BoundedGate;
import dev.outrider.nn.network.BlockForm.FeedForward;
import dev.outrider.nn.network.BlockForm.Scores;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.Experts;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.FusionConfig.CapturedNorm;
import dev.outrider.nn.network.FusionConfig.Join;
import dev.outrider.nn.network.FusionConfig.Switch;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassOutputs.LogitRows;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.vector.VectorFeatureNetwork;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.treeverify.DeviceCode.KernelCheck;
import dev.outrider.treeverify.TornadoTargetConfig.CudaGraphs;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.QuantizedLayout;
import dev.outrider.treeverify.pass.WeightForms;
import dev.outrider.treeverify.pass.WeightLoader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/// Compares passes of small random decoders on a device with those of the processor, stage by stage. Together they run every
/// kernel, with prompts, trees, moves of cache rows, and attention in several chunks.
final class PassSelfTest {
    private static final double TOLERANCE = 1e-4;
    private static final int LAYERS = 2;
    private static final int CACHE_ROWS = 160;
    private static final int PROMPT = 90;
    private static final int SHORT_CHUNK = 70;

    /// The formats that random weights can be rounded to.
    private static final List<WeightFormat> ROUNDED =
            Arrays.stream(WeightFormat.values())
                    .filter(format -> format != WeightFormat.FILE)
                    .toList();

    private PassSelfTest() {}

    static List<KernelCheck> run(Devices.Found device) {
        var checks = new ArrayList<KernelCheck>();
        for (var format : ROUNDED) {
            var bits = "%d bits".formatted(format.bits());
            checks.addAll(
                    run(
                            bits,
                            device,
                            shape(config(false), format, ProgramShape.USUAL_KEY_CHUNK)));
            checks.addAll(
                    run(
                            bits + ", norms, biases, chunks",
                            device,
                            shape(config(true), format, SHORT_CHUNK)));
        }
        // Rounded levels in forms of files, with more bits, counted scales and offsets.
        checks.addAll(run("5 bits, Q5_K", device, shape(WeightFormat.INT4, GgufType.Q5_K)));
        checks.addAll(run("6 bits, Q6_K", device, shape(WeightFormat.INT4, GgufType.Q6_K)));
        checks.addAll(run("8 bits, Q2_K", device, shape(WeightFormat.INT8, GgufType.Q2_K)));
        var floats = shape(config(false), WeightFormat.INT4, ProgramShape.USUAL_KEY_CHUNK);
        var ofFloats = levels(floats, _ -> QuantizedLayout.E4M3_OF_32);
        checks.addAll(run("8 bits, FP8", device, floats.withForms(ofFloats)));
        for (boolean all : new boolean[] {true, false}) {
            var kind = all ? OptionalInt.of(35) : OptionalInt.empty();
            var experts = new Experts(7, 3, 21, all, all, kind, 1, Set.of());
            var bounds = Optional.of(new BoundedGate(1.702, 0.5)).filter(_ -> all);
            var gates = new FeedForward(Activation.SILU, true, bounds, Optional.of(experts));
            var scores = new Scores(OptionalDouble.empty(), OptionalDouble.empty(), all);
            var form = BlockForm.llama().with(gates).with(scores);
            var config = config(false).toBuilder().form(form).build();
            var format = all ? WeightFormat.F32 : WeightFormat.INT8;
            checks.addAll(run("experts, " + format, device, shape(config, format, SHORT_CHUNK)));
        }
        checks.add(layer(device));
        return checks;
    }

    /// Returns the check of the logits of a draft layer.
    private static KernelCheck layer(Devices.Found device) {
        var fusion =
                FusionConfig.of(Join.WIDE_FIRST_LAYER, 28, 19)
                        .capturing(3, CapturedNorm.NONE)
                        .with(Switch.REDUCTION, Switch.OWN_EMBEDDING, Switch.OWN_HEAD);
        var config = config(false).fused(fusion);
        var shape = shape(config, WeightFormat.F32, ProgramShape.USUAL_KEY_CHUNK);
        var weights = new RandomWeights(config, 20, 1);
        var loader = new WeightLoader(shape, weights);
        try (var reference =
                        new VectorFeatureNetwork(
                                config, weights, Precision.F32, Optional.empty());
                var network = TornadoCode.network(shape, loader, device, CudaGraphs.AUTO)) {
            double difference = distance(logits(network), logits(reference));
            return new KernelCheck("draft layer, logits", difference, TOLERANCE, "");
        } catch (OutriderException e) {
            return new KernelCheck("draft layer", Double.MAX_VALUE, TOLERANCE, e.problem());
        }
    }

    private static List<float[]> logits(FeatureNetwork network) {
        int[] prompt = IntStream.range(0, PROMPT).map(index -> index * 7 % 31).toArray();
        int width = network.config().fusion().orElseThrow().capturedWidth();
        try (var arena = Arena.ofConfined();
                var cache = network.newCache(CACHE_ROWS)) {
            var memory = arena.allocate(ValueLayout.JAVA_FLOAT, (long) PROMPT * width);
            for (int index = 0; index < PROMPT * width; index++) {
                memory.setAtIndex(ValueLayout.JAVA_FLOAT, index, index % 13 - 6);
            }
            var features = new FeatureRows(memory, PROMPT, FeatureRows.Source.TARGET);
            var outputs = new PassOutputs(LogitRows.ALL, Set.of());
            try (var pass =
                    network.forward(RowBlock.continuing(cache, prompt), features, outputs)) {
                return rows(pass, pass::logits);
            }
        }
    }

    private static ProgramShape shape(WeightFormat format, GgufType beside) {
        var shape = shape(config(false), format, ProgramShape.USUAL_KEY_CHUNK);
        int form = QuantizedLayout.form(beside).orElseThrow();
        return shape.withForms(levels(shape, own -> QuantizedLayout.join(form, own)));
    }

    /// Returns a shape's forms with other forms of levels.
    private static WeightForms levels(ProgramShape shape, IntUnaryOperator other) {
        return (weight, layer) -> {
            int own = shape.forms().of(weight, layer);
            return QuantizedLayout.bits(own) < Short.SIZE ? other.applyAsInt(own) : own;
        };
    }

    private static ProgramShape shape(DecoderConfig config, WeightFormat format, int keyChunk) {
        return new ProgramShape(config, 16, 1, CACHE_ROWS, 4, format, keyChunk);
    }

    private static List<KernelCheck> run(
            String what, Devices.Found device, ProgramShape shape) {
        var config = shape.config();
        var weights = new RandomWeights(config, 20, 1);
        try (var reference =
                        new VectorNetwork(
                                config,
                                weights,
                                Precision.valueOf(shape.format().name()),
                                RowPrecision.F32);
                var network =
                        TornadoCode.network(
                                shape, new WeightLoader(shape, weights), device, CudaGraphs.AUTO)) {
            return compare(what, network, reference);
        } catch (OutriderException e) {
            return List.of(new KernelCheck(what, Double.MAX_VALUE, TOLERANCE, e.problem()));
        }
    }

    /// Returns a check for each stage of a pass.
    static List<KernelCheck> compare(
            String what, DecoderNetwork network, DecoderNetwork reference) {
        var expected = stages(reference);
        var checks = new ArrayList<KernelCheck>();
        stages(network)
                .forEach((stage, actual) ->
                        checks.add(
                                new KernelCheck(
                                        "%s, %s".formatted(what, stage),
                                        distance(actual, expected.getOrDefault(stage, List.of())),
                                        TOLERANCE,
                                        "")));
        return checks;
    }

    /// Reads a prompt, keeps a path of a tree whose nodes are not adjacent, and returns the rows of a second tree after every
    /// stage.
    private static Map<String, List<float[]>> stages(DecoderNetwork network) {
        var states = new LinkedHashMap<String, HiddenState>();
        states.put("embedding", new HiddenState.AfterLayer(0));
        for (int layer = 1; layer <= LAYERS; layer++) {
            states.put("layer " + layer, new HiddenState.AfterLayer(layer));
        }
        states.put("final norm", new HiddenState.AfterFinalNorm());
        var outputs = new PassOutputs(LogitRows.ALL, Set.copyOf(states.values()));
        var tree = TokenTree.builder(5);
        int left = tree.add(0, 6);
        int right = tree.add(0, 7);
        tree.add(left, 8);
        int leaf = tree.add(right, 9);
        var rows = tree.build();
        try (var cache = network.newCache(CACHE_ROWS)) {
            int[] prompt = IntStream.range(0, PROMPT).map(index -> index * 7 % 31).toArray();
            keep(network, cache, RowBlock.continuing(cache, prompt), List.of());
            keep(network, cache, RowBlock.ofTree(cache, rows), List.of(0, right, leaf));
            try (var result = network.forward(List.of(RowBlock.ofTree(cache, rows)), outputs)) {
                var stages = new LinkedHashMap<String, List<float[]>>();
                states.forEach((name, state) ->
                        stages.put(name, rows(result, row -> result.hidden(state, row))));
                stages.put("logits", rows(result, result::logits));
                return stages;
            }
        }
    }

    /// Runs rows and commits the given ones, or all if none is given.
    private static void keep(
            DecoderNetwork network, KvCache cache, RowBlock block, List<Integer> kept) {
        network.forward(List.of(block), new PassOutputs(LogitRows.NONE, Set.of())).close();
        cache.keep(
                kept.isEmpty() ? IntStream.range(0, block.tokens().length).boxed().toList() : kept);
    }

    private static List<float[]> rows(PassResult result, IntFunction<MemorySegment> row) {
        return IntStream.range(0, result.rows())
                .mapToObj(index -> row.apply(index).toArray(ValueLayout.JAVA_FLOAT))
                .toList();
    }

    /// Returns the largest distance of two rows, relative to the length of the expected one.
    private static double distance(List<float[]> actual, List<float[]> expected) {
        double largest = 0;
        for (int row = 0; row < expected.size(); row++) {
            double length = 0;
            double difference = 0;
            for (int index = 0; index < expected.get(row).length; index++) {
                length += Math.pow(expected.get(row)[index], 2);
                difference += Math.pow(actual.get(row)[index] - expected.get(row)[index], 2);
            }
            double distance = Math.sqrt(difference / length);
            largest = Math.max(largest, Double.isNaN(distance) ? Double.MAX_VALUE : distance);
        }
        return largest;
    }

    /// @param all whether the decoder has biases, norms of heads and a window
    private static DecoderConfig config(boolean all) {
        return DecoderConfig.builder()
                .vocabularySize(31)
                .hiddenSize(44)
                .intermediateSize(41)
                .layers(LAYERS)
                .heads(4)
                .keyValueHeads(2)
                .headSize(12)
                .maxPositions(CACHE_ROWS)
                .tiedHead(all)
                .queryKeyValueBias(all)
                .outputBias(all)
                .feedForwardBias(all)
                .queryKeyNorm(all)
                .slidingWindow(all ? OptionalInt.of(80) : OptionalInt.empty())
                .firstWindowLayer(1)
                .build();
    }
}
