package dev.outrider.treeverify.pass;

import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.BlockForm.Activation;
import dev.outrider.nn.network.BlockForm.BoundedGate;
import dev.outrider.nn.network.BlockForm.FeedForward;
import dev.outrider.nn.network.BlockForm.Scores;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Experts;
import dev.outrider.nn.target.NetworkTarget;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.LetterTokenizer;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;

/// Small decoders of every kind: with or without biases, head norms, windows, shared key heads and attention sinks.
public final class RandomDecoders {
    /// The number of tokens of every decoder in this class.
    public static final int VOCABULARY = 31;

    private RandomDecoders() {}

    /// Returns a random architecture.
    public static DecoderConfig config(SplittableRandom random) {
        int keyHeads = 1 + random.nextInt(3);
        int heads = keyHeads * (1 + random.nextInt(3));
        int headSize = 4 * (1 + random.nextInt(4));
        int layers = 1 + random.nextInt(2);
        return DecoderConfig.builder()
                .vocabularySize(VOCABULARY)
                .hiddenSize(random.nextBoolean() ? heads * headSize : 22)
                .intermediateSize(41)
                .layers(layers)
                .heads(heads)
                .keyValueHeads(keyHeads)
                .headSize(headSize)
                .maxPositions(200)
                .tiedHead(random.nextBoolean())
                .queryKeyValueBias(random.nextBoolean())
                .outputBias(random.nextBoolean())
                .feedForwardBias(random.nextBoolean())
                .queryKeyNorm(random.nextBoolean())
                .slidingWindow(
                        random.nextBoolean()
                                ? OptionalInt.of(3 + random.nextInt(6))
                                : OptionalInt.empty())
                .firstWindowLayer(random.nextInt(layers))
                .form(BlockForm.llama().with(scores(random.nextBoolean())))
                .build();
    }

    /// Returns an architecture with experts in some of three layers.
    public static DecoderConfig experts(SplittableRandom random) {
        int count = 2 + random.nextInt(9);
        boolean biases = random.split().nextBoolean();
        var experts =
                new Experts(
                        count,
                        1 + random.nextInt(Math.min(count, 4)),
                        5 + random.nextInt(40),
                        random.nextBoolean(),
                        biases,
                        random.nextBoolean()
                                ? OptionalInt.of(5 + random.nextInt(60))
                                : OptionalInt.empty(),
                        1 + random.nextInt(2),
                        random.nextBoolean() ? Set.of(2) : Set.of());
        return config(random).toBuilder()
                .layers(3)
                .feedForwardBias(false)
                .form(form(experts))
                .build();
    }

    /// Returns Llama's form with experts; if they have biases, also with bounded gates and attention sinks, as in gpt-oss.
    private static BlockForm form(Experts experts) {
        var bounds = Optional.of(new BoundedGate(1.7, 0.5)).filter(_ -> experts.biases());
        return BlockForm.llama()
                .with(new FeedForward(Activation.SILU, true, bounds, Optional.of(experts)))
                .with(scores(experts.biases()));
    }

    private static Scores scores(boolean sinks) {
        return new Scores(OptionalDouble.empty(), OptionalDouble.empty(), sinks);
    }

    /// Returns an architecture with two layers, shared key heads and no other special parts.
    public static DecoderConfig plain() {
        return DecoderConfig.builder()
                .vocabularySize(VOCABULARY)
                .hiddenSize(32)
                .intermediateSize(40)
                .layers(2)
                .heads(4)
                .keyValueHeads(2)
                .maxPositions(120)
                .tiedHead(true)
                .firstWindowLayer(2)
                .build();
    }

    /// Returns [#plain] with experts in gpt-oss's form, and a window in the second layer.
    public static DecoderConfig plainExperts() {
        var experts = new Experts(5, 2, 20, true, true, OptionalInt.empty(), 1, Set.of());
        return plain().toBuilder()
                .form(form(experts))
                .slidingWindow(OptionalInt.of(7))
                .firstWindowLayer(1)
                .build();
    }

    /// Returns a target with a network.
    public static TargetModel target(DeviceNetwork network) {
        var config = network.config();
        return new NetworkTarget(
                new TargetDescription(
                        "tiny",
                        "tornado/f32",
                        config.vocabularySize(),
                        config.hiddenSize(),
                        config.layers(),
                        config.maxPositions(),
                        0,
                        Set.of(),
                        "00"),
                new LetterTokenizer(config.vocabularySize()),
                network,
                0,
                () -> 0);
    }
}
