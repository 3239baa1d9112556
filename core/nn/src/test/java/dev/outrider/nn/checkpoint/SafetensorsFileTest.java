package dev.outrider.nn.checkpoint;

import static dev.outrider.nn.checkpoint.RawSafetensors.FLOAT;
import static dev.outrider.nn.checkpoint.RawSafetensors.floats;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests the reading of well-formed files.
class SafetensorsFileTest {
    @TempDir Path directory;

    @Test
    void readsTensorsByName() throws IOException {
        try (var file =
                open(
                        """
                        {"__metadata__":{"format":"pt"},
                         "pair":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},
                         "one":{"dtype":"BF16","shape":[],"data_offsets":[8,10]},
                         "none":{"dtype":"I64","shape":[3,0],"data_offsets":[10,10]}}
                        """,
                        floats(1.5f, -2f),
                        new byte[] {(byte) 0x80, 0x3F})) {
            assertThat(file.names()).containsExactly("pair", "one", "none");
            assertThat(file.metadata()).isEqualTo(Map.of("format", "pt"));
            assertThat(file.tensor("pair").orElseThrow().toFloats()).containsExactly(1.5f, -2f);
            assertThat(file.tensor("pair").orElseThrow().shape()).isEqualTo(List.of(2L, 1L));
            assertThat(file.tensor("one").orElseThrow().toFloats()).containsExactly(1f);
            assertThat(file.tensor("none").orElseThrow().toLongs()).isEmpty();
            assertThat(file.tensor("other")).isEmpty();
        }
    }

    @Test
    void convertsEveryFloatTypeExactly() throws IOException {
        try (var file =
                open(
                        """
                        {"f16":{"dtype":"F16","shape":[4],"data_offsets":[0,8]},
                         "bf16":{"dtype":"BF16","shape":[4],"data_offsets":[8,16]},
                         "f64":{"dtype":"F64","shape":[1],"data_offsets":[16,24]}}
                        """,
                        shorts(0x3C00, 0xC000, 0x7C00, 0x0001),
                        shorts(0x3F80, 0xC000, 0x7F80, 0x0001),
                        ByteBuffer.allocate(8)
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .putDouble(0.1)
                                .array())) {
            assertThat(file.tensor("f16").orElseThrow().toFloats())
                    .containsExactly(1f, -2f, Float.POSITIVE_INFINITY, 0x1p-24f);
            assertThat(file.tensor("bf16").orElseThrow().toFloats())
                    .containsExactly(1f, -2f, Float.POSITIVE_INFINITY, 0x1p-133f);
            assertThat(file.tensor("f64").orElseThrow().toFloats()).containsExactly(0.1f);
        }
    }

    @Test
    void readsIntegersAndTruthValues() throws IOException {
        try (var file =
                open(
                        """
                        {"i64":{"dtype":"I64","shape":[1],"data_offsets":[0,8]},
                         "i32":{"dtype":"I32","shape":[1],"data_offsets":[8,12]},
                         "u8":{"dtype":"U8","shape":[2],"data_offsets":[12,14]},
                         "bool":{"dtype":"BOOL","shape":[2],"data_offsets":[14,16]}}
                        """,
                        new byte[] {-2, -1, -1, -1, -1, -1, -1, -1},
                        new byte[] {5, 0, 0, (byte) 0x80},
                        new byte[] {7, -1},
                        new byte[] {1, 0})) {
            assertThat(file.tensor("i64").orElseThrow().toLongs()).containsExactly(-2);
            assertThat(file.tensor("i32").orElseThrow().toLongs())
                    .containsExactly(Integer.MIN_VALUE + 5);
            assertThat(file.tensor("u8").orElseThrow().toLongs()).containsExactly(7, 255);
            assertThat(file.tensor("bool").orElseThrow().toLongs()).containsExactly(1, 0);
            assertThatThrownBy(() -> file.tensor("bool").orElseThrow().toFloats())
                    .isInstanceOf(OutriderException.class)
                    .hasMessage(
                            """
                            CHECKPOINT_UNSUPPORTED: tensor 'bool' is stored as BOOL; expected floats (F32, F16, BF16 or F64)
                              Use a checkpoint that is not quantised, or convert it to BF16.\
                            """);
        }
    }

    @Test
    void keepsTheBytesOfTypesItDoesNotConvert() throws IOException {
        try (var file =
                open(
                        "{\"q\":{\"dtype\":\"F8_E4M3\",\"shape\":[3],\"data_offsets\":[0,3]},"
                                + "\"p\":{\"dtype\":\"F4\",\"shape\":[4],\"data_offsets\":[3,5]}}",
                        new byte[] {1, 2, 3, 4, 5})) {
            assertThat(file.tensor("q").orElseThrow().data().toArray(ValueLayout.JAVA_BYTE))
                    .containsExactly(1, 2, 3);
            assertThat(file.tensor("p").orElseThrow().data().byteSize()).isEqualTo(2);
        }
    }

    @Test
    void acceptsAHeaderPaddedWithSpacesAndDataInAnyOrder() throws IOException {
        try (var file =
                open(
                        "{\"b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]},"
                                + "\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}     ",
                        new byte[] {3, 4})) {
            assertThat(file.tensor("a").orElseThrow().toLongs()).containsExactly(3);
            assertThat(file.tensor("b").orElseThrow().toLongs()).containsExactly(4);
        }
    }

    @Test
    void acceptsAFileWithoutTensors() throws IOException {
        try (var file = open("{}")) {
            assertThat(file.names()).isEmpty();
        }
    }

    @Test
    void readsTensorsBeyondTwoGigabytes() throws IOException {
        long size = 2_500_000_000L;
        var header =
                ("{\"big\":{\"dtype\":\"U8\",\"shape\":[%d],\"data_offsets\":[0,%d]},"
                                + "\"last\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[%d,%d]}}")
                        .formatted(size, size, size, size + 4);
        var path = write(header);
        // A sparse file: it takes no room on disk.
        try (var file = new RandomAccessFile(path.toFile(), "rw")) {
            file.seek(8 + header.length() + size);
            file.write(floats(7f));
        }
        try (var file = SafetensorsFile.open(path)) {
            assertThat(file.tensor("last").orElseThrow().toFloats()).containsExactly(7f);
            var big = file.tensor("big").orElseThrow();
            assertThat(big.data().byteSize()).isEqualTo(size);
            assertThatThrownBy(big::toLongs)
                    .hasMessage(
                            "tensor 'big' has 2500000000 elements, too many for an array; read data() instead");
        }
    }

    @Test
    void refusesAccessAfterClosing() throws IOException {
        var file = open(FLOAT, floats(1f));
        var tensor = file.tensor("a").orElseThrow();
        file.close();
        file.close();

        assertThatThrownBy(tensor::toFloats).isInstanceOf(IllegalStateException.class);
    }

    private static byte[] shorts(int... values) {
        var buffer = ByteBuffer.allocate(2 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (int value : values) {
            buffer.putShort((short) value);
        }
        return buffer.array();
    }

    private Path write(String header, byte[]... data) throws IOException {
        return RawSafetensors.write(directory, header, data);
    }

    private SafetensorsFile open(String header, byte[]... data) throws IOException {
        return SafetensorsFile.open(write(header, data));
    }
}
