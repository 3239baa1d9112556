package dev.outrider.nn.network;

import dev.outrider.nn.network.FusionConfig.Switch;
import dev.outrider.nn.network.Positions.Learned;
import dev.outrider.nn.network.Positions.Relative;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/// The weights of a decoder, including those of a draft layer's input. Linear weights have shape `[out, in]`.
public enum Weight {
    EMBEDDING(Place.ONCE, Kind.TENSOR),
    FINAL_NORM(Place.ONCE, Kind.NORM),
    HEAD(Place.ONCE, Kind.LINEAR),
    INPUT_NORM(Place.LAYER, Kind.NORM),
    QUERY(Place.LAYER, Kind.LINEAR),
    KEY(Place.LAYER, Kind.LINEAR),
    VALUE(Place.LAYER, Kind.LINEAR),
    QUERY_BIAS(Place.LAYER, Kind.TENSOR),
    KEY_BIAS(Place.LAYER, Kind.TENSOR),
    VALUE_BIAS(Place.LAYER, Kind.TENSOR),
    QUERY_NORM(Place.LAYER, Kind.NORM),
    KEY_NORM(Place.LAYER, Kind.NORM),
    OUTPUT(Place.LAYER, Kind.LINEAR),
    OUTPUT_BIAS(Place.LAYER, Kind.TENSOR),
    FEED_FORWARD_NORM(Place.LAYER, Kind.NORM),
    GATE(Place.LAYER, Kind.LINEAR),
    UP(Place.LAYER, Kind.LINEAR),
    DOWN(Place.LAYER, Kind.LINEAR),
    GATE_BIAS(Place.LAYER, Kind.TENSOR),
    UP_BIAS(Place.LAYER, Kind.TENSOR),
    DOWN_BIAS(Place.LAYER, Kind.TENSOR),
    /// Joins embedding and feature.
    JOIN(Place.ONCE, Kind.LINEAR),
    JOIN_BIAS(Place.ONCE, Kind.TENSOR),
    /// Computes the feature from the captured states.
    REDUCTION(Place.ONCE, Kind.LINEAR),
    /// Norms of the captured states, concatenated.
    CAPTURED_NORM(Place.ONCE, Kind.NORM),
    EMBEDDING_NORM(Place.ONCE, Kind.NORM),
    FEATURE_NORM(Place.ONCE, Kind.NORM),
    /// Norm of a wide layer's second half.
    STREAM_NORM(Place.LAYER, Kind.NORM),
    /// Learned vectors of positions.
    POSITIONS(Place.ONCE, Kind.TENSOR),
    /// The bias that a head adds to its scores, per bucket of distances.
    RELATIVE_BIAS(Place.ONCE, Kind.TENSOR),
    /// Norm of the embedding, before the first layer.
    START_NORM(Place.ONCE, Kind.NORM),
    START_NORM_BIAS(Place.ONCE, Kind.TENSOR),
    INPUT_NORM_BIAS(Place.LAYER, Kind.TENSOR),
    /// Norm of the attention to the source.
    CROSS_NORM(Place.LAYER, Kind.NORM),
    CROSS_NORM_BIAS(Place.LAYER, Kind.TENSOR),
    CROSS_QUERY(Place.LAYER, Kind.LINEAR),
    CROSS_KEY(Place.LAYER, Kind.LINEAR),
    CROSS_VALUE(Place.LAYER, Kind.LINEAR),
    CROSS_OUTPUT(Place.LAYER, Kind.LINEAR),
    CROSS_QUERY_BIAS(Place.LAYER, Kind.TENSOR),
    CROSS_KEY_BIAS(Place.LAYER, Kind.TENSOR),
    CROSS_VALUE_BIAS(Place.LAYER, Kind.TENSOR),
    CROSS_OUTPUT_BIAS(Place.LAYER, Kind.TENSOR),
    FEED_FORWARD_NORM_BIAS(Place.LAYER, Kind.TENSOR),
    /// Norm of attention's result.
    OUTPUT_NORM(Place.LAYER, Kind.NORM),
    /// Norm of the feed-forward layer's result.
    DOWN_NORM(Place.LAYER, Kind.NORM),
    FINAL_NORM_BIAS(Place.ONCE, Kind.TENSOR),
    HEAD_BIAS(Place.ONCE, Kind.TENSOR),
    /// Scores experts. It is not among the matrices in few bits: a changed choice of experts costs more than the saved bytes.
    ROUTER(Place.LAYER, Kind.TENSOR),
    EXPERT_GATE(Place.EXPERT, Kind.LINEAR),
    EXPERT_UP(Place.EXPERT, Kind.LINEAR),
    EXPERT_DOWN(Place.EXPERT, Kind.LINEAR),
    /// Gate of the shared expert, which every row activates.
    SHARED_GATE(Place.LAYER, Kind.LINEAR),
    SHARED_UP(Place.LAYER, Kind.LINEAR),
    SHARED_DOWN(Place.LAYER, Kind.LINEAR),
    /// Gives the factor of the shared expert's output.
    SHARED_EXPERT_GATE(Place.LAYER, Kind.TENSOR),
    ROUTER_BIAS(Place.LAYER, Kind.TENSOR),
    EXPERT_GATE_BIAS(Place.EXPERT, Kind.TENSOR),
    EXPERT_UP_BIAS(Place.EXPERT, Kind.TENSOR),
    EXPERT_DOWN_BIAS(Place.EXPERT, Kind.TENSOR),
    /// Learned scores of heads that take part in the softmax of attention.
    SINKS(Place.LAYER, Kind.TENSOR);

