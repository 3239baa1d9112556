package dev.outrider.nn.vector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.nn.checkpoint.GroupedMatrix;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.network.CachePrecision;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.RowBlock;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Machines of every width compute the same bits, and so do any number of threads.
class WidthTest {
    /// A panel and a part of one.
    private static final int OUTPUTS = 45;

    /// Those of this machine's width and of one thread.
    private static final class Here {
        private static final List<String> DIGESTS = digests();
    }

    @Test
    void anotherWidthGivesTheSameBits() throws IOException, InterruptedException {
        anyWidthGivesTheSameBits(128);
    }

    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(strings = {"pairs", "java"})
    void anyMachineCodeGivesTheSameBits(String kernels) throws IOException, InterruptedException {
        check("-D%s=%s".formatted(VectorMachine.KERNELS, kernels), VectorMachine.name());
    }

    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(ints = {256, 512})
    void anyWidthGivesTheSameBits(int bits) throws IOException, InterruptedException {
        check("-D%s=%d".formatted(Lanes.BITS, bits), bits + " bits");
    }

    /// Compares digests with those of a process.
    private static void check(String option, String name) throws IOException, InterruptedException {
        var command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--add-modules",
                        "jdk.incubator.vector",
                        "-XX:+UseSerialGC",
                        "-Xmn600m",
                        "--enable-native-access=ALL-UNNAMED",
                        option,
                        "-cp",
                        System.getProperty("java.class.path"),
                        WidthTest.class.getName());
        var process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        var here = Here.DIGESTS; // The process computes meanwhile.
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).isZero();
        assertThat(output.lines()).first().isEqualTo(name);
        assertThat(output.lines().skip(1)).containsExactlyElementsOf(here);
    }

    @Test
    void anyNumberOfThreadsGivesTheSameBits() {
        var alone = Here.DIGESTS;
        try {
            for (int threads : new int[] {2, 3, 5}) {
                Team.use(threads);
                assertThat(digests()).isEqualTo(alone);
            }
        } finally {
            Team.use(1);
        }
    }

    /// As a program: the width and the digests.
    public static void main(String[] arguments) {
        System.out.println(VectorMachine.name());
        digests().forEach(System.out::println);
    }

    private static List<String> digests() {
        return Stream.of(
                        Stream.of(Precision.values())
                                .map(precision ->
                                        precision + " " + digest(precision, CachePrecision.F32)),
                        Stream.of(CachePrecision.BF16, CachePrecision.INT8)
                                .map(caches -> caches + " caches " + digest(Precision.F32, caches)),
                        RandomBlocks.types().stream().map(type -> type + " " + digest(type)),
                        Stream.of(
                                        "awq4-g32",
                                        "gptq4-g64-v2",
                                        "packed4-g128",
                                        "packed8",
                                        "packed8-g64",
                                        "gptq8",
                                        "fp8")
                                .map(form -> form + " " + digest(form)))
                .flatMap(each -> each)
                .toList();
    }

    /// Of products with a matrix of `quantised/reference.py`.
    private static int digest(String form) {
        try {
            var path = Path.of(WidthTest.class.getResource("/quantised/" + form).toURI());
            var directory = new Checkpoint(path);
            var kept = ModelConfig.read(directory).quantisation().orElseThrow();
            var name = "model.layers.0.mlp.down_proj.weight";
            try (var tensors = directory.openTensors();
                    var arena = Arena.ofShared()) {
                var matrix = GroupedMatrix.of(tensors, name, kept, 64, 192);
                var formats =
                        Collections.nCopies(
                                Math.ceilDiv(64, Lanes.PANEL),
                                PanelFormat.of(matrix).orElseThrow());
                var panels = new Panels(formats, 64, 192, arena);
                panels.fill(0, matrix);
                return 31 * digest(panels) + digestOfIntegers(matrix, 64, 192, arena);
            }
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Of products with rows in eight bits, if the format has integers.
    private static int digestOfIntegers(FileMatrix matrix, int outputs, int columns, Arena arena) {
        var format = PanelFormat.of(matrix).orElseThrow();
        if (format.forIntegers().isEmpty()) {
            return 0;
        }
        var panels = new IntegerPanels(List.of(format), List.of(outputs), columns, arena);
        panels.fill(0, matrix);
        return digest(panels);
    }

    private static int digest(Matrix panels) {
        int digest = 1;
        for (int rows : new int[] {1, 2, 4, 11}) {
            digest = 31 * digest + Arrays.hashCode(BlockPanelsTest.products(panels, rows));
        }
        return digest;
    }

    /// Of products with a matrix in a file's blocks.
    private static int digest(TensorType type) {
        try (var arena = Arena.ofShared()) {
            var panels = new Panels(PanelFormat.of(type).orElseThrow(), OUTPUTS, 512, arena);
            var blocks = RandomBlocks.of(type, OUTPUTS, 512, 4);
            panels.fill(0, blocks);
            return 31 * digest(panels) + digestOfIntegers(blocks, OUTPUTS, 512, arena);
        }
    }

    private static long digest(Precision precision, CachePrecision caches) {
        var config =
                DecoderConfig.builder()
                        .vocabularySize(67)
                        .hiddenSize(40)
                        .intermediateSize(75)
                        .layers(2)
                        .heads(6)
                        .keyValueHeads(2)
                        .headSize(20)
                        .maxPositions(64)
                        .build();
        try (var network = new VectorNetwork(config, new RandomWeights(config, 3, 1), precision)) {
            network.keepCachesIn(caches);
            return digest(network);
        }
    }

    private static long digest(VectorNetwork network) {
        long digest = 1;
        try (var cache = network.newCache(40)) {
            for (int rows : new int[] {11, 1, 2, 3, 5, 8}) {
                int[] tokens =
                        IntStream.range(0, rows).map(row -> (row * 31 + rows) % 67).toArray();
                try (var result =
                        network.forward(
                                List.of(RowBlock.continuing(cache, tokens)),
                                PassOutputs.allLogits())) {
                    for (int row = 0; row < rows; row++) {
                        for (int bits : result.logits(row).toArray(ValueLayout.JAVA_INT)) {
                            digest = digest * 31 + bits;
                        }
                    }
                }
                cache.keep(IntStream.range(0, rows).boxed().toList());
            }
        }
        return digest;
    }
}
