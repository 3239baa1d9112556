package dev.outrider.nn.network;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.architecture.EncoderConfig;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A checkpoint of any family with a missing, wrong or unknown tensor is refused by the tensor's name.
class FamilyTensorsTest {
    @TempDir Path directory;

    static List<Path> folders() throws IOException, URISyntaxException {
        var folders = new ArrayList<Path>();
        for (var kind : List.of("/decoders", "/encoder-decoder")) {
            var root = Path.of(FamilyTensorsTest.class.getResource(kind).toURI());
            try (var files = Files.list(root)) {
                files.filter(Files::isDirectory).forEach(folders::add);
            }
        }
        return folders;
    }

    @ParameterizedTest
    @MethodSource("folders")
    void everyTensorIsNeeded(Path folder) {
        var model = ModelConfig.read(new Checkpoint(folder));
        try (var tensors = new Checkpoint(folder).openTensors()) {
            for (var name : few(tensors)) {
                assertThatThrownBy(() -> read(model, without(tensors, name)))
                        .isInstanceOf(OutriderException.class)
                        .hasMessageContaining("'" + name + "'");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("folders")
    void everyTensorHasItsShape(Path folder) {
        var model = ModelConfig.read(new Checkpoint(folder));
        try (var tensors = new Checkpoint(folder).openTensors()) {
            for (var name : few(tensors)) {
                var wrong = without(tensors, name);
                wrong.add(StoredTensor.ofFloats(name, new float[15], 3, 5));
                assertThatThrownBy(() -> read(model, wrong))
                        .isInstanceOf(OutriderException.class)
                        .hasMessageContaining("'" + name + "'")
                        .hasMessageContaining("[3, 5]");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("folders")
    void nothingIsLeftUnread(Path folder) {
        var model = ModelConfig.read(new Checkpoint(folder));
        try (var tensors = new Checkpoint(folder).openTensors()) {
            var first =
                    tensors.names().stream()
                            .filter(name -> name.matches(".*\\.0\\..*"))
                            .findFirst()
                            .orElseThrow();
            var more = without(tensors, "");
            var name = first.substring(0, first.indexOf(".0.")) + ".0.adapter.weight";
            more.add(StoredTensor.ofFloats(name, new float[15], 3, 5));
            assertThatThrownBy(() -> read(model, more))
                    .isInstanceOf(OutriderException.class)
                    .hasMessageContaining("'" + name + "'");
        }
    }

    /// Those outside the layers, and those of the first.
    private static List<String> few(CheckpointTensors tensors) {
        return tensors.names().stream()
                .filter(name -> !name.matches(".*(layers|block|h)\\.[1-9]\\..*"))
                .toList();
    }

    private void read(ModelConfig model, List<StoredTensor> stored) {
        var file = directory.resolve("model.safetensors");
        SafetensorsWriter.write(file, stored, Map.of());
        try (var tensors = CheckpointTensors.ofFile(file)) {
            Stream.concat(
                            Stream.of(model.decoder()),
                            model.encoder().map(EncoderConfig::stack).stream())
                    .forEach(stack -> CheckpointWeights.of(stack, tensors, model.quantisation()));
        }
    }

    private static List<StoredTensor> without(CheckpointTensors tensors, String name) {
        var others = new ArrayList<StoredTensor>();
        for (var other : tensors.names()) {
            if (!other.equals(name)) {
                others.add(tensors.tensor(other));
            }
        }
        return others;
    }
}