    private final Place place;
    private final Kind kind;

    private enum Place {
        ONCE,
        LAYER,
        EXPERT
    }

    private enum Kind {
        TENSOR,
        LINEAR,
        NORM
    }

    Weight(Place place, Kind kind) {
        this.place = place;
        this.kind = kind;
    }

    /// Returns whether there is one per layer, or one per expert of a layer.
    public boolean perLayer() {
        return place != Place.ONCE;
    }

    /// Returns whether there is one per expert of a layer. Its number then counts experts, those of a layer after those of the
    /// layer before; layers without experts count as if they had them.
    public boolean perExpert() {
        return place == Place.EXPERT;
    }

    /// Returns how many numbers there are: more than weights if some layers have none.
    public int copies(DecoderConfig config) {
        return switch (place) {
            case ONCE -> 1;
            case LAYER -> config.layers();
            case EXPERT -> Math.multiplyExact(config.layers(), experts(config));
        };
    }

    /// Returns the number of the first weight in a layer.
    public int first(DecoderConfig config, int layer) {
        return perExpert() ? Math.multiplyExact(layer, experts(config)) : layer;
    }

    /// Returns the layer of a number.
    int layer(DecoderConfig config, int number) {
        return perExpert() ? number / Math.max(1, experts(config)) : number;
    }

    private static int experts(DecoderConfig config) {
        return config.form().feedForward().experts().map(Experts::count).orElse(0);
    }

    /// Returns whether it is the factor of a norm.
    public boolean norm() {
        return kind == Kind.NORM;
    }

    /// Returns whether it is a matrix that multiplies rows.
    public boolean linear() {
        return kind == Kind.LINEAR;
    }

    /// Returns whether a decoder of this configuration has it in some layer. A tied head is the embedding and not a separate
    /// weight.
    public boolean present(DecoderConfig config) {
        if (!perLayer()) {
            return present(config, 0);
        }
        if (config.form().feedForward().experts().isPresent()) {
            return IntStream.range(0, config.layers())
                    .anyMatch(layer -> present(config, first(config, layer)));
        }
        // All layers after the second have the same weights as the second.
        return present(config, 0) || config.layers() > 1 && present(config, 1);
    }

