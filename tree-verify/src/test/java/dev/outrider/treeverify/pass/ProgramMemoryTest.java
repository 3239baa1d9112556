package dev.outrider.treeverify.pass;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.gguf.GgufType;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Weight;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import org.junit.jupiter.api.Test;

/// The memory of a program is calculated before anything is allocated.
class ProgramMemoryTest {
    @Test
    void addsUpWeightsCacheAndPasses() {
        // A row sees up to 1024 keys, in chunks of 256.
        // Embedding 4096 * 256, two layers of 3 * 256^2 (key heads are half) + 3 * 256 * 512, five
        // norms, one bias and one head norm that are not read, rotations 2 * 1024 * 32.
        long weights = 4096 * 256 + 2 * (3 * 65536 + 3 * 131072) + 5 * 256 + 2 + 2 * 32768L;
        long cache = 2 * 2 * 1024 * 128L;
        long pass = 16 * (5 * 256 + 256 / 8 + 2 * 256 + 512 + 4096L) + 16 * 4 * 4 * 66;

        assertThat(ProgramMemory.of(shape(1024)).bytes())
                .isEqualTo(4 * (weights + cache + pass) + 4 * 3 * 25 + 8 * 16 * 8L);
    }

    @Test
    void keepsNoResultsOfChunksWhereNoRowHasTwo() {
        assertThat(shape(256).chunkResults()).isEqualTo(1);
        assertThat(shape(257).chunkResults()).isEqualTo(16 * 4 * 2 * 66);
        assertThat(shape(2048).keyChunks()).isEqualTo(4);
        assertThat(shape(257).withKeyChunk(257).chunkResults()).isEqualTo(1);
    }

    @Test
    void refusesACacheThatKernelsCannotIndex() {
        assertThatThrownBy(() -> ProgramMemory.of(shape(20_000_000)))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        """
                        OUT_OF_MEMORY: keys of the cache would be one array of 5120000000 elements, and a kernel can index 2147483647
                          Choose fewer 'cacheRows' or 'rows', a smaller model or another device.\
                        """);
    }

    @Test
    void countsLevelsWithTheirScales() {
        long layers = 2 * (3 * 65536 + 3 * 131072);
        long table = 4096 * 256;
        long rest = ProgramMemory.of(shape(1024)).bytes() - 4 * (layers + table);

        assertThat(memory(WeightFormat.INT8, true)).isEqualTo(rest + (layers + table) * 17 / 16);
        assertThat(memory(WeightFormat.INT4, true)).isEqualTo(rest + (layers + table) * 9 / 16);
        // An embedding that is not the head has 16 bits if numbers are rounded.
        assertThat(memory(WeightFormat.INT8, false))
                .isEqualTo(rest + (layers + table) * 17 / 16 + table * 2);
        // Each matrix has its own form. The head has a byte for 16 numbers and an integer for a
        // row, and so do the values.
        int four = QuantizedLayout.form(GgufType.Q4_K).orElseThrow();
        int six = QuantizedLayout.form(GgufType.Q6_K).orElseThrow();
        var file =
                shape(1024, WeightFormat.FILE, false)
                        .withForms((weight, _) ->
                                weight == Weight.HEAD || weight == Weight.VALUE ? six : four);
        long joined = 2 * 2 * 65536;
        assertThat(ProgramMemory.of(file).bytes())
                .isEqualTo(
                        rest
                                + (layers - joined + table) * 37 / 64
                                + table * 106 / 128
                                + joined * 57 / 64);
    }

    private static long memory(WeightFormat format, boolean tied) {
        return ProgramMemory.of(shape(1024, format, tied)).bytes();
    }

    private static ProgramShape shape(int cacheRows) {
        return shape(cacheRows, WeightFormat.F32, true);
    }

    private static ProgramShape shape(int cacheRows, WeightFormat format, boolean tied) {
        var config =
                DecoderConfig.builder()
                        .vocabularySize(4096)
                        .hiddenSize(256)
                        .intermediateSize(512)
                        .layers(2)
                        .heads(4)
                        .keyValueHeads(2)
                        .maxPositions(1024)
                        .tiedHead(tied)
                        .firstWindowLayer(2)
                        .build();
        return new ProgramShape(config, 16, 8, cacheRows, 4, format);
    }
}
