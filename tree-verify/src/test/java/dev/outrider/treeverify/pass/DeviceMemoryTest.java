package dev.outrider.treeverify.pass;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.error.OutriderException;
import dev.outrider.treeverify.DeviceCode.DeviceInfo;
import org.junit.jupiter.api.Test;

class DeviceMemoryTest {
    private static final long GIBIBYTE = 1L << 30;
    private static final DeviceInfo DEVICE =
            new DeviceInfo(1, "Card", "CUDA", "driver", "GPU", 8 * GIBIBYTE, 3 * GIBIBYTE, 40);

    @Test
    void addsUpWhatAModelNeeds() {
        var memory = new ProgramMemory().add("weights", GIBIBYTE, 2).add("cache", GIBIBYTE / 4, 4);

        assertThat(memory.bytes()).isEqualTo(3 * GIBIBYTE);
        assertThatCode(() -> memory.requireOn(DEVICE)).doesNotThrowAnyException();
    }

    @Test
    void saysWhatDoesNotFit() {
        var memory =
                new ProgramMemory()
                        .add("weights", GIBIBYTE, 4)
                        .add("cache", GIBIBYTE, 4)
                        .add("logits", GIBIBYTE / 2, 4)
                        .add("masks", 64, 4);

        assertThatThrownBy(() -> memory.requireOn(DEVICE))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        """
                        OUT_OF_MEMORY: the model needs 10.00 GiB on device 1 (Card), which has 8.00 GiB; the largest parts are weights 4.00 GiB, cache 4.00 GiB, logits 2.00 GiB
                          Choose fewer 'cacheRows' or 'rows', a smaller model or another device.\
                        """);
    }

    @Test
    void saysWhichArrayIsTooLong() {
        assertThatThrownBy(() -> new ProgramMemory().add("the cache", 1L << 31, 4))
                .hasMessageStartingWith(
                        "OUT_OF_MEMORY: the cache would be one array of 2147483648 elements, and a kernel can index"
                                + " 2147483647\n");
        assertThatThrownBy(() -> new ProgramMemory().add("weights", GIBIBYTE, 4).requireOn(DEVICE))
                .hasMessageStartingWith(
                        "OUT_OF_MEMORY: weights need 4.00 GiB in one array, and device 1 (Card) allows 3.00 GiB\n");
    }
}
