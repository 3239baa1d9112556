package dev.outrider.nn.network;

import dev.outrider.common.Require;
import dev.outrider.nn.network.BlockForm.LayerKind;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/// The architecture of a stack of layers, as far as a forward pass depends on it: a decoder, or the encoder or the decoder of an
/// encoder-decoder.
///
/// @param vocabularySize number of tokens V
/// @param hiddenSize     width of the residual stream
/// @param layers         number of layers
/// @param maxPositions   longest sequence
/// @param normEpsilon    added to the mean square by the norms
/// @param tiedHead       whether the head is the embedding
/// @param attention      heads, and which keys a layer sees
/// @param feedForward    shape of feed-forward layers without experts
/// @param rotation       rotary positions; without effect if [BlockForm#positions] is another scheme
/// @param fusion         for a draft layer: how its input is computed from embeddings and features
/// @param form           structure of the blocks
/// @param part           role of the stack in its model
public record DecoderConfig(
        int vocabularySize,
        int hiddenSize,
        int layers,
        int maxPositions,
        double normEpsilon,
        boolean tiedHead,
        Attention attention,
        FeedForward feedForward,
        Rotation rotation,
        Optional<FusionConfig> fusion,
        BlockForm form,
        Part part) {
    /// Shape of attention.
    ///
    /// @param heads             number of query heads
    /// @param keyValueHeads     number of key-value heads; divides `heads`
    /// @param headSize          width of a head
    /// @param queryKeyValueBias whether these projections have biases
    /// @param outputBias        whether the output projection has one
    /// @param queryKeyNorm      whether queries and keys pass an RMS norm before they are rotated
    /// @param slidingWindow     positions that a row sees in windowed layers, its own included
    /// @param firstWindowLayer  first layer with the window
    public record Attention(
            int heads,
            int keyValueHeads,
            int headSize,
            boolean queryKeyValueBias,
            boolean outputBias,
            boolean queryKeyNorm,
            OptionalInt slidingWindow,
            int firstWindowLayer) {
        public Attention {
            requirePositive("heads", heads);
            requirePositive("keyValueHeads", keyValueHeads);
            requirePositive("headSize", headSize);
            Require.that(
                    heads % keyValueHeads == 0,
                    "%d heads cannot share %d key-value heads",
                    heads,
                    keyValueHeads);
            slidingWindow.ifPresent(window -> requirePositive("slidingWindow", window));
        }
    }

    /// Shape of feed-forward layers.
    ///
    /// @param intermediateSize width
    /// @param bias             whether gate, up and down have biases
    public record FeedForward(int intermediateSize, boolean bias) {
        public FeedForward {
            requirePositive("intermediateSize", intermediateSize);
        }
    }

    /// Rotary positions.
    ///
    /// @param size       number of rotated numbers of a head, from the first; even
    /// @param theta      base of the frequencies
    /// @param localTheta base in layers that see a window, where frequencies are not scaled; if empty, all layers have the same base
    /// @param scaling    change of the frequencies for long sequences
    public record Rotation(int size, double theta, OptionalDouble localTheta, RopeScaling scaling) {
        public Rotation {
            requireBase(theta);
            localTheta.ifPresent(Rotation::requireBase);
            if (scaling instanceof RopeScaling.LongRope rope
                    && (rope.shorter().size() != size / 2 || rope.longer().size() != size / 2)) {
                throw new IllegalArgumentException(
                        "%d short and %d long factors for %d pairs of a head"
                                .formatted(rope.shorter().size(), rope.longer().size(), size / 2));
            }
        }

        private static void requireBase(double theta) {
            Require.that(
                    theta > 1 && !Double.isInfinite(theta), "ropeTheta %s is not above 1", theta);
        }
    }

    public DecoderConfig {
        requirePositive("vocabularySize", vocabularySize);
        requirePositive("hiddenSize", hiddenSize);
        requirePositive("layers", layers);
        requirePositive("maxPositions", maxPositions);
        Require.that(
                !form.rotary() || rotation.size() % 2 == 0,
                "headSize %d is odd, but rotation takes pairs",
                rotation.size());
        Require.that(
                rotation.size() <= attention.headSize(),
                "rotarySize %d is above headSize %d",
                rotation.size(),
                attention.headSize());
        Require.that(
                normEpsilon >= 0 && normEpsilon < 1,
                "normEpsilon %s is not in [0, 1)",
                normEpsilon);
        Require.that(
                form.kinds().isEmpty() || form.kinds().size() == layers,
                "kinds of %d layers for %d",
                form.kinds().size(),
                layers);
        Require.that(
                !form.kinds().contains(LayerKind.LOCAL) || attention.slidingWindow().isPresent(),
                "local layers need a window");
        var experts = form.feedForward().experts();
        Require.that(
                experts.isEmpty() || part == Part.DECODER && !feedForward.bias(),
                "experts are in decoders alone, and have no biases");
        int count = experts.map(Experts::count).orElse(0);
        Require.that(
                (long) count * layers < Integer.MAX_VALUE,
                "%d layers of %d experts are too many",
                layers,
                count);
        if (fusion.isPresent()) {
            fusion.get().check(hiddenSize);
            var like =
                    fusion.get().join() == FusionConfig.Join.CONTEXT
                            ? form.withKinds(List.of())
                            : form;
            Require.that(
                    part == Part.DECODER
                            && like.equals(BlockForm.llama())
                            && rotation.size() == attention.headSize(),
                    "a draft layer has blocks as in Llama, not %s of part %s",
                    form,
                    part);
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

    /// {@return a builder with the usual values}
    public static DecoderConfigBuilder builder() {
        return new DecoderConfigBuilder();
    }

    /// {@return a builder that starts from this decoder}
    public DecoderConfigBuilder toBuilder() {
        return new DecoderConfigBuilder(this);
    }

    /// Returns the same decoder for sequences of at most `limit` tokens.
    public DecoderConfig limitedTo(int limit) {
        return stretchedTo(Math.min(limit, maxPositions));
    }

    /// Returns the same decoder for sequences of exactly `positions` tokens. Rotary angles can be computed for any position, so a
    /// layer can run beyond the length it was trained for.
    ///
    /// @throws IllegalArgumentException if these angles would depend on a text's length
    public DecoderConfig stretchedTo(int positions) {
        if (ropeScaling() instanceof RopeScaling.Dynamic(_, int most) && positions > most) {
            throw new IllegalArgumentException(
                    "%d positions, but its dynamic rotation is known for at most %d"
                            .formatted(positions, most));
        }
        return toBuilder().maxPositions(positions).build();
    }

    /// Returns the same decoder as a draft layer.
    public DecoderConfig fused(FusionConfig with) {
        return toBuilder().fusion(Optional.of(with)).build();
    }

    /// Returns which keys a layer sees and whether it rotates.
    public LayerKind kind(int layer) {
        return form.kinds().isEmpty() ? LayerKind.GLOBAL : form.kinds().get(layer);
    }

    /// Returns the factor of scores: `1 / sqrt(headSize)` unless the form has its own.
    public float scoreScale() {
        return (float) form.scores().scale().orElse(1 / Math.sqrt(headSize()));
    }

    /// Positions a row sees in a layer, its own included; empty means all.
    public OptionalInt window(int layer) {
        boolean windowed =
                form.kinds().isEmpty()
                        ? layer >= firstWindowLayer()
                        : kind(layer) == LayerKind.LOCAL;
        return windowed ? slidingWindow() : OptionalInt.empty();
    }

    /// Returns whether its blocks are those of Llama, and it is a decoder alone.
    public boolean plain() {
        return part == Part.DECODER
                && form.equals(BlockForm.llama())
                && rotarySize() == headSize()
                && localRopeTheta().isEmpty();
    }

    /// Returns whether a layer has experts.
    public boolean sparse(int layer) {
        var experts = form.feedForward().experts();
        return experts.isPresent() && experts.get().in(layer);
    }

    /// Returns whether its layers attend to a source.
    public boolean crosses() {
        return part == Part.CROSS_DECODER;
    }

    /// Returns the number of query heads.
    public int heads() {
        return attention.heads();
    }

    /// Returns the number of key-value heads.
    public int keyValueHeads() {
        return attention.keyValueHeads();
    }

    /// Returns the width of a head.
    public int headSize() {
        return attention.headSize();
    }

    /// Returns whether the projections to queries, keys and values have biases.
    public boolean queryKeyValueBias() {
        return attention.queryKeyValueBias();
    }

    /// Returns whether attention's output projection has a bias.
    public boolean outputBias() {
        return attention.outputBias();
    }

    /// Returns whether queries and keys pass an RMS norm before they are rotated.
    public boolean queryKeyNorm() {
        return attention.queryKeyNorm();
    }

    /// Positions that a row sees in windowed layers.
    public OptionalInt slidingWindow() {
        return attention.slidingWindow();
    }

    /// Returns the first layer with the window.
    public int firstWindowLayer() {
        return attention.firstWindowLayer();
    }

    /// Returns the width of a feed-forward layer without experts.
    public int intermediateSize() {
        return feedForward.intermediateSize();
    }

    /// Returns whether gate, up and down have biases.
    public boolean feedForwardBias() {
        return feedForward.bias();
    }

    /// Returns the number of rotated numbers of a head, from the first.
    public int rotarySize() {
        return rotation.size();
    }

    /// Returns the base of the rotary frequencies.
    public double ropeTheta() {
        return rotation.theta();
    }

    /// Returns the base of the rotary frequencies of layers that see a window, if these layers have their own.
    public OptionalDouble localRopeTheta() {
        return rotation.localTheta();
    }

    /// Returns the change of the rotary frequencies for long sequences.
    public RopeScaling ropeScaling() {
        return rotation.scaling();
    }

    private static void requirePositive(String name, int value) {
        Require.that(value >= 1, "%s %d is not positive", name, value);
    }
}
