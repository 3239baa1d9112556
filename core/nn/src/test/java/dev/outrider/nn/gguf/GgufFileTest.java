package dev.outrider.nn.gguf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.gguf.GgufMetadata.GgufValueType;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests the reading of whole files, and the errors of corrupt ones.
class GgufFileTest {
    @TempDir Path directory;

    private static GgufWriter small() {
        return new GgufWriter()
                .text("general.architecture", "llama")
                .number("llama.block_count", 2)
                .real("half", 0.5f)
                .truth("yes", true)
                .texts("words", List.of("a", "\u00e9", ""))
                .numbers("counts", List.of(3, 4))
                .floats("one", new float[] {1, 2, 3, 4, 5, 6}, 2, 3)
                .tensor("two", GgufType.BF16, new byte[] {(byte) 0x80, 0x3F}, 1);
    }

    @Test
    void readsMetadataAndTensors() throws IOException {
        for (int version : new int[] {2, 3}) {
            try (var file = open(version(version))) {
                var metadata = file.metadata();
                assertThat(metadata.requiredText("general.architecture")).isEqualTo("llama");
                assertThat(metadata.natural("llama.block_count")).hasValue(2);
                assertThat(metadata.number("half")).hasValue(0.5);
                assertThat(metadata.number("llama.block_count")).hasValue(2);
                assertThat(metadata.truth("yes")).contains(true);
                assertThat(metadata.texts("words")).containsExactly("a", "\u00e9", "");
                assertThat(metadata.naturals("counts")).containsExactly(3, 4);
                assertThat(metadata.text("absent")).isEmpty();
                assertThat(metadata.texts("absent")).isEmpty();
                assertThat(Objects.requireNonNull(file.tensors().get("one")).shape())
                        .isEqualTo(List.of(2L, 3L));
                assertThat(file.numbers("one")).containsExactly(1, 2, 3, 4, 5, 6);
                assertThat(file.numbers("two")).containsExactly(1);
            }
        }
    }

    @Test
    void aValueOfAnotherTypeIsRefusedByItsKey() throws IOException {
        try (var file = open(bytes(small()))) {
            var metadata = file.metadata();
            assertThatThrownBy(() -> metadata.natural("half"))
                    .hasMessageContaining("has half = 0.5; expected an integer of at least 0");
            assertThatThrownBy(() -> metadata.text("words"))
                    .hasMessageContaining("has words = a list; expected a text");
            assertThatThrownBy(() -> metadata.numbers("words"))
                    .hasMessageContaining("has words = a; expected a list of numbers");
            assertThatThrownBy(() -> metadata.requiredText("absent"))
                    .hasMessageContaining("has no absent");
        }
    }

