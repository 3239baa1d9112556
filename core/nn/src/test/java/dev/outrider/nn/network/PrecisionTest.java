package dev.outrider.nn.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// A single NaN or infinite number would spread to rows that do not see it: it is refused when weights are loaded.
class PrecisionTest {
    @ParameterizedTest
    @EnumSource
    void whatIsNoNumberIsRefusedInEveryFormat(Precision precision) {
        for (float bad : new float[] {Float.NaN, Float.POSITIVE_INFINITY, -1 / 0f}) {
            assertThatThrownBy(() -> check(precision, bad))
                    .isInstanceOfSatisfying(
                            OutriderException.class,
                            refused ->
                                    assertThat(refused.code())
                                            .isEqualTo(ErrorCode.CHECKPOINT_UNSUPPORTED))
                    .hasMessageContaining("number 1 of weight W is " + bad);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "BF16, 3.3e38, 3.4e38",
        "F16, 65504, 65505",
        "INT8, 8e6, 9e6",
        "INT4, 5e5, 6e5",
    })
    void whatDoesNotFitTheFormatIsRefused(Precision precision, float fits, float not) {
        assertThatCode(() -> check(precision, -fits)).doesNotThrowAnyException();
        assertThatThrownBy(() -> check(precision, not))
                .hasMessageContaining("for precision " + precision.name().toLowerCase(Locale.ROOT));
    }

    @Test
    void everyNumberOfALargeWeightIsLookedAt() {
        for (int bad : new int[] {8191, 8192, 20_000}) {
            var numbers = new float[20_001];
            numbers[bad] = Float.NaN;

            assertThatThrownBy(
                            () -> Precision.BF16.requireRoom(MemorySegment.ofArray(numbers), "W"))
                    .hasMessageContaining("number " + bad + " of weight W is NaN");
            var some = MemorySegment.ofArray(numbers);
            assertThatThrownBy(() -> Precision.BF16.requireRoom(some, 1_000_000, "W"))
                    .hasMessageContaining("number %d of weight W", 1_000_000 + bad);
        }
    }

    private static void check(Precision precision, float number) {
        precision.requireRoom(MemorySegment.ofArray(new float[] {1, number}), "W");
    }
}