    /// Returns whether a layer of such a decoder has it.
    ///
    /// @param number of the layer or the expert, from 0; 0 for weights that are not per layer
    public boolean present(DecoderConfig config, int number) {
        int layer = layer(config, number);
        var fusion = config.fusion();
        var form = config.form();
        boolean decodes = config.part() != Part.ENCODER;
        boolean biased = form.norms().kind() == BlockForm.NormKind.LAYER;
        boolean sparse = config.sparse(layer);
        boolean framed = form.norms().place() != BlockForm.NormPlace.RESULT;
        return switch (this) {
            case HEAD ->
                    decodes
                            && fusion.map(each -> each.has(Switch.OWN_HEAD))
                                    .orElse(!config.tiedHead());
            case EMBEDDING ->
                    decodes && fusion.map(each -> each.has(Switch.OWN_EMBEDDING)).orElse(true);
            case FINAL_NORM ->
                    fusion.map(each -> each.has(Switch.OUTPUT_NORM)).orElse(form.norms().last());
            case INPUT_NORM -> fusion.map(input -> input.inputNorm(layer)).orElse(framed);
            case QUERY_BIAS, KEY_BIAS, VALUE_BIAS -> config.queryKeyValueBias();
            case QUERY_NORM, KEY_NORM -> config.queryKeyNorm();
            case OUTPUT_BIAS -> config.outputBias();
            case UP_BIAS, DOWN_BIAS -> config.feedForwardBias();
            case GATE -> form.feedForward().gated() && !sparse;
            case GATE_BIAS -> form.feedForward().gated() && config.feedForwardBias();
            case QUERY, KEY, VALUE, OUTPUT -> true;
            case UP, DOWN -> !sparse;
            case FEED_FORWARD_NORM -> framed;
            case OUTPUT_NORM, DOWN_NORM -> form.norms().place().results();
            case JOIN -> holds(fusion, input -> input.join().projected());
            case JOIN_BIAS -> holds(fusion, each -> each.has(Switch.JOIN_BIAS));
            case REDUCTION -> holds(fusion, each -> each.has(Switch.REDUCTION));
            case CAPTURED_NORM ->
                    holds(fusion, input -> input.capturedNorm() != FusionConfig.CapturedNorm.NONE);
            case EMBEDDING_NORM -> holds(fusion, each -> each.has(Switch.EMBEDDING_NORM));
            case FEATURE_NORM -> holds(fusion, each -> each.has(Switch.FEATURE_NORM));
            case STREAM_NORM -> holds(fusion, input -> input.wide(layer));
            case POSITIONS -> form.positions() instanceof Learned;
            case RELATIVE_BIAS -> form.positions() instanceof Relative;
            case START_NORM -> form.norms().embedding();
            case START_NORM_BIAS -> form.norms().embedding() && biased;
            case INPUT_NORM_BIAS, FEED_FORWARD_NORM_BIAS -> framed && biased;
            case FINAL_NORM_BIAS -> form.norms().last() && biased;
            case CROSS_NORM, CROSS_QUERY, CROSS_KEY, CROSS_VALUE, CROSS_OUTPUT -> config.crosses();
            case CROSS_NORM_BIAS -> config.crosses() && biased;
            case CROSS_QUERY_BIAS, CROSS_KEY_BIAS, CROSS_VALUE_BIAS ->
                    config.crosses() && config.queryKeyValueBias();
            case CROSS_OUTPUT_BIAS -> config.crosses() && config.outputBias();
            case HEAD_BIAS -> form.scales().headBias();
            case ROUTER, EXPERT_GATE, EXPERT_UP, EXPERT_DOWN -> sparse;
            case SHARED_GATE, SHARED_UP, SHARED_DOWN, SHARED_EXPERT_GATE ->
                    sparse && form.feedForward().experts().orElseThrow().sharedSize().isPresent();
            case ROUTER_BIAS, EXPERT_GATE_BIAS, EXPERT_UP_BIAS, EXPERT_DOWN_BIAS ->
                    sparse && form.feedForward().experts().orElseThrow().biases();
            case SINKS -> form.scores().sinks();
        };
    }

