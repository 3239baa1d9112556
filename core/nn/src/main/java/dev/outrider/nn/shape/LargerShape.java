package dev.outrider.nn.shape;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.shape.SmallModel.Kind;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The sizes of a small checkpoint and those of the shape that it is set into.
///
/// The residual stream of the small model is the first numbers of the larger one. The number after them, [#marker], is a
/// small constant, so that the head can give every token that the small model does not have a logit far below all others.
/// An RMS norm divides by the root of the mean over more numbers, so its weights are multiplied by [#normFactor] and its
/// epsilon becomes [#epsilon]; the marker's square is part of that epsilon.
///
/// @param own    sizes of the small checkpoint; those of layers are zero if it has no decoder layers
/// @param larger the larger shape
record LargerShape(Sizes own, Sizes larger) {
    /// Constant in the residual stream: its square is half of what the small norm's epsilon adds.
    private static final double MARKER_SHARE = 0.5;

    /// Sizes of a decoder of the Llama form.
    ///
    /// @param epsilon of norms
    /// @param theta   base of the rotary embedding
    record Sizes(
            int vocabulary,
            int hidden,
            int intermediate,
            int layers,
            int heads,
            int keyValueHeads,
            int headSize,
            double epsilon,
            double theta) {
        static Sizes of(DecoderConfig config) {
            return new Sizes(
                    config.vocabularySize(),
                    config.hiddenSize(),
                    config.intermediateSize(),
                    config.layers(),
                    config.heads(),
                    config.keyValueHeads(),
                    config.headSize(),
                    config.normEpsilon(),
                    config.ropeTheta());
        }

        /// Returns the sizes of heads that have no layers of a decoder.
        static Sizes ofHeads(int vocabulary, int hidden) {
            return new Sizes(vocabulary, hidden, 0, 0, 0, 0, 0, 1e-6, 0);
        }
    }

    /// Returns the reason why a checkpoint does not fit into a shape; empty if it fits.
    static Optional<String> lack(SmallModel small, DecoderConfig larger) {
        if (small.kind() == Kind.MODEL && larger.tiedHead() && !small.tied()) {
            return Optional.of(
                    "it has a head of its own, and the head of the shape is its embedding");
        }
        var own = small.sizes();
        var room = Sizes.of(larger);
        int keyValueHeads =
                own.heads > 0 ? own.keyValueHeads * new LargerShape(own, room).copies() : 0;
        return Stream.of(
                        lack("hidden size", own.hidden + 1, room.hidden),
                        lack("vocabulary", own.vocabulary, room.vocabulary),
                        lack("intermediate size", own.intermediate, room.intermediate),
                        lack("layers", own.layers, room.layers),
                        lack("head size", own.headSize, room.headSize),
                        lack("key-value heads", keyValueHeads, room.keyValueHeads))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> lack(String what, int needed, int room) {
        return needed > room
                ? Optional.of("it needs %s %d, and the shape has %d".formatted(what, needed, room))
                : Optional.empty();
    }

    /// Returns the number of larger key-value heads that get the numbers of a small one, because a larger head serves fewer
    /// queries.
    private int copies() {
        int wanted = own.heads / own.keyValueHeads;
        int served = larger.heads / larger.keyValueHeads;
        return (wanted + served - 1) / served;
    }

    /// Returns the index of the constant in the residual stream.
    int marker() {
        return own.hidden;
    }

    /// Returns the constant, a number that bfloat16 can represent.
    float markerValue() {
        double exact = Math.sqrt(own.hidden * own.epsilon * MARKER_SHARE);
        return Float.intBitsToFloat(Float.floatToIntBits((float) exact) & 0xFFFF0000);
    }

    /// Returns the epsilon of the larger model's norms.
    double epsilon() {
        double marker = markerValue();
        return (own.hidden * own.epsilon - marker * marker) / larger.hidden;
    }

    /// Returns the factor of the weights of norms over the hidden size.
    double normFactor() {
        return Math.sqrt((double) own.hidden / larger.hidden);
    }

    /// Returns the factor of the weights of norms over a head of the keys; the weights of queries do not change, because scores are
    /// divided by the root of the head size.
    double headNormFactor() {
        return Math.sqrt((double) own.headSize / larger.headSize);
    }

    /// Returns the base of the rotary embedding that rotates the small heads' pairs as fast as before.
    double theta() {
        return Math.pow(own.theta, (double) larger.headSize / own.headSize);
    }

    Axis hidden() {
        return Axis.corner(own.hidden, larger.hidden);
    }

    Axis vocabulary() {
        return Axis.corner(own.vocabulary, larger.vocabulary);
    }

    Axis intermediate() {
        return Axis.corner(own.intermediate, larger.intermediate);
    }

    Axis head() {
        return Axis.heads(new int[][] {{0}}, own.headSize, larger.headSize, 1);
    }

    /// Returns the axis of queries: the queries of a small key-value head go to the larger heads of its copies, in order.
    Axis queries() {
        int group = own.heads / own.keyValueHeads;
        int served = larger.heads / larger.keyValueHeads;
        var heads =
                IntStream.range(0, own.heads)
                        .mapToObj(head -> {
                            int within = head % group;
                            int copy = head / group * copies() + within / served;
                            return new int[] {copy * served + within % served};
                        })
                        .toArray(int[][]::new);
        return Axis.heads(heads, own.headSize, larger.headSize, larger.heads);
    }

    /// Returns the axis of keys or values.
    Axis keyValues() {
        var heads =
                IntStream.range(0, own.keyValueHeads)
                        .mapToObj(head ->
                                IntStream.range(head * copies(), (head + 1) * copies()).toArray())
                        .toArray(int[][]::new);
        return Axis.heads(heads, own.headSize, larger.headSize, larger.keyValueHeads);
    }

    /// Writes the larger sizes over those that an object has, for every part of the model. The number of layers is not among them.
    void replaceSizes(ObjectNode config) {
        replace(config, "vocab_size", larger.vocabulary);
        replace(config, "draft_vocab_size", larger.vocabulary);
        replace(config, "hidden_size", larger.hidden);
        replace(config, "target_hidden_size", larger.hidden);
        if (config.has("exit_dim")) {
            int width = config.get("exit_dim").asInt() / own.hidden;
            config.put("exit_dim", width * larger.hidden);
        }
    }

    private static void replace(ObjectNode config, String key, int value) {
        if (config.has(key)) {
            config.put(key, value);
        }
    }

    /// Writes the larger sizes into the object that describes a decoder's layers, also sizes that it left to defaults.
    void putDecoder(ObjectNode config) {
        config.put("vocab_size", larger.vocabulary);
        config.put("hidden_size", larger.hidden);
        config.put("intermediate_size", larger.intermediate);
        config.put("num_attention_heads", larger.heads);
        config.put("num_key_value_heads", larger.keyValueHeads);
        config.put("head_dim", larger.headSize);
        config.put("rms_norm_eps", epsilon());
        config.remove(List.of("rope_parameters", "rope_scaling"));
        config.put("rope_theta", theta());
    }
}
