package dev.outrider.drafting;

import dev.outrider.nn.architecture.Family;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.architecture.ModelConfigWriter;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.BlockForm.Activation;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderConfigBuilder;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.Part;
import dev.outrider.nn.network.Positions;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightNaming;
import dev.outrider.nn.target.NetworkTarget;
import dev.outrider.nn.vector.VectorEncoderDecoder;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetDescription.SourceReading;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.LetterTokenizer;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A decoder with random weights on the real networks, in 32 bits unless a test asks for another precision.
///
/// @param layers number of them
/// @param gain of its weights ([RandomWeights])
public record TinyTarget(int layers, double gain) {
    public static final int VOCABULARY = 40;
    public static final int HIDDEN = 32;
    public static final int POSITIONS = 256;

    /// For drafters that read or use several layers.
    public static final TinyTarget DEEP = new TinyTarget(6, 1);

    /// For drafters that read the last hidden state.
    public static final TinyTarget SHALLOW = new TinyTarget(3, 1.5);

    private static final long SEED = 5;
    private static final double T5_GAIN = 2;

    public TargetModel open() {
        return open(network());
    }

    /// Returns the target with another network of its shape.
    public TargetModel open(DecoderNetwork network) {
        return target(network, Optional.empty());
    }

    /// Returns one of T5's form, with a tied and scaled head.
    public TargetModel encoderDecoder() {
        var encoder = t5(Part.ENCODER);
        var decoder = t5(Part.CROSS_DECODER);
        return target(
                new VectorEncoderDecoder(
                        encoder,
                        new RandomWeights(encoder, SEED, T5_GAIN),
                        decoder,
                        new RandomWeights(decoder, SEED, T5_GAIN),
                        Precision.F32,
                        RowPrecision.INT8),
                Optional.of(new SourceReading(POSITIONS, List.of(0))));
    }

    public VectorNetwork network() {
        return network(Precision.F32);
    }

    public VectorNetwork network(Precision precision) {
        return new VectorNetwork(config(), weights(), precision);
    }

    public RandomWeights weights() {
        return new RandomWeights(config(), SEED, gain);
    }

    public DecoderConfig config() {
        return stack().keyValueHeads(2).build();
    }

    /// Writes it as a checkpoint folder without a tokenizer.
    public Path write(Path folder) throws IOException {
        var tensors = new ArrayList<StoredTensor>();
        for (var weight : Weight.values()) {
            for (int layer = 0; layer < (weight.perLayer() ? layers : 1); layer++) {
                if (weight.present(config(), layer)) {
                    var name = name(weight, layer);
                    long[] shape = weight.shape(config(), layer);
                    tensors.add(StoredTensor.ofFloats(name, numbers(weight, layer), shape));
                }
            }
        }
        Files.createDirectories(folder);
        ModelConfigWriter.write(
                new ModelConfig(Family.LLAMA, config(), List.of(), List.of(0), Optional.empty()),
                folder);
        SafetensorsWriter.write(folder.resolve("model.safetensors"), tensors, Map.of());
        return folder;
    }

    /// Returns a weight's numbers, row after row.
    ///
    /// @param layer 0 for a weight that is in no layer
    public float[] numbers(Weight weight, int layer) {
        var numbers = new ArrayList<float[]>();
        weights()
                .read(weight, layer, memory -> numbers.add(memory.toArray(ValueLayout.JAVA_FLOAT)));
        return numbers.getFirst();
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

    private TargetModel target(DecoderNetwork network, Optional<SourceReading> sources) {
        return new NetworkTarget(
                new TargetDescription(
                        "tiny",
                        "vector/f32",
                        VOCABULARY,
                        HIDDEN,
                        layers,
                        POSITIONS,
                        0,
                        Set.of(),
                        "00",
                        sources),
                new LetterTokenizer(VOCABULARY),
                network,
                1,
                () -> Long.MAX_VALUE);
    }

    private DecoderConfig t5(Part part) {
        var positions = new Positions.Relative(8, 32);
        double headScale = 1 / Math.sqrt(HIDDEN);
        return stack().tiedHead(true)
                .form(BlockForm.t5(Activation.RELU, false, positions, headScale))
                .part(part)
                .build();
    }

    private DecoderConfigBuilder stack() {
        return DecoderConfig.builder()
                .vocabularySize(VOCABULARY)
                .hiddenSize(HIDDEN)
                .intermediateSize(48)
                .layers(layers)
                .heads(4)
                .headSize(8)
                .maxPositions(POSITIONS);
    }
}
