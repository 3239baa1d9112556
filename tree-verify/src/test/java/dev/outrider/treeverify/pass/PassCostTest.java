package dev.outrider.treeverify.pass;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.BlockForm.NormKind;
import dev.outrider.nn.network.BlockForm.NormPlace;
import dev.outrider.nn.network.BlockForm.Norms;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Experts;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import dev.outrider.treeverify.pass.PassCost.Data;
import dev.outrider.treeverify.pass.PassCost.Kernels;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/// Compares the cost of a pass with counts by hand.
class PassCostTest {
    private static final int CHUNK = 4;

    /// A decoder with two layers, of which the second has a window of five.
    private static final DecoderConfig CONFIG =
            DecoderConfig.builder()
                    .vocabularySize(31)
                    .hiddenSize(32)
                    .intermediateSize(40)
                    .layers(2)
                    .heads(4)
                    .keyValueHeads(2)
                    .headSize(8)
                    .maxPositions(64)
                    .tiedHead(true)
                    .slidingWindow(OptionalInt.of(5))
                    .firstWindowLayer(1)
                    .build();

    @Test
    void countsThreeRowsBehindSixAsByHand() {
        var cost = PassCost.of(shape(WeightFormat.F32), 6, 3);

        // Each layer has 64 outputs of queries, keys and values and 80 of gate and up with 32
        // inputs, 32 outputs with 32 inputs and 32 with 40.
        long weights = 2 * (64 * 32 + 32 * 32 + 80 * 32 + 32 * 40) + 31 * 32;
        // The rows see 7, 8 and 9 keys, in 2, 2 and 3 chunks, and with the window 5, 5 and 5 keys
        // in two chunks each.
        long keys = 7 + 8 + 9 + 5 + 5 + 5;
        long chunks = 2 + 2 + 3 + 2 + 2 + 2;
        assertThat(cost.kernels())
                .containsExactly(
                        new Kernels(Data.ROWS, 2 + 1, 3 * 32 * 2 * 4, 3 * 32),
                        new Kernels(Data.WEIGHTS, 4 + 4 + 1, weights * 4, weights * 8),
                        new Kernels(
                                Data.CACHE, 2, keys * 4 * 8 * 2 * 10 / 32 * 4, keys * 4 * 8 * 2),
                        new Kernels(Data.CHUNKS, 2, chunks * 4 * (8 + 2) * 4 * 2, chunks * 4 * 8),
                        new Kernels(Data.LOGITS, 0, 3 * 31 * 4, 0));
        assertThat(cost.launches()).isEqualTo(16);
        assertThat(cost.graphs()).isEqualTo(1);
    }

    @Test
    void readsAndMultipliesWeightsOncePerEightRows() {
        var shape = shape(WeightFormat.F32);
        var eight = PassCost.of(shape, 6, 8).kernels().get(1);
        var nine = PassCost.of(shape, 6, 9).kernels().get(1);

        assertThat(eight).isEqualTo(PassCost.of(shape, 6, 1).kernels().get(1));
        assertThat(nine.bytes()).isEqualTo(2 * eight.bytes());
        assertThat(nine.operations()).isEqualTo(2 * eight.operations());
    }

    @Test
    void oneRowReadsItsKeysFromMemory() {
        // Seven keys, and five in the window, of two heads. There are twice as many query heads.
        var shape = shape(WeightFormat.F32);
        long bytes = (7 + 5) * 2 * 16 * 4;

        assertThat(PassCost.of(shape, 6, 1).bytes(Data.CACHE)).isEqualTo(bytes);
        assertThat(PassCost.of(shape, 6, 2).bytes(Data.CACHE))
                .isGreaterThan(bytes)
                .isLessThan(2 * bytes);
    }

    @Test
    void packedRowsAreFilledUpToBlocksAndDecoded() {
        long numbers = (2 * (64 + 32 + 80 + 32) + 31) * 128;

        assertThat(PassCost.of(shape(WeightFormat.F16), 6, 3).kernels().get(1))
                .isEqualTo(new Kernels(Data.WEIGHTS, 9, numbers * 2, numbers * (8 + 7)));
    }

