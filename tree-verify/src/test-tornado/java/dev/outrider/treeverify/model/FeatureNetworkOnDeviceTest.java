package dev.outrider.treeverify.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.FeatureRows.Source;
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
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import dev.outrider.treeverify.device.RequiresDevice;
import dev.outrider.treeverify.pass.RandomLayers;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Draft layers compute the same on the device as on the processor, whatever their rows are run with.
@RequiresDevice
class FeatureNetworkOnDeviceTest {
    private static final double TOLERANCE = 1e-4;

    /// More than two runs of the device.
    private static final int PROMPT = 37;

    private static final int CACHE_ROWS = 80;
    private final Random random = new Random(5);

    static Set<String> layers() {
        return RandomLayers.all().keySet();
    }

    @ParameterizedTest
    @MethodSource("layers")
    void computesWhatTheProcessorComputes(String layer) {
        var config = RandomLayers.all().get(layer);
        try (var device = onDevice(config, WeightFormat.F32);
                var processor = onProcessor(config, Precision.F32);
                var arena = Arena.ofConfined()) {
            var inputs = inputs(config, arena);

            assertClose(stages(device, inputs), stages(processor, inputs));
        }
    }

    @Test
    void computesWithMatricesInFewBits() {
        var config = RandomLayers.layer(1, RandomLayers.eagle3());
        for (var format : List.of(WeightFormat.F16, WeightFormat.INT8)) {
            try (var device = onDevice(config, format);
                    var processor = onProcessor(config, Precision.valueOf(format.name()));
                    var arena = Arena.ofConfined()) {
                var inputs = inputs(config, arena);

                assertClose(stages(device, inputs), stages(processor, inputs));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("layers")
    void rowsDoNotDependOnTheirCompany(String layer) {
        var config = RandomLayers.all().get(layer);
        try (var device = onDevice(config, WeightFormat.F32);
                var arena = Arena.ofConfined()) {
            var inputs = inputs(config, arena);
            var together = new ArrayList<float[]>();
            try (var cache = device.newCache(CACHE_ROWS);
                    var pass = feed(device, cache, inputs.prompt(), inputs.captured())) {
                together.addAll(rows(pass));
            }
            try (var cache = device.newCache(CACHE_ROWS)) {
                for (int row = 0; row < PROMPT; row++) {
                    var one = new FeatureRows(inputs.captured().row(row), 1, Source.TARGET);
                    try (var pass =
                            feed(device, cache, new int[] {inputs.prompt()[row]}, one)) {
                        assertThat(pass.logits(0).toArray(ValueLayout.JAVA_FLOAT))
                                .describedAs("row %d", row)
                                .isEqualTo(together.get(row));
                        cache.keep(List.of(0));
                    }
                }
            }
        }
    }

    @Test
    void twoLongestSequencesHaveRoomForGuesses() {
        var config = RandomLayers.layer(1, RandomLayers.eagle3());
        int rows = config.maxPositions() + 500;
        try (var device = onDevice(config, WeightFormat.F32);
                var first = device.newCache(rows);
                var second = device.newCache(rows)) {
            assertThat(first.capacity() + second.capacity()).isEqualTo(2 * rows);
        }
    }

    @Test
    void refusesByNameWhatNoKernelComputes() {
        var wide = RandomLayers.eagle3();
        var gated = RandomLayers.layer(1, wide.with(Switch.GATED_QUERIES));
        var each = RandomLayers.layer(1, wide.capturing(3, CapturedNorm.EACH));
        var many = RandomLayers.layer(7, wide);
        var context =
                RandomLayers.layer(
                        1,
                        FusionConfig.of(Join.CONTEXT, 28, 31)
                                .with(Switch.REDUCTION));

        assertRefused(gated, "gated queries");
        assertRefused(each, "norms of each captured state");
        assertRefused(context, "a context without a norm");
        assertRefused(many, "more layers than 6");
    }

    private static void assertRefused(DecoderConfig config, String what) {
        assertThatThrownBy(() -> onDevice(config, WeightFormat.F32))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("drafter")
                .hasMessageContaining(what)
                .hasMessageContaining("Use the back end 'vector'.");
    }

    private static FeatureNetwork onDevice(DecoderConfig config, WeightFormat format) {
        return new TornadoCode()
                .loadLayer("drafter", config, new RandomWeights(config, 3, 1), format, 1);
    }

    /// Rows of 32 bits, as on the device.
    private static FeatureNetwork onProcessor(DecoderConfig config, Precision precision) {
        var plain = config.toBuilder().fusion(Optional.empty()).build();
        var rows = new RandomWeights(plain, 3, 1);
        try (var lender = new VectorNetwork(plain, rows, precision, RowPrecision.F32)) {
            return new VectorFeatureNetwork(
                    config, new RandomWeights(config, 3, 1), precision, Optional.of(lender));
        }
    }

    /// @param captured features of the prompt, from the target
    /// @param recycled features of the tree's nodes, from the layer
    private record Inputs(int[] prompt, FeatureRows captured, FeatureRows recycled) {}

    private Inputs inputs(DecoderConfig config, Arena arena) {
        int width = config.fusion().orElseThrow().capturedWidth();
        return new Inputs(
                random.ints(PROMPT, 0, config.vocabularySize()).toArray(),
                numbers(PROMPT, width, Source.TARGET, arena),
                numbers(5, config.hiddenSize(), Source.RECYCLED, arena));
    }

    private FeatureRows numbers(int rows, int width, Source source, Arena arena) {
        var memory = arena.allocate(ValueLayout.JAVA_FLOAT, (long) rows * width);
        for (int index = 0; index < rows * width; index++) {
            memory.setAtIndex(ValueLayout.JAVA_FLOAT, index, (float) random.nextGaussian());
        }
        return new FeatureRows(memory, rows, source);
    }

    /// Returns logits and states of a prompt, of a tree behind it, and of the tree again behind a path of it that is not
    /// adjacent.
    private static List<float[]> stages(FeatureNetwork network, Inputs inputs) {
        var builder = TokenTree.builder(5);
        int left = builder.add(0, 6);
        int right = builder.add(0, 7);
        builder.add(left, 8);
        int leaf = builder.add(right, 9);
        var tree = builder.build();
        var stages = new ArrayList<float[]>();
        try (var cache = network.newCache(CACHE_ROWS)) {
            try (var pass = feed(network, cache, inputs.prompt(), inputs.captured())) {
                stages.addAll(rows(pass));
                stages.addAll(states(network, pass));
                cache.keep(IntStream.range(0, PROMPT).boxed().toList());
            }
            for (var kept : List.of(List.of(0, right, leaf), List.<Integer>of())) {
                try (var pass =
                        network.forward(
                                RowBlock.ofTree(cache, tree),
                                inputs.recycled(),
                                outputs(network))) {
                    stages.addAll(rows(pass));
                    stages.addAll(states(network, pass));
                    cache.keep(kept);
                }
            }
        }
        return stages;
    }

    private static PassOutputs outputs(FeatureNetwork network) {
        return new PassOutputs(LogitRows.ALL, Set.copyOf(named(network)));
    }

    private static List<HiddenState> named(FeatureNetwork network) {
        return List.of(
                new HiddenState.AfterLayer(network.config().layers()),
                new HiddenState.AfterFinalNorm());
    }

    private static PassResult feed(
            FeatureNetwork network, KvCache cache, int[] tokens, FeatureRows features) {
        return network.forward(RowBlock.continuing(cache, tokens), features, outputs(network));
    }

    private static List<float[]> rows(PassResult pass) {
        return IntStream.range(0, pass.rows())
                .mapToObj(row -> pass.logits(row).toArray(ValueLayout.JAVA_FLOAT))
                .toList();
    }

    private static List<float[]> states(FeatureNetwork network, PassResult pass) {
        return named(network).stream()
                .flatMap(state ->
                        IntStream.range(0, pass.rows())
                                .mapToObj(row ->
                                        pass.hidden(state, row).toArray(ValueLayout.JAVA_FLOAT)))
                .toList();
    }

    private static void assertClose(List<float[]> actual, List<float[]> expected) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int row = 0; row < expected.size(); row++) {
            assertThat(actual.get(row)).hasSameSizeAs(expected.get(row));
            for (int index = 0; index < expected.get(row).length; index++) {
                float number = expected.get(row)[index];
                assertThat(actual.get(row)[index])
                        .describedAs("row %d, number %d", row, index)
                        .isCloseTo(
                                number,
                                within((float) (TOLERANCE * Math.max(1, Math.abs(number)))));
            }
        }
    }
}
