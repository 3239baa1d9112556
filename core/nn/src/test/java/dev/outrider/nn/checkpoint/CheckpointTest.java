package dev.outrider.nn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.common.Sha256;
import dev.outrider.nn.SharedFiles;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointTest {
    @TempDir Path directory;

    @Test
    void opensTheWeightsOfAKnownModel() {
        var checkpoint = new Checkpoint(SharedFiles.orSkip("checkpoints/stories260K"));
        assertThat(checkpoint.config()).isRegularFile();
        assertThat(checkpoint.tokenizer()).isRegularFile();
        assertThat(checkpoint.generationConfig()).isEmpty();
        try (var tensors = checkpoint.openTensors()) {
            assertThat(tensors.names()).contains("model.embed_tokens.weight", "model.norm.weight");
            var embedding = tensors.tensor("model.embed_tokens.weight", 512, 64);
            assertThat(embedding.type()).isEqualTo(TensorType.F32);
            for (float value : embedding.toFloats()) {
                assertThat(value).isBetween(-10f, 10f);
            }
        }
    }

    @Test
    void isCalledAsItsFolderOrInAHubsCacheAsItsModel() throws IOException {
        assertThat(new Checkpoint(Files.createDirectory(directory.resolve("demo"))).name())
                .isEqualTo("demo");
        var snapshot =
                Files.createDirectories(
                        directory.resolve("models--org--tiny-model/snapshots/0123abcd"));

        assertThat(new Checkpoint(snapshot).name()).isEqualTo("org/tiny-model");
    }

    @Test
    void readsTensorsFromSeveralFiles() throws IOException {
        writeShards();
        try (var tensors = new Checkpoint(directory).openTensors()) {
            assertThat(tensors.names()).containsExactly("a", "b");
            assertThat(tensors.tensor("a", 1).toFloats()).containsExactly(1);
            assertThat(tensors.tensor("b", 2).toFloats()).containsExactly(2, 3);
            assertThat(tensors.find("unlisted")).isEmpty();
        }
    }

    @Test
    void prefersTheSingleFile() throws IOException {
        writeShards();
        write("model.safetensors", StoredTensor.ofFloats("single", new float[] {1}, 1));
        try (var tensors = new Checkpoint(directory).openTensors()) {
            assertThat(tensors.names()).containsExactly("single");
        }
    }

    @Test
    void givesTheSameDigestHoweverTheTensorsAreSplit() throws IOException {
        writeShards();
        String sharded;
        try (var tensors = new Checkpoint(directory).openTensors()) {
            sharded = tensors.digest();
        }
        write(
                "model.safetensors",
                StoredTensor.ofFloats("b", new float[] {2, 3}, 2),
                StoredTensor.ofFloats("a", new float[] {1}, 1));
        try (var tensors = new Checkpoint(directory).openTensors()) {
            assertThat(tensors.digest()).isEqualTo(sharded).matches("[0-9a-f]{64}");
        }
        write(
                "model.safetensors",
                StoredTensor.ofFloats("b", new float[] {2, 4}, 2),
                StoredTensor.ofFloats("a", new float[] {1}, 1));
        try (var tensors = new Checkpoint(directory).openTensors()) {
            assertThat(tensors.digest()).isNotEqualTo(sharded);
        }
    }

    @Test
    void theDigestIsOfNamesTypesShapesAndBytesOfZerosToo() {
        write(
                "model.safetensors",
                StoredTensor.ofFloats("zeros", new float[3], 3, 1),
                StoredTensor.ofFloats("b", new float[] {1}, 1));
        var hash =
                new Sha256()
                        .add("b F32 [1]\n")
                        .add(ByteBuffer.wrap(new byte[] {0, 0, (byte) 0x80, 0x3f}))
                        .add("zeros F32 [3, 1]\n")
                        .add(ByteBuffer.allocate(3 * Float.BYTES));
        try (var tensors = new Checkpoint(directory).openTensors()) {
            assertThat(tensors.digest()).isEqualTo(hash.hex());
        }
    }

    @Test
    void namesTheNearestTensorsWhenOneIsMissing() {
        write(
                "model.safetensors",
                StoredTensor.ofFloats("model.layers.0.mlp.up_proj.weight", new float[] {1}, 1),
                StoredTensor.ofFloats("model.layers.0.mlp.gate_proj.weight", new float[] {1}, 1),
                StoredTensor.ofFloats("model.norm.weight", new float[] {1}, 1),
                StoredTensor.ofFloats("lm_head.weight", new float[] {1}, 1));
        try (var tensors = new Checkpoint(directory).openTensors()) {
            assertThatThrownBy(() -> tensors.tensor("layers.0.mlp.up_proj.weight"))
                    .isInstanceOf(OutriderException.class)
                    .hasMessage(
                            """
                            CHECKPOINT_INCOMPLETE: there is no tensor 'layers.0.mlp.up_proj.weight' in '%s'; the nearest names are: model.layers.0.mlp.up_proj.weight, model.layers.0.mlp.gate_proj.weight, model.norm.weight
                              Check that config.json and the weights belong to the same model.\
                            """
                                    .formatted(directory.resolve("model.safetensors")));
        }
    }

    @Test
    void tellsTheShapeItFoundAndTheShapeItExpected() {
        write("model.safetensors", StoredTensor.ofFloats("w", new float[6], 2, 3));
        try (var tensors = new Checkpoint(directory).openTensors()) {
            assertThatThrownBy(() -> tensors.tensor("w", 3, 2))
                    .isInstanceOf(OutriderException.class)
                    .hasMessage(
                            """
                            CHECKPOINT_SHAPE_MISMATCH: tensor 'w' of '%s' has shape [2, 3]; expected [3, 2]
                              Check that config.json and the weights belong to the same model.\
                            """
                                    .formatted(directory.resolve("model.safetensors")));
        }
    }

    @Test
    void refusesPickledWeightsAndSaysHowToConvertThem() throws IOException {
        Files.writeString(directory.resolve("pytorch_model.bin"), "");
        assertThat(refusal())
                .isEqualTo(
                        """
                        PICKLE_REFUSED: '%s' has its weights only as a pickle, 'pytorch_model.bin', and loading a pickle can run any code; expected model.safetensors
                          Take a safetensors version of the model, or convert it where you trust it: in Python, AutoModelForCausalLM.from_pretrained(dir).save_pretrained(dir, safe_serialization=True).\
                        """
                                .formatted(directory));
        Files.move(directory.resolve("pytorch_model.bin"), directory.resolve("medusa_lm_head.pt"));
        assertThat(refusal()).startsWith("PICKLE_REFUSED").contains("'medusa_lm_head.pt'");
    }

    @Test
    void saysWhatAnEmptyDirectoryLacks() {
        assertThat(refusal())
                .isEqualTo(
                        """
                        CHECKPOINT_INCOMPLETE: '%s' has no model.safetensors
                          Download the whole checkpoint into this directory.\
                        """
                                .formatted(directory));
        assertThatThrownBy(() -> new Checkpoint(directory).config())
                .hasMessageContaining("has no config.json\n");
    }

    @Test
    void saysThatADirectoryIsNotThere() throws IOException {
        var absent = directory.resolve("absent");
        assertThatThrownBy(() -> new Checkpoint(absent))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        """
                        CHECKPOINT_NOT_FOUND: there is no directory '%s'
                          Give the directory that holds config.json and model.safetensors, or a GGUF file.\
                        """
                                .formatted(absent));
        var file = Files.writeString(directory.resolve("file"), "");
        assertThatThrownBy(() -> new Checkpoint(file))
                .hasMessageContaining("'%s' is a file; expected the directory".formatted(file));
    }

    @Test
    void refusesAnIndexThatPointsOutsideItsDirectory() throws IOException {
        write("model.safetensors", StoredTensor.ofFloats("a", new float[] {1}, 1));
        var inner = Files.createDirectory(directory.resolve("inner"));
        var outside = directory.resolve("model.safetensors");
        for (var name :
                List.of(
                        "../model.safetensors",
                        outside.toString(),
                        "sub/../../model.safetensors",
                        "..\\\\model.safetensors",
                        "C:model.safetensors",
                        ".hidden.safetensors",
                        "")) {
            Files.writeString(
                    inner.resolve("model.safetensors.index.json"),
                    "{\"weight_map\":{\"a\":\"%s\"}}".formatted(name));
            assertThatThrownBy(() -> new Checkpoint(inner).openTensors())
                    .as(name)
                    .isInstanceOf(OutriderException.class)
                    .hasMessageStartingWith("SAFETENSORS_CORRUPT: the index ")
                    .hasMessageContaining("expected the plain name of a file beside the index");
        }
    }

    @Test
    void refusesABrokenIndex() throws IOException {
        assertThat(refusalOfIndex("{")).contains("is not valid JSON: ");
        assertThat(refusalOfIndex("[]")).contains("has no weight_map\n");
        assertThat(refusalOfIndex("{\"weight_map\":{}}")).contains("has no weight_map\n");
        assertThat(refusalOfIndex("{\"weight_map\":{\"a\":1}}"))
                .contains("puts tensor 'a' into 1;");
        assertThat(refusalOfIndex("{\"weight_map\":{\"a\":\"x.bin\"}}"))
                .contains("puts tensor 'a' into \"x.bin\"; expected a .safetensors file\n");
        assertThat(
                        refusalOfIndex(
                                "{\"weight_map\":{\"a\":\"x.safetensors\",\"a\":\"y.safetensors\"}}"))
                .contains("is not valid JSON: Duplicate");
    }

    @Test
    void tellsWhichShardOrTensorIsMissing() throws IOException {
        assertThat(refusalOfIndex("{\"weight_map\":{\"a\":\"x.safetensors\"}}"))
                .isEqualTo(
                        """
                        CHECKPOINT_INCOMPLETE: the index '%s' lists the file 'x.safetensors', which is not there
                          Download the missing file into the same directory.\
                        """
                                .formatted(directory.resolve("model.safetensors.index.json")));
        write("x.safetensors", StoredTensor.ofFloats("b", new float[] {1}, 1));
        assertThat(refusalOfIndex("{\"weight_map\":{\"a\":\"x.safetensors\"}}"))
                .contains(
                        "the index says that 'x.safetensors' holds tensor 'a', but it does not\n");
    }

    private void writeShards() throws IOException {
        write(
                "model-00001-of-00002.safetensors",
                StoredTensor.ofFloats("a", new float[] {1}, 1),
                StoredTensor.ofFloats("unlisted", new float[] {9}, 1));
        write(
                "model-00002-of-00002.safetensors",
                StoredTensor.ofFloats("b", new float[] {2, 3}, 2));
        Files.writeString(
                directory.resolve("model.safetensors.index.json"),
                """
                {"metadata":{"total_size":1},
                 "weight_map":{"a":"model-00001-of-00002.safetensors","b":"model-00002-of-00002.safetensors"}}
                """);
    }

    private void write(String name, StoredTensor... tensors) {
        SafetensorsWriter.write(directory.resolve(name), List.of(tensors), Map.of());
    }

    private String refusalOfIndex(String json) throws IOException {
        Files.writeString(directory.resolve("model.safetensors.index.json"), json);
        return refusal();
    }

    private String refusal() {
        try (var tensors = new Checkpoint(directory).openTensors()) {
            return "accepted with " + tensors.names();
        } catch (OutriderException e) {
            return Objects.requireNonNull(e.getMessage());
        }
    }
}
