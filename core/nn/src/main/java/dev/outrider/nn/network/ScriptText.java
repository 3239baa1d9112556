package dev.outrider.nn.network;

import dev.outrider.nn.runtime.PrepackedLinear;

/// The text of a stack's TorchScript while it is written, and the expressions that all its parts are made of.
final class ScriptText {
    /// Weights of a layer in the order of the script's list; matrices may be prepacked. What experts have follows.
    enum Slot {
        INPUT_NORM,
        QUERY_KEY_VALUE,
        OUTPUT,
        FEED_FORWARD_NORM,
        GATE_UP,
        DOWN,
        QUERY_KEY_VALUE_BIAS,
        OUTPUT_BIAS,
        GATE_UP_BIAS,
        DOWN_BIAS,
        QUERY_KEY_NORM,
        STREAM_NORM,
        INPUT_NORM_BIAS,
        FEED_FORWARD_NORM_BIAS,
        CROSS_NORM,
        CROSS_NORM_BIAS,
        CROSS_QUERY,
        CROSS_QUERY_BIAS,
        CROSS_KEY_VALUE,
        CROSS_KEY_VALUE_BIAS,
        CROSS_OUTPUT,
        CROSS_OUTPUT_BIAS,
        OUTPUT_NORM,
        DOWN_NORM,
        ROUTER,
        SHARED_GATE_UP,
        SHARED_DOWN,
        SHARED_EXPERT_GATE,
        ROUTER_BIAS,
        SINKS
    }

    /// Weights outside the layers in the order of the script's list.
    enum Shared {
        EMBEDDING,
        FINAL_NORM,
        HEAD,
        COSINES,
        SIGNED_SINES,
        JOIN,
        JOIN_BIAS,
        REDUCTION,
        CAPTURED_NORM,
        EMBEDDING_NORM,
        FEATURE_NORM,
        FINAL_NORM_BIAS,
        HEAD_BIAS,
        POSITIONS,
        RELATIVE_BIAS,
        START_NORM,
        START_NORM_BIAS,
        LOCAL_COSINES,
        LOCAL_SIGNED_SINES
    }

    private final DecoderConfig config;
    private final LinearKind kind;
    private final StringBuilder source = new StringBuilder();

    ScriptText(DecoderConfig config, LinearKind kind) {
        this.config = config;
        this.kind = kind;
    }

    /// A whole method.
    void method(String signature, String... lines) {
        begin(signature);
        for (var text : lines) {
            line(text);
        }
    }

    /// The first line of a method.
    void begin(String signature) {
        source.append("  def ").append(signature).append(":\n");
    }

    /// A line of the method that was begun last.
    void line(String text) {
        source.append("    ").append(text).append('\n');
    }

    /// `x`, divided by the root of the mean square of its last `size` numbers.
    String norm(String x, int size, String weight) {
        return "torch.rms_norm(%s, [%d], %s, %s)".formatted(x, size, weight, config.normEpsilon());
    }

    /// The stream `x`, normed as the stack's blocks do.
    String norm(String x, Slot weight, Slot bias) {
        return norm(x, slot(weight), slot(bias));
    }

    /// The stream `x`, normed as the stack's blocks do.
    String norm(String x, Shared weight, Shared bias) {
        return norm(x, shared(weight), shared(bias));
    }

    private String norm(String x, String weight, String bias) {
        return switch (config.form().norms().kind()) {
            case RMS -> norm(x, config.hiddenSize(), weight);
            case LAYER ->
                    "torch.layer_norm(%s, [%d], %s, %s, %s)"
                            .formatted(x, config.hiddenSize(), weight, bias, config.normEpsilon());
        };
    }

    /// `x` times a matrix, with a bias or without.
    String linear(String x, String matrix, String bias, boolean hasBias) {
        if (kind.prepacked()) {
            return PrepackedLinear.expression(x, matrix, hasBias ? bias : "None");
        }
        return "torch.linear(%s, %s%s)".formatted(x, matrix, hasBias ? ", " + bias : "");
    }

    /// `x` times a matrix of the layer at hand.
    String linear(String x, Slot matrix, Slot bias, boolean hasBias) {
        return linear(x, slot(matrix), slot(bias), hasBias);
    }

    /// The sum of something and [#linear].
    String linearPlus(String x, String added, Slot matrix, Slot bias, boolean hasBias) {
        if (kind.prepacked()) {
            return PrepackedLinear.sum(added, x, slot(matrix), hasBias ? slot(bias) : "None");
        }
        return "torch.add(%s, %s)".formatted(added, linear(x, matrix, bias, hasBias));
    }

    /// Logits of `x`.
    String head(String x) {
        boolean biased = config.form().scales().headBias();
        var matrix = shared(Shared.HEAD);
        var bias = shared(Shared.HEAD_BIAS);
        return kind.headPrepacked()
                ? PrepackedLinear.expression(x, matrix, biased ? bias : "None")
                : "torch.linear(%s, %s%s)".formatted(x, matrix, biased ? ", " + bias : "");
    }

    /// The code of the script's number format.
    int type() {
        return kind.type().torchCode();
    }

    /// A weight outside the layers.
    static String shared(Shared weight) {
        return "shared[%d]".formatted(weight.ordinal());
    }

    /// A weight of the layer at hand.
    static String slot(Slot slot) {
        return "w[%d]".formatted(slot.ordinal());
    }

    @Override
    public String toString() {
        return source.toString();
    }
}
