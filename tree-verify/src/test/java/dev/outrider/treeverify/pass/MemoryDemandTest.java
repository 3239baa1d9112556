package dev.outrider.treeverify.pass;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.spi.OutriderException;
import dev.outrider.treeverify.DeviceInfo;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/// What does not fit is refused before anything is allocated, with what it would take.
class MemoryDemandTest {
    private static final long MEBIBYTE = 1L << 20;

    @Test
    void countsWeightsCacheAndPasses() {
        var demand = MemoryDemand.of(shape(1024));

        // Embedding 4096 * 256, two layers of 3 * 256^2 (key heads are half) + 3 * 256 * 512, five norms, one bias
        // and one head norm that nobody reads, rotations 2 * 1024 * 32.
        assertThat(demand.weights())
                .isEqualTo(
                        4 * (4096 * 256 + 2 * (3 * 65536 + 3 * 131072) + 5 * 256 + 2 + 2 * 32768L));
        assertThat(demand.cache()).isEqualTo(4 * 2 * 2 * 1024 * 128L);
        assertThat(demand.activations())
                .isEqualTo(4 * 16 * (5 * 256 + 2 * 256 + 512 + 4096) + 8 * 16 * 8L);
        assertThat(demand.longestArray()).isEqualTo(4 * 4096 * 256);
        assertThat(demand.bytes())
                .isEqualTo(demand.weights() + demand.cache() + demand.activations());
    }

    @Test
    void acceptsWhatFitsExactly() {
        var demand = MemoryDemand.of(shape(1024));

        demand.requireFits(
                "small", device(demand.bytes(), demand.longestArray()), demand.bytes());
        assertThat(demand.bytes()).isBetween(11 * MEBIBYTE, 12 * MEBIBYTE);
    }

    @Test
    void refusesADeviceThatIsTooSmall() {
        var demand = MemoryDemand.of(shape(1024));

        refused(
                demand,
                device(demand.bytes() - 1, demand.longestArray()),
                demand.bytes(),
                """
                OUT_OF_MEMORY: target 'small' takes 12 MiB of the device's memory (weights 9 MiB, cache 2 MiB, passes 1 MiB), but 'card' has 12 MiB
                  Lower target.cacheRows or target.rows, choose a smaller model, or another device.""");
    }

    @Test
    void refusesAnArrayThatIsTooLong() {
        var demand = MemoryDemand.of(shape(1024));

        refused(
                demand,
                device(demand.bytes(), demand.longestArray() - 1),
                demand.bytes(),
                """
                OUT_OF_MEMORY: target 'small' needs an array of 4 MiB, but the longest that 'card' takes has 4 MiB
                  Lower target.cacheRows or target.rows, choose a smaller model, or another device.""");
    }

    @Test
    void refusesWhatTheRuntimeMayNotTake() {
        var demand = MemoryDemand.of(shape(1024));

        refused(
                demand,
                device(demand.bytes(), demand.longestArray()),
                4 * MEBIBYTE,
                """
                OUT_OF_MEMORY: target 'small' takes 12 MiB of the device's memory, but TornadoVM was started to take at most 4 MiB
                  Start the JVM with a larger -Dtornado.device.memory, such as 2GB.""");
    }

    @Test
    void refusesACacheThatKernelsCannotIndex() {
        assertThatThrownBy(() -> shape(20_000_000))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        """
                        OUT_OF_MEMORY: the cache would take 5120000000 numbers; kernels count up to 2147483583
                          Lower target.cacheRows or target.rows, or choose a smaller model.""");
    }

    private static void refused(
            MemoryDemand demand, DeviceInfo device, long limit, String message) {
        assertThatThrownBy(() -> demand.requireFits("small", device, limit))
                .isInstanceOf(OutriderException.class)
                .hasMessage(message);
    }

    private static DeviceInfo device(long memory, long array) {
        return new DeviceInfo(0, "card", "CUDA", "driver", "GPU", memory, array, 1);
    }

    private static ProgramShape shape(int cacheRows) {
        var config =
                new DecoderConfig(
                        4096, 256, 512, 2, 4, 2, 64, 1024, 1e-5, true, false, false, false, false,
                        OptionalInt.empty(), 2, 10_000);
        return new ProgramShape(config, 16, 8, cacheRows, 4);
    }
}
