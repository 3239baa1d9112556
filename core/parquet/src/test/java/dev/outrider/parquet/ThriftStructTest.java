package dev.outrider.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ThriftStructTest {
    @Test
    void fieldsAreFoundByTheirNumbers() throws IOException {
        // 1: i32 -3; 2: true; 3: "ab"; 5: {1: i64 300}; 6: [{1: i32 1}, {}]; 40: i32 7
        var struct =
                read(
                        0x15, 5, 0x11, 0x18, 2, 'a', 'b', 0x2C, 0x16, 0xD8, 4, 0, 0x19, 0x2C, 0x15,
                        2, 0, 0, 0x05, 80, 14, 0);

        assertThat(struct.number(1)).hasValue(-3);
        assertThat(struct.number(2)).hasValue(1);
        assertThat(struct.number(3)).isEmpty();
        assertThat(struct.struct(5).orElseThrow().number(1)).hasValue(300);
        assertThat(struct.structs(6)).hasSize(2);
        assertThat(struct.structs(6).getFirst().number(1)).hasValue(1);
        assertThat(struct.number(40)).hasValue(7);
        assertThat(struct.structs(41)).isEmpty();
    }

    @Test
    void lengthsThatAreNotThereAreRefusedBeforeAnythingIsAllocated() {
        assertThatThrownBy(() -> read(0x18, 0xFF, 0xFF, 0xFF, 0xFF, 7, 'a'))
                .isInstanceOf(EOFException.class)
                .hasMessage("a value of 2147483647 bytes");
        assertThatThrownBy(() -> read(0x19, 0xFC, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0))
                .isInstanceOf(EOFException.class)
                .hasMessage("a list of 4294967295 elements");
        assertThatThrownBy(() -> read(0x15)).isInstanceOf(EOFException.class);
    }

    @Test
    void whatParquetHasNotIsRefused() {
        var deep = new int[100];
        Arrays.fill(deep, 0x1C);
        assertThatThrownBy(() -> read(deep))
                .hasMessage("more than 16 structures within each other");
        assertThatThrownBy(() -> read(0x1B, 0)).hasMessage("a field has the type 11");
        // Hardwood skips booleans of a list without reading them, so a large count alone keeps it
        // busy.
        assertThatThrownBy(() -> read(0x19, 0x31, 1, 1, 1, 0)).hasMessage("a list has the type 1");
        assertThatThrownBy(() ->
                        read(0x16, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1))
                .hasMessage("a number of more than 64 bits");
    }

    @Test
    void listsOfSomethingElseAreTold() throws IOException {
        var struct = read(0x19, 0x25, 2, 4, 0);

        struct.expect(1, 5);
        assertThatThrownBy(() -> struct.expect(1, 8)).hasMessage("field 1 is a list of type 5");
        assertThatThrownBy(() -> struct.structs(1)).hasMessage("field 1 is a list of type 5");
    }

    private static ThriftStruct read(int... bytes) throws IOException {
        var buffer = ByteBuffer.allocate(bytes.length);
        for (int each : bytes) {
            buffer.put((byte) each);
        }
        return ThriftStruct.read(buffer.flip());
    }
}
