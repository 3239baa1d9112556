package dev.outrider.drafter.mtp;

import dev.outrider.nn.architecture.Family;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.architecture.ModelConfigWriter;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightNaming;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The target of [Tiny] as a checkpoint folder without a tokenizer.
final class Checkpoints {
    private Checkpoints() {}

    static Path writeTarget(Path folder) throws IOException {
        var config = Tiny.config(Tiny.LAYERS);
        var tensors = new ArrayList<StoredTensor>();
        for (var weight : Weight.values()) {
            for (int layer = 0; layer < (weight.perLayer() ? Tiny.LAYERS : 1); layer++) {
                if (weight.present(config, layer)) {
                    var name = name(weight, layer);
                    long[] shape = weight.shape(config, layer);
                    Tiny.weights()
                            .read(
                                    weight,
                                    layer,
                                    numbers ->
                                            tensors.add(
                                                    StoredTensor.ofFloats(
                                                            name,
                                                            numbers.toArray(ValueLayout.JAVA_FLOAT),
                                                            shape)));
                }
            }
        }
        Files.createDirectories(folder);
        ModelConfigWriter.write(
                new ModelConfig(Family.LLAMA, config, List.of(), List.of(0), Optional.empty()),
                folder);
        SafetensorsWriter.write(folder.resolve("model.safetensors"), tensors, Map.of());
        return folder;
    }

    private static String name(Weight weight, int layer) {
        if (weight.perLayer()) {
            return "model.layers.%d.%s".formatted(layer, WeightNaming.inLayer(weight));
        }
        if (weight == Weight.HEAD) {
            return "lm_head.weight";
        }
        return weight == Weight.EMBEDDING ? "model.embed_tokens.weight" : "model.norm.weight";
    }
}
