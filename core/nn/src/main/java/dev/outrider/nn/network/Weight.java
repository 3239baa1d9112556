package dev.outrider.nn.network;

/// The weights of a decoder. Linear weights have shape `[out, in]`.
public enum Weight {
    EMBEDDING,
    FINAL_NORM,
    HEAD,
    INPUT_NORM,
    QUERY,
    KEY,
    VALUE,
    QUERY_BIAS,
    KEY_BIAS,
    VALUE_BIAS,
    QUERY_NORM,
    KEY_NORM,
    OUTPUT,
    OUTPUT_BIAS,
    FEED_FORWARD_NORM,
    GATE,
    UP,
    DOWN,
    GATE_BIAS,
    UP_BIAS,
    DOWN_BIAS;

    /// Whether there is one per layer.
    public boolean perLayer() {
        return compareTo(HEAD) > 0;
    }

    /// Whether a decoder of this configuration has it. A tied head is the embedding and none of its own.
    public boolean present(DecoderConfig config) {
        return switch (this) {
            case HEAD -> !config.tiedHead();
            case QUERY_BIAS, KEY_BIAS, VALUE_BIAS -> config.queryKeyValueBias();
            case QUERY_NORM, KEY_NORM -> config.queryKeyNorm();
            case OUTPUT_BIAS -> config.outputBias();
            case GATE_BIAS, UP_BIAS, DOWN_BIAS -> config.feedForwardBias();
            case EMBEDDING,
                    FINAL_NORM,
                    INPUT_NORM,
                    QUERY,
                    KEY,
                    VALUE,
                    OUTPUT,
                    FEED_FORWARD_NORM,
                    GATE,
                    UP,
                    DOWN ->
                    true;
        };
    }

    /// Sizes of its dimensions.
    public long[] shape(DecoderConfig config) {
        long hidden = config.hiddenSize();
        long inner = config.intermediateSize();
        long queries = (long) config.heads() * config.headSize();
        long keys = (long) config.keyValueHeads() * config.headSize();
        return switch (this) {
            case EMBEDDING, HEAD -> new long[] {config.vocabularySize(), hidden};
            case FINAL_NORM, INPUT_NORM, FEED_FORWARD_NORM, OUTPUT_BIAS, DOWN_BIAS ->
                    new long[] {hidden};
            case QUERY -> new long[] {queries, hidden};
            case KEY, VALUE -> new long[] {keys, hidden};
            case QUERY_BIAS -> new long[] {queries};
            case KEY_BIAS, VALUE_BIAS -> new long[] {keys};
            case QUERY_NORM, KEY_NORM -> new long[] {config.headSize()};
            case OUTPUT -> new long[] {hidden, queries};
            case GATE, UP -> new long[] {inner, hidden};
            case DOWN -> new long[] {hidden, inner};
            case GATE_BIAS, UP_BIAS -> new long[] {inner};
        };
    }

    /// Number of elements.
    public long elements(DecoderConfig config) {
        long product = 1;
        for (long size : shape(config)) {
            product *= size;
        }
        return product;
    }

    /// Parameters of a decoder.
    public static long parameters(DecoderConfig config) {
        long sum = 0;
        for (var weight : values()) {
            if (weight.present(config)) {
                sum += weight.elements(config) * (weight.perLayer() ? config.layers() : 1);
            }
        }
        return sum;
    }
}
