package dev.outrider.training;

import dev.outrider.nn.architecture.Family;
import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.DecoderConfig;
import java.util.Optional;

/// The sizes of a Llama-style decoder to be trained.
///
/// @param vocabularySize     token ids; at least 2
/// @param hiddenSize         width of the residual stream
/// @param layers             decoder layers
/// @param heads              query heads; `heads * headDimension` may differ from `hiddenSize`
/// @param keyValueHeads      key and value heads; divides `heads`
/// @param headDimension      size of a head; even
/// @param feedForwardSize    inner width of the SwiGLU block
/// @param maxPositions       longest context the finished model declares
/// @param ropeTheta          base of the rotary frequencies
/// @param normEpsilon        added to the mean square in RMSNorm
/// @param tiedEmbeddings     whether the output matrix is the embedding matrix
/// @param mixture            experts in place of the feed-forward layers, whose `feedForwardSize` is then not used
public record DecoderShape(
        int vocabularySize,
        int hiddenSize,
        int layers,
        int heads,
        int keyValueHeads,
        int headDimension,
        int feedForwardSize,
        int maxPositions,
        double ropeTheta,
        double normEpsilon,
        boolean tiedEmbeddings,
        Optional<MixtureShape> mixture) {
    /// A dense decoder.
    public DecoderShape(
            int vocabularySize,
            int hiddenSize,
            int layers,
            int heads,
            int keyValueHeads,
            int headDimension,
            int feedForwardSize,
            int maxPositions,
            double ropeTheta,
            double normEpsilon,
            boolean tiedEmbeddings) {
        this(
                vocabularySize,
                hiddenSize,
                layers,
                heads,
                keyValueHeads,
                headDimension,
                feedForwardSize,
                maxPositions,
                ropeTheta,
                normEpsilon,
                tiedEmbeddings,
                Optional.empty());
    }

    public DecoderShape {
        requirePositive("vocabularySize", vocabularySize);
        requirePositive("hiddenSize", hiddenSize);
        requirePositive("layers", layers);
        requirePositive("heads", heads);
        requirePositive("keyValueHeads", keyValueHeads);
        requirePositive("headDimension", headDimension);
        requirePositive("feedForwardSize", feedForwardSize);
        requirePositive("maxPositions", maxPositions);
        if (heads % keyValueHeads != 0) {
            throw new IllegalArgumentException(
                    "keyValueHeads (%d) does not divide heads (%d)"
                            .formatted(keyValueHeads, heads));
        }
        if (headDimension % 2 != 0) {
            throw new IllegalArgumentException(
                    "headDimension (%d) is odd; rotary positions need pairs"
                            .formatted(headDimension));
        }
        if (!(ropeTheta > 0) || !(normEpsilon > 0)) {
            throw new IllegalArgumentException(
                    "ropeTheta (%s) and normEpsilon (%s) must be positive"
                            .formatted(ropeTheta, normEpsilon));
        }
    }

    /// The shape of a decoder, if it is one of these: dense, and Llama's in everything.
    static Optional<DecoderShape> of(DecoderConfig config) {
        if (config.headSize() % 2 != 0) {
            return Optional.empty();
        }
        var shape =
                new DecoderShape(
                        config.vocabularySize(),
                        config.hiddenSize(),
                        config.layers(),
                        config.heads(),
                        config.keyValueHeads(),
                        config.headSize(),
                        config.intermediateSize(),
                        config.maxPositions(),
                        config.ropeTheta(),
                        config.normEpsilon(),
                        config.tiedHead());
        return Optional.of(shape).filter(each -> each.decoder().equals(config));
    }

    /// How many numbers are trained.
    public long parameters() {
        long attention = (long) hiddenSize * headDimension * (2L * heads + 2L * keyValueHeads);
        long layer = attention + feedForward() + 2L * hiddenSize;
        long embedding = (long) vocabularySize * hiddenSize;
        return embedding * (tiedEmbeddings ? 1 : 2) + layers * layer + hiddenSize;
    }

    private long feedForward() {
        return mixture.map(each ->
                        each.experts() * (3L * hiddenSize * each.feedForwardSize() + hiddenSize))
                .orElse(3L * hiddenSize * feedForwardSize);
    }

    /// The finished model's architecture.
    DecoderConfig decoder() {
        return DecoderConfig.builder()
                .vocabularySize(vocabularySize)
                .hiddenSize(hiddenSize)
                .intermediateSize(
                        mixture.map(MixtureShape::feedForwardSize).orElse(feedForwardSize))
                .layers(layers)
                .heads(heads)
                .keyValueHeads(keyValueHeads)
                .headSize(headDimension)
                .maxPositions(maxPositions)
                .normEpsilon(normEpsilon)
                .tiedHead(tiedEmbeddings)
                .ropeTheta(ropeTheta)
                .form(
                        mixture.map(each -> BlockForm.mixture(each.layers()))
                                .orElseGet(BlockForm::llama))
                .build();
    }

    /// The family whose layout the finished model has.
    Family family() {
        return mixture.isPresent() ? Family.MIXTRAL : Family.LLAMA;
    }

    static void requirePositive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(
                    "%s is %d; expected at least 1".formatted(name, value));
        }
    }
}
