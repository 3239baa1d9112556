package dev.outrider.nn.network;

import dev.outrider.nn.network.BlockForm.LayerKind;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/// The architecture of a stack of layers, as far as a forward pass depends on it: a decoder, or the encoder or the decoder of an
/// encoder-decoder.
///
/// @param vocabularySize    number of tokens V
/// @param hiddenSize        width of the residual stream
/// @param intermediateSize  width of a feed-forward layer that is no expert
/// @param layers            number of layers
/// @param heads             number of query heads
/// @param keyValueHeads     number of key-value heads; divides `heads`
/// @param headSize          width of a head
/// @param maxPositions      longest sequence
/// @param normEpsilon       what the norms add to the mean square
/// @param tiedHead          whether the head is the embedding
/// @param queryKeyValueBias whether these projections have biases
/// @param outputBias        whether the attention's output projection has one
/// @param feedForwardBias   whether gate, up and down have them
/// @param queryKeyNorm      whether queries and keys pass an RMS norm per head before they are rotated
/// @param slidingWindow     positions a row sees in windowed layers, its own included
/// @param firstWindowLayer  first layer with the window
/// @param rotarySize        first numbers of a head that are rotated, an even number
/// @param ropeTheta         base of the rotary frequencies
/// @param localRopeTheta    base of those of layers that see a window, which then are not scaled; the same as all if it is not given
/// @param ropeScaling       how they are changed for long sequences
/// @param fusion            for a draft layer: how its input is made of embeddings and features
/// @param form              what its blocks are made of
/// @param part              what it is in its model
public record DecoderConfig(
        int vocabularySize,
        int hiddenSize,
        int intermediateSize,
        int layers,
        int heads,
        int keyValueHeads,
        int headSize,
        int maxPositions,
        double normEpsilon,
        boolean tiedHead,
        boolean queryKeyValueBias,
        boolean outputBias,
        boolean feedForwardBias,
        boolean queryKeyNorm,
        OptionalInt slidingWindow,
        int firstWindowLayer,
        int rotarySize,
        double ropeTheta,
        OptionalDouble localRopeTheta,
        RopeScaling ropeScaling,
        Optional<FusionConfig> fusion,
        BlockForm form,
        Part part) {
    public DecoderConfig {
        requirePositive("vocabularySize", vocabularySize);
        requirePositive("hiddenSize", hiddenSize);
        requirePositive("intermediateSize", intermediateSize);
        requirePositive("layers", layers);
        requirePositive("heads", heads);
        requirePositive("keyValueHeads", keyValueHeads);
        requirePositive("headSize", headSize);
        requirePositive("maxPositions", maxPositions);
        if (heads % keyValueHeads != 0) {
            throw new IllegalArgumentException(
                    "%d heads cannot share %d key-value heads".formatted(heads, keyValueHeads));
        }
        if (form.rotary() && rotarySize % 2 != 0) {
            throw new IllegalArgumentException(
                    "headSize %d is odd, but rotation takes pairs".formatted(rotarySize));
        }
        if (rotarySize > headSize) {
            throw new IllegalArgumentException(
                    "rotarySize %d is above headSize %d".formatted(rotarySize, headSize));
        }
        localRopeTheta.ifPresent(DecoderConfig::requireBase);
        if (!(normEpsilon >= 0 && normEpsilon < 1)) {
            throw new IllegalArgumentException(
                    "normEpsilon %s is not in [0, 1)".formatted(normEpsilon));
        }
        requireBase(ropeTheta);
        if (!form.kinds().isEmpty() && form.kinds().size() != layers) {
            throw new IllegalArgumentException(
                    "kinds of %d layers for %d".formatted(form.kinds().size(), layers));
        }
        if (form.kinds().contains(LayerKind.LOCAL) && slidingWindow.isEmpty()) {
            throw new IllegalArgumentException("local layers need a window");
        }
        if (ropeScaling instanceof RopeScaling.LongRope rope
                && (rope.shorter().size() != rotarySize / 2
                        || rope.longer().size() != rotarySize / 2)) {
            throw new IllegalArgumentException(
                    "%d short and %d long factors for %d pairs of a head"
                            .formatted(
                                    rope.shorter().size(), rope.longer().size(), rotarySize / 2));
        }
        if (form.experts().isPresent() && (part != Part.DECODER || feedForwardBias)) {
            throw new IllegalArgumentException("experts are in decoders alone, and have no biases");
        }
        int count = form.experts().map(Experts::count).orElse(0);
        if ((long) count * layers >= Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "%d layers of %d experts are too many".formatted(layers, count));
        }
        if (slidingWindow.isPresent()) {
            requirePositive("slidingWindow", slidingWindow.getAsInt());
        }
        if (fusion.isPresent()) {
            fusion.get().check(hiddenSize);
        }
        if (fusion.isPresent()
                && !(part == Part.DECODER && plain(form, fusion.get()) && rotarySize == headSize)) {
            throw new IllegalArgumentException(
                    "a draft layer has blocks as in Llama, not %s of part %s"
                            .formatted(form, part));
        }
        if (form.positions() instanceof Positions.Learned(int rows, int offset)
                && maxPositions > rows - offset) {
            throw new IllegalArgumentException(
                    "%d positions do not fit a table of %d rows from row %d on"
                            .formatted(maxPositions, rows, offset));
        }
        if (form.positions() instanceof Positions.Sinusoidal && hiddenSize % 2 != 0) {
            throw new IllegalArgumentException(
                    "hiddenSize %d is odd, but sines and cosines share it".formatted(hiddenSize));
        }
    }

    /// Whether blocks are as in Llama; layers of a context may see a window each.
    private static boolean plain(BlockForm form, FusionConfig fusion) {
        return fusion.join() == FusionConfig.Join.CONTEXT
                ? form.toBuilder().kinds(List.of()).build().equals(BlockForm.llama())
                : form.equals(BlockForm.llama());
    }

    /// {@return a builder that knows the usual values}
    public static DecoderConfigBuilder builder() {
        return new DecoderConfigBuilder();
    }

    /// {@return a builder that starts from this decoder}
    public DecoderConfigBuilder toBuilder() {
        var builder = new DecoderConfigBuilder();
        if (rotarySize != headSize) {
            builder.rotarySize(rotarySize);
        }
        return builder.vocabularySize(vocabularySize)
                .hiddenSize(hiddenSize)
                .intermediateSize(intermediateSize)
                .layers(layers)
                .heads(heads)
                .keyValueHeads(keyValueHeads)
                .headSize(headSize)
                .maxPositions(maxPositions)
                .normEpsilon(normEpsilon)
                .tiedHead(tiedHead)
                .queryKeyValueBias(queryKeyValueBias)
                .outputBias(outputBias)
                .feedForwardBias(feedForwardBias)
                .queryKeyNorm(queryKeyNorm)
                .slidingWindow(slidingWindow)
                .firstWindowLayer(firstWindowLayer)
                .ropeTheta(ropeTheta)
                .localRopeTheta(localRopeTheta)
                .ropeScaling(ropeScaling)
                .fusion(fusion)
                .form(form)
                .part(part);
    }

    /// The same decoder for sequences of at most `limit` tokens.
    public DecoderConfig limitedTo(int limit) {
        return stretchedTo(Math.min(limit, maxPositions));
    }

    /// The same decoder for sequences of exactly `positions` tokens. Rotary angles are computed, so a layer can
    /// run beyond the length it was trained for.
    public DecoderConfig stretchedTo(int positions) {
        return toBuilder().maxPositions(positions).build();
    }

    /// The same decoder as a draft layer.
    public DecoderConfig fused(FusionConfig with) {
        return toBuilder().fusion(Optional.of(with)).build();
    }

    /// What sees a layer's keys and how it rotates.
    public LayerKind kind(int layer) {
        return form.kinds().isEmpty() ? LayerKind.GLOBAL : form.kinds().get(layer);
    }

    /// What scores are multiplied by.
    public float scoreScale() {
        return (float) form.scoreScale().orElse(1 / Math.sqrt(headSize));
    }

    private static void requireBase(double theta) {
        if (!(theta > 1) || Double.isInfinite(theta)) {
            throw new IllegalArgumentException("ropeTheta %s is not above 1".formatted(theta));
        }
    }

    private static void requirePositive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException("%s %d is not positive".formatted(name, value));
        }
    }

    /// Positions a row sees in a layer, its own included; empty means all.
    public OptionalInt window(int layer) {
        if (!form.kinds().isEmpty()) {
            return form.kinds().get(layer) == LayerKind.LOCAL ? slidingWindow : OptionalInt.empty();
        }
        return layer >= firstWindowLayer ? slidingWindow : OptionalInt.empty();
    }

    /// Whether its blocks are those of Llama, and it is a decoder alone.
    public boolean plain() {
        return part == Part.DECODER
                && form.equals(BlockForm.llama())
                && rotarySize == headSize
                && localRopeTheta.isEmpty();
    }

    /// Whether a layer has experts.
    public boolean sparse(int layer) {
        return form.experts().isPresent() && form.experts().get().in(layer);
    }

    /// Whether its layers attend to a source.
    public boolean crosses() {
        return part == Part.CROSS_DECODER;
    }
}