    /// Returns the sizes of its dimensions.
    ///
    /// @param number of the layer or the expert, from 0; 0 for weights that are not per layer
    public long[] shape(DecoderConfig config, int number) {
        int layer = layer(config, number);
        long hidden = config.hiddenSize();
        long inner = config.intermediateSize();
        long queries = (long) config.heads() * config.headSize();
        long keys = (long) config.keyValueHeads() * config.headSize();
        var fusion = config.fusion();
        long input = holds(fusion, some -> some.wide(layer)) ? 2 * hidden : hidden;
        long asked = holds(fusion, each -> each.has(Switch.GATED_QUERIES)) ? 2 * queries : queries;
        long expert =
                config.form().feedForward().experts().map(Experts::intermediateSize).orElse(0);
        long everyones = config.form().feedForward().experts().flatMap(Weight::shared).orElse(0);
        long captured = fusion.map(FusionConfig::capturedWidth).orElse(0);
        return switch (this) {
            case EMBEDDING -> new long[] {config.vocabularySize(), hidden};
            case HEAD ->
                    new long[] {
                        fusion.map(FusionConfig::headSize).orElse(config.vocabularySize()), hidden
                    };
            case FINAL_NORM,
                    INPUT_NORM,
                    FEED_FORWARD_NORM,
                    OUTPUT_BIAS,
                    DOWN_BIAS,
                    JOIN_BIAS,
                    EMBEDDING_NORM,
                    FEATURE_NORM,
                    STREAM_NORM,
                    START_NORM,
                    START_NORM_BIAS,
                    INPUT_NORM_BIAS,
                    CROSS_NORM,
                    CROSS_NORM_BIAS,
                    CROSS_OUTPUT_BIAS,
                    FEED_FORWARD_NORM_BIAS,
                    OUTPUT_NORM,
                    DOWN_NORM,
                    FINAL_NORM_BIAS,
                    EXPERT_DOWN_BIAS ->
                    new long[] {hidden};
            case QUERY -> new long[] {asked, input};
            case KEY, VALUE -> new long[] {keys, input};
            case CROSS_QUERY -> new long[] {queries, hidden};
            case CROSS_KEY, CROSS_VALUE -> new long[] {keys, hidden};
            case CROSS_QUERY_BIAS -> new long[] {queries};
            case CROSS_KEY_BIAS, CROSS_VALUE_BIAS -> new long[] {keys};
            case CROSS_OUTPUT -> new long[] {hidden, queries};
            case POSITIONS ->
                    new long[] {
                        config.form().positions() instanceof Learned(int rows, _) ? rows : 0, hidden
                    };
            case RELATIVE_BIAS ->
                    new long[] {
                        config.form().positions() instanceof Relative(int buckets, _) ? buckets : 0,
                        config.heads()
                    };
            case HEAD_BIAS -> new long[] {1, config.vocabularySize()};
            case QUERY_BIAS -> new long[] {asked};
            case KEY_BIAS, VALUE_BIAS -> new long[] {keys};
            case QUERY_NORM ->
                    new long[] {config.form().norms().wholeQueries() ? queries : config.headSize()};
            case KEY_NORM ->
                    new long[] {config.form().norms().wholeQueries() ? keys : config.headSize()};
            case OUTPUT -> new long[] {hidden, queries};
            case GATE, UP -> new long[] {inner, hidden};
            case DOWN -> new long[] {hidden, inner};
            case GATE_BIAS, UP_BIAS -> new long[] {inner};
            case JOIN -> new long[] {hidden, 2 * hidden};
            case REDUCTION -> new long[] {hidden, captured};
            case CAPTURED_NORM -> new long[] {captured};
            case ROUTER -> new long[] {experts(config), hidden};
            case EXPERT_GATE, EXPERT_UP -> new long[] {expert, hidden};
            case EXPERT_DOWN -> new long[] {hidden, expert};
            case SHARED_GATE, SHARED_UP -> new long[] {everyones, hidden};
            case SHARED_DOWN -> new long[] {hidden, everyones};
            case SHARED_EXPERT_GATE -> new long[] {1, hidden};
            case ROUTER_BIAS -> new long[] {experts(config)};
            case EXPERT_GATE_BIAS, EXPERT_UP_BIAS -> new long[] {expert};
            case SINKS -> new long[] {config.heads()};
        };
    }

    /// Returns the number of elements.
    ///
    /// @param number of the layer or the expert, from 0; 0 for weights that are not per layer
    /// @throws ArithmeticException beyond 64 bits
    public long elements(DecoderConfig config, int number) {
        long product = 1;
        for (long size : shape(config, number)) {
            product = Math.multiplyExact(product, size);
        }
        return product;
    }

    /// Returns the number of a decoder's parameters.
    ///
    /// @throws ArithmeticException beyond 64 bits
    public static long parameters(DecoderConfig config) {
        long sum = 0;
        for (var weight : values()) {
            int copies = weight.copies(config);
            for (int number = 0; number < copies; number++) {
                if (weight.present(config, number)) {
                    sum = Math.addExact(sum, weight.elements(config, number));
                }
            }
        }
        return sum;
    }

    private static Optional<Integer> shared(Experts experts) {
        return experts.sharedSize().stream().boxed().findFirst();
    }

    private static boolean holds(Optional<FusionConfig> fusion, Predicate<FusionConfig> what) {
        return fusion.filter(what).isPresent();
    }
}
