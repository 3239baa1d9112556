package dev.outrider.nn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoredTensorTest {
    @ParameterizedTest
    @CsvSource({"BF16, 1", "BF16, 8192", "BF16, 65536", "F16, 1", "F16, 8193", "F16, 65536"})
    void everyNumberOf16BitsIsWidenedAtItsPlace(TensorType type, int count) {
        var bytes = ByteBuffer.allocate(count * Short.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        var expected = new float[count];
        for (int index = 0; index < count; index++) {
            short bits = (short) (index * 40503);
            bytes.putShort(bits);
            expected[index] =
                    type == TensorType.F16
                            ? Float.float16ToFloat(bits)
                            : Float.intBitsToFloat(bits << Short.SIZE);
        }
        var tensor =
                new StoredTensor(
                        "W", type, List.of((long) count), MemorySegment.ofArray(bytes.array()));

        assertThat(tensor.toFloats()).containsExactly(expected);
    }
}