    @Test
    void saysWhatIsWrongWithAHeader() throws IOException {
        assertThat(refusal("GGML".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("does not begin with 'GGUF'");
        assertThat(refusal(version(1))).isEqualTo("has version 1; expected 2 or 3");
        assertThat(refusal(version(0x03000000))).isEqualTo("is big-endian; expected little-endian");
        assertThat(refusal(new byte[0]))
                .startsWith("has a header that ends within its first bytes");
        assertThat(refusal(Arrays.copyOf(bytes(small()), 60)))
                .startsWith("has a header that ends within");
        assertThat(refusal(bytes(small().text("yes", "again"))))
                .isEqualTo("has the key 'yes' twice");
        assertThat(refusal(bytes(small().floats("one", new float[1], 1))))
                .isEqualTo("describes tensor 'one' twice");
        assertThat(refusal(with(8, 1L << 40)))
                .isEqualTo("has 1099511627776 tensors; expected at most 1048576");
        assertThat(refusal(with(16, -1)))
                .isEqualTo(
                        "has the number of keys 18446744073709551615; expected at most 2^63 - 1");
        assertThat(refusal(with(24, Long.MAX_VALUE)))
                .isEqualTo("has key 0 of 9223372036854775807 bytes; expected at most 65535");
    }

    @Test
    void saysWhatIsWrongWithAList() throws IOException {
        assertThat(refusal(listed(GgufValueType.INT64, Long.MAX_VALUE)))
                .isEqualTo("has the key 'list' of 9223372036854775807 elements");
        assertThat(refusal(listed(GgufValueType.STRING, Long.MAX_VALUE)))
                .startsWith("has a header that ends within a length of the key 'list'");
        assertThat(refusal(listed(GgufValueType.UINT8, 1 << 30)))
                .startsWith("has a header that ends within the key 'list'");
        assertThat(refusal(listed(GgufValueType.ARRAY, 1)))
                .isEqualTo("has the key 'list', a list of lists; expected a plain list");
        assertThat(refusal(bytes(new GgufWriter().number("general.alignment", 48))))
                .isEqualTo("has another general.alignment than a power of two from 1 to 65536");
    }

    @Test
    void saysWhatIsWrongWithATensor() throws IOException {
        assertThat(refusal(tensor(GgufType.F32, 1L << 32, 1L << 32)))
                .isEqualTo(
                        "gives tensor 'x' the dimensions [4294967296, 4294967296] of F32, whose size is no number of bytes below 2^63");
        assertThat(refusal(tensor(GgufType.F32, 1 << 20)))
                .isEqualTo(
                        "says that tensor 'x' has 4194304 bytes from byte 0 of the data on, but there are only 32 bytes");
        assertThat(refusal(tensor(GgufType.Q4_K, 2, 128)))
                .isEqualTo(
                        "gives tensor 'x' rows of 128 numbers in Q4_K; expected a multiple of 256");
        assertThat(refusal(tensor(GgufType.F32, 1, 1, 1, 1, 1)))
                .isEqualTo("gives tensor 'x' 5 dimensions; expected at most 4");
        var two = new GgufWriter().floats("a", new float[8], 8).floats("b", new float[8], 8);
        var overlapping = bytes(two);
        // The place of the last tensor is the last number of the header.
        int at = two.header().length;
        overlapping[at - 8] = 0;
        assertThat(refusal(overlapping))
                .isEqualTo(
                        "has an overlap before tensor 'b': it begins at byte 0 of the data, expected 32");
        overlapping[at - 8] = 64;
        assertThat(refusal(overlapping)).startsWith("has a hole before tensor 'b'");
    }

    @Test
    void refusesByNameWhatNobodyReads() throws IOException {
        assertThat(unsupported(new GgufWriter().tensor("x", 23, new byte[136], 256)))
                .contains("has tensor 'x' in the format IQ4_XS; expected one of [F32, F16, Q4_0")
                .contains("llama-quantize");
        assertThat(unsupported(new GgufWriter().tensor("x", 99, new byte[136], 256)))
                .contains("in the format number 99");
        assertThat(unsupported(small().number("split.count", 3)))
                .contains("is one of 3 files that a model was split into (split.count)")
                .contains("llama-gguf-split --merge");
    }

    private byte[] listed(GgufValueType type, long count) throws IOException {
        return bytes(new GgufWriter().list("list", type, count, new byte[16]));
    }

    private byte[] tensor(GgufType type, long... shape) throws IOException {
        return bytes(new GgufWriter().tensor("x", type.code(), new byte[32], shape));
    }

    private byte[] bytes(GgufWriter file) throws IOException {
        return Files.readAllBytes(file.write(directory.resolve("whole.gguf")));
    }

    /// The small file of another version.
    private byte[] version(int version) throws IOException {
        var bytes = bytes(small());
        System.arraycopy(GgufWriter.word(version), 0, bytes, 4, 4);
        return bytes;
    }

    /// The small file with another 64-bit number in it.
    private byte[] with(int at, long value) throws IOException {
        var bytes = bytes(small());
        System.arraycopy(GgufWriter.count(value), 0, bytes, at, 8);
        return bytes;
    }

    private String unsupported(GgufWriter file) throws IOException {
        var path = file.write(directory.resolve("x.gguf"));
        try (var opened = GgufFile.open(path)) {
            throw new AssertionError("opened " + opened.path());
        } catch (OutriderException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.CHECKPOINT_UNSUPPORTED);
            return String.valueOf(e.getMessage());
        }
    }

    /// Returns the message for a corrupt file, without the file's name.
    private String refusal(byte[] bytes) throws IOException {
        try (var file = open(bytes)) {
            throw new AssertionError("opened " + file.path());
        } catch (OutriderException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.GGUF_CORRUPT);
            var line = String.valueOf(e.getMessage()).lines().findFirst().orElseThrow();
            return line.substring(line.indexOf("x.gguf' ") + "x.gguf' ".length());
        }
    }

    private GgufFile open(byte[] bytes) throws IOException {
        return GgufFile.open(Files.write(directory.resolve("x.gguf"), bytes));
    }
}
