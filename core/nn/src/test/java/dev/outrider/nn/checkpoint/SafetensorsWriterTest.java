package dev.outrider.nn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SafetensorsWriterTest {
    @TempDir Path directory;

    @Test
    void writesWhatItReads() throws IOException {
        var path = directory.resolve("new/model.safetensors");
        SafetensorsWriter.write(path, tensors(), Map.of("format", "pt"));
        try (var file = SafetensorsFile.open(path)) {
            assertThat(file.names()).containsExactly("ids", "a", "w", "half", "mask");
            assertThat(file.metadata()).isEqualTo(Map.of("format", "pt"));
            assertThat(file.tensor("w").orElseThrow().toFloats()).containsExactly(1, -2, 3, 0.1f);
            assertThat(file.tensor("w").orElseThrow().shape()).isEqualTo(List.of(2L, 2L));
            assertThat(file.tensor("a").orElseThrow().shape()).isEmpty();
            assertThat(file.tensor("half").orElseThrow().toFloats()).containsExactly(1, -2);
            assertThat(file.tensor("ids").orElseThrow().toLongs()).containsExactly(-7);
            assertThat(file.tensor("mask").orElseThrow().toLongs()).containsExactly(1, 0, 1);
        }
        try (var files = Files.list(path.getParent())) {
            assertThat(files).containsExactly(path);
        }
    }

    @Test
    void alignsTheDataAndPadsTheHeaderWithSpaces() throws IOException {
        var path = directory.resolve("model.safetensors");
        SafetensorsWriter.write(
                path, List.of(StoredTensor.ofFloats("w", new float[] {1}, 1)), Map.of());
        var bytes = Files.readAllBytes(path);
        assertThat(new String(bytes, 8, bytes.length - 12, StandardCharsets.UTF_8))
                .isEqualTo("{\"w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}  ")
                .hasSize(bytes[0]);
        assertThat(bytes[0] % 8).isZero();
    }

    @Test
    void writesTheSameBytesWhateverTheOrder() throws IOException {
        var first = directory.resolve("a.safetensors");
        var second = directory.resolve("b.safetensors");
        var tensors = new ArrayList<>(tensors());
        SafetensorsWriter.write(first, tensors, Map.of("a", "1", "b", "2"));
        Collections.reverse(tensors);
        SafetensorsWriter.write(second, tensors, Map.of("b", "2", "a", "1"));

        assertThat(first).hasSameBinaryContentAs(second);
    }

    @Test
    void replacesAnOlderFileWholly() {
        var path = directory.resolve("model.safetensors");
        SafetensorsWriter.write(path, tensors(), Map.of());
        try (var old = SafetensorsFile.open(path)) {
            SafetensorsWriter.write(
                    path, List.of(StoredTensor.ofFloats("new", new float[] {5}, 1)), Map.of());
            try (var file = SafetensorsFile.open(path)) {
                assertThat(file.names()).containsExactly("new");
            }
            // A reader that has the old file open still reads the old weights.
            assertThat(old.tensor("w").orElseThrow().toFloats()).startsWith(1, -2);
        }
    }

    @Test
    void refusesNamesThatAreTaken() {
        var tensor = StoredTensor.ofFloats("w", new float[] {1}, 1);
        var path = directory.resolve("model.safetensors");
        assertThatThrownBy(() -> SafetensorsWriter.write(path, List.of(tensor, tensor), Map.of()))
                .hasMessage("tensor name 'w' is taken");
        var metadata = StoredTensor.ofFloats("__metadata__", new float[] {1}, 1);
        assertThatThrownBy(() -> SafetensorsWriter.write(path, List.of(metadata), Map.of()))
                .hasMessage("tensor name '__metadata__' is taken");
    }

    @Test
    void refusesAShapeThatDisagreesWithTheElements() {
        assertThatThrownBy(() -> StoredTensor.ofFloats("w", new float[3], 2, 2))
                .hasMessage("tensor 'w' has 12 bytes, but shape [2, 2] of F32 takes 16");
    }

    @Test
    void saysWhereItCannotWrite() throws IOException {
        var file = Files.writeString(directory.resolve("file"), "");
        assertThatThrownBy(() -> SafetensorsWriter.write(file.resolve("m"), tensors(), Map.of()))
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith(
                        "IO_FAILED: the checkpoint '%s/m' cannot be written: ".formatted(file));
    }

    @Test
    void roundsToTheNearestBfloat16() {
        assertThat(HalfFloats.toBfloat16(1f)).isEqualTo((short) 0x3F80);
        // 1 + 2^-8 lies between 0x3F80 and 0x3F81: ties go to the even one.
        assertThat(HalfFloats.toBfloat16(1f + 0x1p-8f)).isEqualTo((short) 0x3F80);
        assertThat(HalfFloats.toBfloat16(1f + 0x1p-7f + 0x1p-8f)).isEqualTo((short) 0x3F82);
        assertThat(HalfFloats.toBfloat16(1f + 0x1p-8f + 0x1p-20f)).isEqualTo((short) 0x3F81);
        assertThat(HalfFloats.toBfloat16(-0f)).isEqualTo((short) 0x8000);
        assertThat(HalfFloats.toBfloat16(Float.MAX_VALUE)).isEqualTo((short) 0x7F80);
        assertThat(HalfFloats.fromBfloat16(HalfFloats.toBfloat16(Float.NaN))).isNaN();
        assertThat(HalfFloats.fromBfloat16(HalfFloats.toBfloat16(Float.intBitsToFloat(0x7F800001))))
                .isNaN();
        var random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            float value = (float) (random.nextGaussian() * Math.pow(10, random.nextInt(20) - 10));
            float rounded = HalfFloats.fromBfloat16(HalfFloats.toBfloat16(value));
            assertThat(Math.abs(rounded - value)).isLessThanOrEqualTo(Math.abs(value) * 0x1p-8f);
            assertThat(HalfFloats.toBfloat16(rounded)).isEqualTo(HalfFloats.toBfloat16(value));
        }
    }

    private static List<StoredTensor> tensors() {
        return Arrays.asList(
                StoredTensor.ofBooleans("mask", new boolean[] {true, false, true}, 3),
                StoredTensor.ofFloats("w", new float[] {1, -2, 3, 0.1f}, 2, 2),
                StoredTensor.ofBfloat16("half", new float[] {1, -2}, 2),
                StoredTensor.ofFloats("a", new float[] {4}),
                StoredTensor.ofLongs("ids", new long[] {-7}, 1));
    }
}
