package dev.outrider.treeverify.pass;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.FeatureRows.Source;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.FusionConfig.CapturedNorm;
import dev.outrider.nn.network.FusionConfig.Join;
import dev.outrider.nn.network.FusionConfig.Switch;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassOutputs.LogitRows;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.treeverify.TornadoTargetConfig;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What crosses the bus beside a 7B decoder is what docs/guide/gpu.md says. A program that computes nothing counts the arrays
/// that are copied; `DeviceArraysTest` compares their lengths with the device's.
class BusBytesTest {
    private static final int HIDDEN = 4096;
    private static final int VOCABULARY = 32_000;
    private static final long STATE = HIDDEN * 4L;
    private static final long LOGITS = VOCABULARY * 4L;

    /// Bytes of the rows' integers and masks in a draft layer's run, at most.
    private static final long INTEGERS = 5_000;

    /// A run takes features of eight rows, whatever it computes. A guess of a chain is a run of its own.
    @ParameterizedTest
    @CsvSource({
        "WIDE_FIRST_LAYER, 3, 400000", // EAGLE-3
        "WIDE_EVERY_LAYER, 3, 400000", // P-EAGLE
        "EMBEDDING_FIRST, 1, 140000", // EAGLE-1, DeepSeek's MTP
        "FEATURE_FIRST, 1, 140000" // MiMo's MTP
    })
    void aGuessSendsFeaturesAndReadsAStateAndLogits(Join join, int captured, long most) {
        var config = layer(1, fusion(join, captured));
        var program = new Counter(shape(config, TornadoTargetConfig.LAYER_ROWS));
        try (var network = new DeviceNetwork(program.shape, program);
                var cache = network.newCache(64);
                var arena = Arena.ofConfined()) {
            var state = new HiddenState.AfterFinalNorm();
            var wanted = new PassOutputs(LogitRows.ALL, Set.of(state));
            var feature = new FeatureRows(arena.allocate(STATE), 1, Source.RECYCLED);
            for (int guess = 0; guess < 3; guess++) {
                try (var pass =
                        network.forward(RowBlock.continuing(cache, guess), feature, wanted)) {
                    assertThat(pass.logits(0).byteSize()).isEqualTo(LOGITS);
                }
                cache.keep(List.of(0));
            }
        }
        assertThat(program.runs).isEqualTo(3);
        assertThat(program.up / 3)
                .isBetween(TornadoTargetConfig.LAYER_ROWS * captured * STATE, most);
        assertThat(program.down).isEqualTo(3 * (STATE + LOGITS));
    }

    /// All guesses of P-EAGLE are rows of one run, which reads no state.
    @Test
    void parallelGuessesReadLogitsAlone() {
        var config = layer(4, fusion(Join.WIDE_EVERY_LAYER, 3));
        var program = new Counter(shape(config, TornadoTargetConfig.LAYER_ROWS));
        try (var network = new DeviceNetwork(program.shape, program);
                var cache = network.newCache(64);
                var arena = Arena.ofConfined()) {
            var rows = new FeatureRows(arena.allocate(7 * 3 * STATE), 7, Source.TARGET);
            var block = RowBlock.continuing(cache, 1, 2, 3, 4, 5, 6, 7);
            try (var pass = network.forward(block, rows, PassOutputs.lastLogits(5))) {
                for (int row = 2; row < 7; row++) {
                    assertThat(pass.logits(row).byteSize()).isEqualTo(LOGITS);
                }
            }
        }
        assertThat(program.runs).isEqualTo(1);
        assertThat(program.down).isEqualTo(5 * LOGITS);
    }

