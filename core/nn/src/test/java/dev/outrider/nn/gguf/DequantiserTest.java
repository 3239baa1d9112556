package dev.outrider.nn.gguf;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/// The numbers equal those that llama.cpp computes from the same bytes, to the last bit.
class DequantiserTest {
    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"F32", "F16", "BF16"})
    void numbersAreThoseOfTheReference(GgufType type) throws IOException {
        JsonNode all =
                new ObjectMapper().readTree(getClass().getResourceAsStream("/gguf/blocks.json"));
        var expected = all.path(type.name());
        assertThat(GgufType.ofCode(expected.path("type").intValue())).contains(type);
        assertThat(type.block()).isEqualTo(expected.path("block").intValue());
        assertThat(type.bytes()).isEqualTo(expected.path("bytes").intValue());
        byte[] data = Base64.getDecoder().decode(expected.path("data").textValue());
        var floats =
                ByteBuffer.wrap(Base64.getDecoder().decode(expected.path("floats").textValue()))
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .asFloatBuffer();
        var reader = new WeightBlock();
        var memory = MemorySegment.ofArray(data);
        var block = new float[type.block()];
        for (int number = 0; number < data.length / type.bytes(); number++) {
            reader.numbers(type, memory, (long) number * type.bytes(), block);
            for (int index = 0; index < block.length; index++) {
                assertThat(Float.floatToIntBits(block[index]))
                        .as("%s, number %d of block %d", type, index, number)
                        .isEqualTo(Float.floatToIntBits(floats.get(number * block.length + index)));
            }
        }
    }
}
