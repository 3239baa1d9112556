package dev.outrider.cli;

import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightNaming;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Tiny checkpoints of T5's architecture with random weights, and the tokenizer of the demo models. A checkpoint with fewer layers
/// has the same weights in those layers.
final class T5Files {
    private static final String CONFIG =
            """
            {
              "architectures": ["T5ForConditionalGeneration"],
              "model_type": "t5",
              "vocab_size": 2048,
              "d_model": 16,
              "d_kv": 8,
              "d_ff": 24,
              "num_heads": 2,
              "num_layers": %1$d,
              "num_decoder_layers": %1$d,
              "n_positions": 128,
              "relative_attention_num_buckets": 8,
              "relative_attention_max_distance": 32,
              "feed_forward_proj": "gated-gelu",
              "tie_word_embeddings": false,
              "is_encoder_decoder": true,
              "pad_token_id": 1,
              "decoder_start_token_id": 1,
              "eos_token_id": 0
            }
            """;

    private T5Files() {}

    /// Writes a checkpoint.
    ///
    /// @param folder made
    static Path write(Path folder, int layers) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("config.json"), CONFIG.formatted(layers));
        Files.copy(
                Path.of(Shipped.TARGET).resolve("tokenizer.json"),
                folder.resolve("tokenizer.json"));
        var model = ModelConfig.read(new Checkpoint(folder));
        var tensors = new ArrayList<StoredTensor>();
        for (var stack : List.of(model.encoder().orElseThrow().stack(), model.decoder())) {
            tensors.addAll(tensors(stack));
        }
        SafetensorsWriter.write(folder.resolve("model.safetensors"), tensors, Map.of());
        return folder;
    }

    private static List<StoredTensor> tensors(DecoderConfig stack) {
        var naming = WeightNaming.of(stack, Set.of());
        var weights = new RandomWeights(stack, 3, 3);
        var tensors = new ArrayList<StoredTensor>();
        for (var weight : Weight.values()) {
            for (int layer = 0; layer < (weight.perLayer() ? stack.layers() : 1); layer++) {
                if (weight.present(stack, layer)) {
                    String name = naming.names(weight, layer).getFirst();
                    long[] shape = weight.shape(stack, layer);
                    weights.read(
                            weight,
                            layer,
                            floats ->
                                    tensors.add(
                                            StoredTensor.ofFloats(
                                                    name,
                                                    floats.toArray(ValueLayout.JAVA_FLOAT),
                                                    shape)));
                }
            }
        }
        return tensors;
    }
}
