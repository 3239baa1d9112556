package dev.outrider.nn.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.vector.VectorEncoderDecoder;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.target.HiddenState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// Rounds leave no memory allocated: each of these passes makes several megabytes of tensors, so a leak of a tenth of them is
/// detected at once.
class MemoryTest {
    private static final Path STATE = Path.of("/proc/self/statm");
    private static final int PAGE = 4096;

    /// The Java heap grows by tens of megabytes meanwhile; a tenth of the tensors would be two hundred.
    private static final long ALLOWED = 128L << 20;

    private static final DecoderConfig WIDE_HEAD =
            DecoderConfig.builder()
                    .vocabularySize(8192)
                    .hiddenSize(32)
                    .intermediateSize(64)
                    .layers(2)
                    .heads(4)
                    .keyValueHeads(2)
                    .maxPositions(64)
                    .tiedHead(true)
                    .build();

    @Test
    void vectorRoundsLeaveNothingBehind() {
        try (var network =
                new VectorNetwork(WIDE_HEAD, new RandomWeights(WIDE_HEAD, 1, 1), Precision.F32)) {
            assertFlat(network, Boolean.getBoolean("outrider.nightly") ? 10_000 : 2_000);
        }
    }

    @Test
    void sourcesLeaveNothingBehind() {
        Assumptions.assumeTrue(Files.isReadable(STATE), "no /proc/self/statm on this system");
        var stack =
                WIDE_HEAD.toBuilder()
                        .heads(16)
                        .keyValueHeads(16)
                        .headSize(32)
                        .form(
                                BlockForm.bart(
                                        true,
                                        BlockForm.Activation.GELU,
                                        new Positions.Sinusoidal(),
                                        1));
        var decoder = stack.part(Part.CROSS_DECODER).build();
        var encoder = stack.part(Part.ENCODER).build();
        try (var network =
                new VectorEncoderDecoder(
                        encoder,
                        new RandomWeights(encoder, 1, 1),
                        decoder,
                        new RandomWeights(decoder, 1, 1),
                        Precision.F32,
                        RowPrecision.INT8)) {
            sources(network, 200);
            long before = resident();
            sources(network, 800);
            assertThat(resident() - before).isLessThan(ALLOWED);
        }
    }

    /// Half a megabyte of keys and values each.
    private static void sources(EncoderDecoderNetwork network, int count) {
        for (int index = 0; index < count; index++) {
            network.newCache(1, new int[60]).close();
        }
    }

    private static void assertFlat(DecoderNetwork network, int rounds) {
        Assumptions.assumeTrue(Files.isReadable(STATE), "no /proc/self/statm on this system");
        var cases = new Cases(5);
        try (var cache = network.newCache(60)) {
            Cases.prefill(network, cache, cases.tokens(8));
            rounds(network, cache, cases, rounds / 3);
            long before = resident();
            rounds(network, cache, cases, rounds);
            assertThat(resident() - before).isLessThan(ALLOWED);
        }
    }

    private static void rounds(DecoderNetwork network, KvCache cache, Cases cases, int rounds) {
        var outputs =
                new PassOutputs(
                        PassOutputs.LogitRows.ALL, Set.of(new HiddenState.AfterFinalNorm()));
        for (int round = 0; round < rounds; round++) {
            var tree = cases.tree(20);
            network.forward(List.of(RowBlock.ofTree(cache, tree)), outputs).close();
            cache.keep(List.of(0, tree.size() - 1));
            cache.truncate(8);
        }
    }

    private static long resident() {
        try {
            return Long.parseLong(Files.readString(STATE).split(" ")[1]) * PAGE;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
