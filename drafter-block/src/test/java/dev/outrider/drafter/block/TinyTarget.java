package dev.outrider.drafter.block;

import dev.outrider.nn.architecture.Family;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.architecture.ModelConfigWriter;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightNaming;
import dev.outrider.nn.target.NetworkTarget;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.LetterTokenizer;
import dev.outrider.torch.TorchNetwork;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A tiny decoder with random weights on the real networks, in 32 bits.
final class TinyTarget {
    static final int VOCABULARY = 40;
    static final int HIDDEN = 32;
    static final int LAYERS = 6;
    static final int POSITIONS = 256;

    private static final RandomWeights WEIGHTS = new RandomWeights(config(), 5, 1);

    private TinyTarget() {}

    /// In Java's vector code.
    static TargetModel open() {
        return open(POSITIONS);
    }

    static TargetModel open(int positions) {
        return target(new VectorNetwork(config(), WEIGHTS, Precision.F32), positions);
    }

    /// On PyTorch, as the target `djl` runs it.
    static TargetModel onTensors() {
        return target(new TorchNetwork(config(), WEIGHTS, Precision.F32), POSITIONS);
    }

    /// Its embedding or head, row after row.
    static float[] weight(Weight weight) {
        var numbers = new ArrayList<float[]>();
        WEIGHTS.read(weight, 0, memory -> numbers.add(memory.toArray(ValueLayout.JAVA_FLOAT)));
        return numbers.getFirst();
    }

    /// As a checkpoint folder without a tokenizer.
    static Path write(Path folder) throws IOException {
        var config = config();
        var tensors = new ArrayList<StoredTensor>();
        for (var weight : Weight.values()) {
            for (int layer = 0; layer < (weight.perLayer() ? LAYERS : 1); layer++) {
                if (weight.present(config, layer)) {
                    var name = name(weight, layer);
                    long[] shape = weight.shape(config, layer);
                    WEIGHTS.read(
                            weight,
                            layer,
                            memory ->
                                    tensors.add(
                                            StoredTensor.ofFloats(
                                                    name,
                                                    memory.toArray(ValueLayout.JAVA_FLOAT),
                                                    shape)));
                }
            }
        }
        java.nio.file.Files.createDirectories(folder);
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

    private static TargetModel target(DecoderNetwork network, int positions) {
        return new NetworkTarget(
                new TargetDescription(
                        "tiny",
                        "test/f32",
                        VOCABULARY,
                        HIDDEN,
                        LAYERS,
                        positions,
                        0,
                        Set.of(),
                        "00",
                        Optional.empty()),
                new LetterTokenizer(VOCABULARY),
                network,
                1,
                () -> Long.MAX_VALUE);
    }

    private static DecoderConfig config() {
        return DecoderConfig.builder()
                .vocabularySize(VOCABULARY)
                .hiddenSize(HIDDEN)
                .intermediateSize(48)
                .layers(LAYERS)
                .heads(4)
                .keyValueHeads(2)
                .headSize(8)
                .maxPositions(POSITIONS)
                .build();
    }
}