    @Test
    void levelsAreFilledUpTo64AndHaveTwoScalesAWord() {
        // Rows of 32 and of 40 numbers.
        long rows = 2 * (64 + 32 + 80 + 32) + 31;

        assertThat(PassCost.of(shape(WeightFormat.INT8), 6, 3).kernels().get(1))
                .isEqualTo(new Kernels(Data.WEIGHTS, 9, rows * 68, rows * 64 * (8 + 7)));
        assertThat(PassCost.of(shape(WeightFormat.INT4), 6, 3).kernels().get(1))
                .isEqualTo(new Kernels(Data.WEIGHTS, 9, rows * 36, rows * 64 * (8 + 7)));
    }

    /// Two of eight experts: a row reads a quarter of their weights, three rows 1 - 0.75^3 of them, many rows all of them once for
    /// eight rows of an expert.
    @Test
    void readsTheExpertsThatRowsChoose() {
        var experts = CONFIG.toBuilder().form(BlockForm.mixture(new Experts(8, 2, 24))).build();
        var dense = PassCost.of(shape(WeightFormat.F32), 6, 1).bytes(Data.WEIGHTS);
        // Without two layers of 80 outputs with 32 inputs and 32 with 40, and with two routers.
        long rest = dense - 2 * (80 * 32 + 32 * 40) * 4 + 2 * 8 * 32 * 4;
        long all = 2 * 8 * (48 * 32 + 32 * 24) * 4;
        var shape = new ProgramShape(experts, 64, 1, 80, 5, WeightFormat.F32, CHUNK);

        assertThat(PassCost.of(shape, 6, 1).bytes(Data.WEIGHTS)).isEqualTo(rest + all / 4);
        assertThat(PassCost.of(shape, 6, 3).bytes(Data.WEIGHTS)).isEqualTo(rest + all * 37 / 64);
        // 56 rows choose an expert 14 times, which are two tiles.
        assertThat(PassCost.of(shape, 6, 56).bytes(Data.WEIGHTS))
                .isCloseTo(7 * rest + 2 * all, Offset.offset(8L));
    }

    /// Sixteen rows take five kernels a layer: norms are part of the kernels beside them. Norms with a mean have their own, and so
    /// have those beside experts; here every layer has four further kernels for experts.
    @Test
    void aPlainLayerHasFiveKernels() {
        var layered = BlockForm.llama().with(new Norms(NormKind.LAYER, NormPlace.BEFORE));
        var experts = BlockForm.mixture(new Experts(8, 2, 24));

        assertThat(launchesOfLayer(BlockForm.llama())).isEqualTo(5);
        assertThat(launchesOfLayer(layered)).isEqualTo(7);
        assertThat(launchesOfLayer(experts)).isEqualTo(7 + 4);
    }

    private static int launchesOfLayer(BlockForm form) {
        var three = CONFIG.toBuilder().form(form).layers(3).build();
        var four = CONFIG.toBuilder().form(form).layers(4).build();
        return PassCost.of(new ProgramShape(four, 16, 1, 64, 5), 6, 16).launches()
                - PassCost.of(new ProgramShape(three, 16, 1, 64, 5), 6, 16).launches();
    }

    @Test
    void launchesTheKernelsOfTheProgram() {
        for (int seed = 0; seed < 40; seed++) {
            var random = new SplittableRandom(seed);
            var config =
                    seed % 2 == 0 ? RandomDecoders.config(random) : RandomDecoders.experts(random);
            var shape = new ProgramShape(config, 8, 3, 70, 5).withKeyChunk(5);

            assertThat(PassCost.of(shape, 20, 4).launches())
                    .describedAs("seed %d", seed)
                    .isEqualTo(GraphParts.kernels(shape));
        }
    }

    @Test
    void refusesAPassThatTheProgramDoesNotTake() {
        assertThatThrownBy(() -> PassCost.of(shape(WeightFormat.F32), 6, 17))
                .hasMessage("17 rows behind 6 do not fit a program of 16 rows and 64 keys");
        assertThatThrownBy(() -> PassCost.of(shape(WeightFormat.F32), 63, 2))
                .hasMessageStartingWith("2 rows behind 63 do not fit");
    }

    private static ProgramShape shape(WeightFormat format) {
        return new ProgramShape(CONFIG, 16, 1, 64, 5, format, CHUNK);
    }
}