    @Test
    void aBlockSendsFeaturesOnceAndReadsItsStates() {
        int slots = 16;
        var config =
                layer(5, fusion(Join.CONTEXT, 5).with(Switch.FEATURE_NORM)).toBuilder()
                        .queryKeyNorm(true)
                        .build();
        var program = new Counter(shape(config, slots));
        try (var network = new DeviceNetwork(program.shape, program);
                var cache = network.newCache(64);
                var arena = Arena.ofConfined()) {
            var features = new FeatureRows(arena.allocate(6 * 5 * STATE), 6, Source.TARGET);
            var logits = new float[(slots - 1) * VOCABULARY];
            network.states(cache, Optional.of(features), new int[slots], 1, logits);
        }
        assertThat(program.runs).isEqualTo(1);
        assertThat(program.up).isBetween(slots * 5 * STATE, 1_330_000L);
        assertThat(program.down - (slots - 1) * LOGITS)
                .isEqualTo(slots * STATE)
                .isLessThan(300_000);
    }

    /// Medusa's heads, of which each is a run of its own. `HeadProgram` takes as many rows as a draft layer.
    @Test
    void fourHeadsSendHalfAMegabyteAndReadAsMuch() {
        assertThat(4 * TornadoTargetConfig.LAYER_ROWS * STATE).isBetween(500_000L, 550_000L);
        assertThat(4 * LOGITS).isBetween(500_000L, 550_000L);
    }

    /// A draft model, PARD and the target send integers, and read the rows of logits that are asked for.
    @ParameterizedTest
    @CsvSource({"16, 4000", "64, 9000", "256, 28000"})
    void decodersSendIntegers(int rows, long most) {
        var program = new Counter(shape(layer(32, null), rows));
        try (var network = new DeviceNetwork(program.shape, program);
                var cache = network.newCache(rows);
                var pass =
                        network.forward(
                                List.of(RowBlock.continuing(cache, new int[rows])),
                                PassOutputs.allLogits())) {
            assertThat(pass.logits(3).byteSize()).isEqualTo(LOGITS);
            assertThat(program.runs).isEqualTo(1);
            assertThat(program.up).isLessThan(most);
            assertThat(program.down).isEqualTo(LOGITS);
        }
    }

    private static FusionConfig fusion(Join join, int captured) {
        var fusion = FusionConfig.of(join, HIDDEN, VOCABULARY).with(Switch.OWN_HEAD);
        return captured == 1
                ? fusion.with(Switch.JOIN_BIAS)
                : fusion.capturing(captured, CapturedNorm.NONE)
                        .with(Switch.REDUCTION, Switch.OUTPUT_NORM);
    }

    private static DecoderConfig layer(int layers, FusionConfig fusion) {
        return DecoderConfig.builder()
                .vocabularySize(VOCABULARY)
                .hiddenSize(HIDDEN)
                .intermediateSize(11_008)
                .layers(layers)
                .heads(32)
                .keyValueHeads(32)
                .headSize(128)
                .maxPositions(4096)
                .fusion(Optional.ofNullable(fusion))
                .build();
    }

    private static ProgramShape shape(DecoderConfig config, int rows) {
        return new ProgramShape(
                config, rows, ProgramShape.USUAL_MASK_WORDS, 4096, ProgramShape.USUAL_MOVES);
    }

    /// Counts bytes and computes nothing.
    private static final class Counter implements DeviceProgram {
        final ProgramShape shape;
        int runs;
        long up;
        long down;

        Counter(ProgramShape shape) {
            this.shape = shape;
        }

        @Override
        public void run(PassStaging pass) {
            runs++;
            long integers = 4L * pass.numbers().length + 8L * pass.masks().length;
            if (shape.config().fusion().isPresent()) {
                integers += 4L * pass.captured().length;
                assertThat(integers).isLessThan(INTEGERS);
            }
            up += integers + 4L * pass.features().length;
        }

        @Override
        public void readLogits(int first, int rows, MemorySegment to) {
            down += rows * (long) shape.logits() * 4;
        }

        @Override
        public void readStream(int layer, int rows, MemorySegment to) {
            down += rows * STATE;
        }

        @Override
        public void readNormed(int rows, MemorySegment to) {
            down += rows * STATE;
        }

        @Override
        public MemorySegment embedding() {
            return MemorySegment.NULL;
        }

        @Override
        public MemorySegment head() {
            return MemorySegment.NULL;
        }

        @Override
        public void close() {}
    }
}
