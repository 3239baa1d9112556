package dev.outrider.nn.network;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/// Builds a [DecoderConfig]. The defaults are the values of most decoders: no biases, no window, a head that is not tied, rotary
/// frequencies without scaling.
public final class DecoderConfigBuilder {
    private int vocabularySize;
    private int hiddenSize;
    private int intermediateSize;
    private int layers;
    private int heads;
    private OptionalInt keyValueHeads = OptionalInt.empty();
    private OptionalInt headSize = OptionalInt.empty();
    private int maxPositions;
    private double normEpsilon = 1e-5;
    private boolean tiedHead;
    private boolean queryKeyValueBias;
    private boolean outputBias;
    private boolean feedForwardBias;
    private boolean queryKeyNorm;
    private OptionalInt slidingWindow = OptionalInt.empty();
    private int firstWindowLayer;
    private OptionalInt rotarySize = OptionalInt.empty();
    private double ropeTheta = 10_000;
    private OptionalDouble localRopeTheta = OptionalDouble.empty();
    private RopeScaling ropeScaling = new RopeScaling.Unscaled();
    private Optional<FusionConfig> fusion = Optional.empty();
    private BlockForm form = BlockForm.llama();
    private Part part = Part.DECODER;

    DecoderConfigBuilder() {}

    DecoderConfigBuilder(DecoderConfig from) {
        vocabularySize = from.vocabularySize();
        hiddenSize = from.hiddenSize();
        intermediateSize = from.intermediateSize();
        layers = from.layers();
        heads = from.heads();
        keyValueHeads = OptionalInt.of(from.keyValueHeads());
        headSize = OptionalInt.of(from.headSize());
        maxPositions = from.maxPositions();
        normEpsilon = from.normEpsilon();
        tiedHead = from.tiedHead();
        queryKeyValueBias = from.queryKeyValueBias();
        outputBias = from.outputBias();
        feedForwardBias = from.feedForwardBias();
        queryKeyNorm = from.queryKeyNorm();
        slidingWindow = from.slidingWindow();
        firstWindowLayer = from.firstWindowLayer();
        rotarySize =
                from.rotarySize() == from.headSize()
                        ? OptionalInt.empty()
                        : OptionalInt.of(from.rotarySize());
        ropeTheta = from.ropeTheta();
        localRopeTheta = from.localRopeTheta();
        ropeScaling = from.ropeScaling();
        fusion = from.fusion();
        form = from.form();
        part = from.part();
    }

    /// Returns the number of tokens V.
    public DecoderConfigBuilder vocabularySize(int value) {
        vocabularySize = value;
        return this;
    }

    /// Sets the width of the residual stream.
    public DecoderConfigBuilder hiddenSize(int value) {
        hiddenSize = value;
        return this;
    }

    /// Sets the width of the feed-forward layer.
    public DecoderConfigBuilder intermediateSize(int value) {
        intermediateSize = value;
        return this;
    }

    /// Sets the number of layers.
    public DecoderConfigBuilder layers(int value) {
        layers = value;
        return this;
    }

    /// Sets the number of query heads.
    public DecoderConfigBuilder heads(int value) {
        heads = value;
        return this;
    }

    /// Sets the number of key-value heads; as many as query heads unless set.
    public DecoderConfigBuilder keyValueHeads(int value) {
        keyValueHeads = OptionalInt.of(value);
        return this;
    }

    /// Sets the width of a head; the hidden size over the heads unless set.
    public DecoderConfigBuilder headSize(int value) {
        headSize = OptionalInt.of(value);
        return this;
    }

    /// Sets the longest sequence.
    public DecoderConfigBuilder maxPositions(int value) {
        maxPositions = value;
        return this;
    }

    /// Sets the epsilon that the RMS norms add to the mean square; 1e-5 unless set.
    public DecoderConfigBuilder normEpsilon(double value) {
        normEpsilon = value;
        return this;
    }

    /// Sets whether the head is the embedding.
    public DecoderConfigBuilder tiedHead(boolean value) {
        tiedHead = value;
        return this;
    }

    /// Sets whether these projections have biases.
    public DecoderConfigBuilder queryKeyValueBias(boolean value) {
        queryKeyValueBias = value;
        return this;
    }

    /// Sets whether the attention's output projection has a bias.
    public DecoderConfigBuilder outputBias(boolean value) {
        outputBias = value;
        return this;
    }

    /// Sets whether gate, up and down have biases.
    public DecoderConfigBuilder feedForwardBias(boolean value) {
        feedForwardBias = value;
        return this;
    }

    /// Sets whether queries and keys pass an RMS norm per head before they are rotated.
    public DecoderConfigBuilder queryKeyNorm(boolean value) {
        queryKeyNorm = value;
        return this;
    }

    /// Positions a row sees in windowed layers, its own included.
    public DecoderConfigBuilder slidingWindow(OptionalInt value) {
        slidingWindow = value;
        return this;
    }

    /// Sets the first layer with the window.
    public DecoderConfigBuilder firstWindowLayer(int value) {
        firstWindowLayer = value;
        return this;
    }

    /// Sets the number of rotated numbers of a head, from the first; all unless set.
    public DecoderConfigBuilder rotarySize(int value) {
        rotarySize = OptionalInt.of(value);
        return this;
    }

    /// Sets the base of the rotary frequencies of layers that see a window; that of all layers unless set.
    public DecoderConfigBuilder localRopeTheta(OptionalDouble value) {
        localRopeTheta = value;
        return this;
    }

    /// Sets the base of the rotary frequencies; 10,000 unless set.
    public DecoderConfigBuilder ropeTheta(double value) {
        ropeTheta = value;
        return this;
    }

    /// Sets the change of the frequencies for long sequences.
    public DecoderConfigBuilder ropeScaling(RopeScaling value) {
        ropeScaling = value;
        return this;
    }

    /// Sets how a draft layer computes its input from embeddings and features.
    public DecoderConfigBuilder fusion(Optional<FusionConfig> value) {
        fusion = value;
        return this;
    }

    /// Sets the form of the blocks; as in Llama unless set.
    public DecoderConfigBuilder form(BlockForm value) {
        form = value;
        return this;
    }

    /// Sets the part that this stack has in its model; a decoder alone unless set.
    public DecoderConfigBuilder part(Part value) {
        part = value;
        return this;
    }

    /// {@return the decoder}
    ///
    /// @throws IllegalArgumentException if sizes are missing or do not fit each other
    public DecoderConfig build() {
        int head = headSize.orElse(hiddenSize / Math.max(heads, 1));
        return new DecoderConfig(
                vocabularySize,
                hiddenSize,
                layers,
                maxPositions,
                normEpsilon,
                tiedHead,
                new DecoderConfig.Attention(
                        heads,
                        keyValueHeads.orElse(heads),
                        head,
                        queryKeyValueBias,
                        outputBias,
                        queryKeyNorm,
                        slidingWindow,
                        firstWindowLayer),
                new DecoderConfig.FeedForward(intermediateSize, feedForwardBias),
                new DecoderConfig.Rotation(
                        rotarySize.orElse(head), ropeTheta, localRopeTheta, ropeScaling),
                fusion,
                part == Part.ENCODER ? form.withoutHead() : form,
                part);
    }
}
