package dev.outrider.nn.network;

import dev.outrider.nn.network.FusionConfig.Switch;
import dev.outrider.nn.network.Positions.Learned;
import dev.outrider.nn.network.Positions.Relative;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToLongBiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The weights of a decoder, including those of a draft layer's input. Linear weights have shape `[out, in]`.
public enum Weight {
    EMBEDDING(Place.ONCE, Kind.TENSOR, Size.VOCABULARY, Size.HIDDEN),
    FINAL_NORM(Place.ONCE, Kind.NORM, Size.HIDDEN),
    HEAD(Place.ONCE, Kind.LINEAR, Size.LOGITS, Size.HIDDEN),
    INPUT_NORM(Place.LAYER, Kind.NORM, Size.HIDDEN),
    QUERY(Place.LAYER, Kind.LINEAR, Size.GATED_QUERIES, Size.INPUT),
    KEY(Place.LAYER, Kind.LINEAR, Size.KEYS, Size.INPUT),
    VALUE(Place.LAYER, Kind.LINEAR, Size.KEYS, Size.INPUT),
    QUERY_BIAS(Place.LAYER, Kind.TENSOR, Size.GATED_QUERIES),
    KEY_BIAS(Place.LAYER, Kind.TENSOR, Size.KEYS),
    VALUE_BIAS(Place.LAYER, Kind.TENSOR, Size.KEYS),
    QUERY_NORM(Place.LAYER, Kind.NORM, Size.NORMED_QUERIES),
    KEY_NORM(Place.LAYER, Kind.NORM, Size.NORMED_KEYS),
    OUTPUT(Place.LAYER, Kind.LINEAR, Size.HIDDEN, Size.QUERIES),
    OUTPUT_BIAS(Place.LAYER, Kind.TENSOR, Size.HIDDEN),
    FEED_FORWARD_NORM(Place.LAYER, Kind.NORM, Size.HIDDEN),
    GATE(Place.LAYER, Kind.LINEAR, Size.INNER, Size.HIDDEN),
    UP(Place.LAYER, Kind.LINEAR, Size.INNER, Size.HIDDEN),
    DOWN(Place.LAYER, Kind.LINEAR, Size.HIDDEN, Size.INNER),
    GATE_BIAS(Place.LAYER, Kind.TENSOR, Size.INNER),
    UP_BIAS(Place.LAYER, Kind.TENSOR, Size.INNER),
    DOWN_BIAS(Place.LAYER, Kind.TENSOR, Size.HIDDEN),
    /// Joins embedding and feature.
    JOIN(Place.ONCE, Kind.LINEAR, Size.HIDDEN, Size.TWICE_HIDDEN),
    JOIN_BIAS(Place.ONCE, Kind.TENSOR, Size.HIDDEN),
    /// Computes the feature from the captured states.
    REDUCTION(Place.ONCE, Kind.LINEAR, Size.HIDDEN, Size.CAPTURED),
    /// Norms of the captured states, concatenated.
    CAPTURED_NORM(Place.ONCE, Kind.NORM, Size.CAPTURED),
    EMBEDDING_NORM(Place.ONCE, Kind.NORM, Size.HIDDEN),
    FEATURE_NORM(Place.ONCE, Kind.NORM, Size.HIDDEN),
    /// Norm of a wide layer's second half.
    STREAM_NORM(Place.LAYER, Kind.NORM, Size.HIDDEN),
    /// Learned vectors of positions.
    POSITIONS(Place.ONCE, Kind.TENSOR, Size.POSITIONS, Size.HIDDEN),
    /// The bias that a head adds to its scores, per bucket of distances.
    RELATIVE_BIAS(Place.ONCE, Kind.TENSOR, Size.BUCKETS, Size.HEADS),
    /// Norm of the embedding, before the first layer.
    START_NORM(Place.ONCE, Kind.NORM, Size.HIDDEN),
    START_NORM_BIAS(Place.ONCE, Kind.TENSOR, Size.HIDDEN),
    INPUT_NORM_BIAS(Place.LAYER, Kind.TENSOR, Size.HIDDEN),
    /// Norm of the attention to the source.
    CROSS_NORM(Place.LAYER, Kind.NORM, Size.HIDDEN),
    CROSS_NORM_BIAS(Place.LAYER, Kind.TENSOR, Size.HIDDEN),
    CROSS_QUERY(Place.LAYER, Kind.LINEAR, Size.QUERIES, Size.HIDDEN),
    CROSS_KEY(Place.LAYER, Kind.LINEAR, Size.KEYS, Size.HIDDEN),
    CROSS_VALUE(Place.LAYER, Kind.LINEAR, Size.KEYS, Size.HIDDEN),
    CROSS_OUTPUT(Place.LAYER, Kind.LINEAR, Size.HIDDEN, Size.QUERIES),
    CROSS_QUERY_BIAS(Place.LAYER, Kind.TENSOR, Size.QUERIES),
    CROSS_KEY_BIAS(Place.LAYER, Kind.TENSOR, Size.KEYS),
    CROSS_VALUE_BIAS(Place.LAYER, Kind.TENSOR, Size.KEYS),
    CROSS_OUTPUT_BIAS(Place.LAYER, Kind.TENSOR, Size.HIDDEN),
    FEED_FORWARD_NORM_BIAS(Place.LAYER, Kind.TENSOR, Size.HIDDEN),
    /// Norm of attention's result.
    OUTPUT_NORM(Place.LAYER, Kind.NORM, Size.HIDDEN),
    /// Norm of the feed-forward layer's result.
    DOWN_NORM(Place.LAYER, Kind.NORM, Size.HIDDEN),
    FINAL_NORM_BIAS(Place.ONCE, Kind.TENSOR, Size.HIDDEN),
    HEAD_BIAS(Place.ONCE, Kind.TENSOR, Size.ONE, Size.VOCABULARY),
    /// Scores experts. It is not among the matrices in few bits: a changed choice of experts costs more than the saved bytes.
    ROUTER(Place.LAYER, Kind.TENSOR, Size.EXPERTS, Size.HIDDEN),
    EXPERT_GATE(Place.EXPERT, Kind.LINEAR, Size.EXPERT, Size.HIDDEN),
    EXPERT_UP(Place.EXPERT, Kind.LINEAR, Size.EXPERT, Size.HIDDEN),
    EXPERT_DOWN(Place.EXPERT, Kind.LINEAR, Size.HIDDEN, Size.EXPERT),
    /// Gate of the shared expert, which every row activates.
    SHARED_GATE(Place.LAYER, Kind.LINEAR, Size.SHARED, Size.HIDDEN),
    SHARED_UP(Place.LAYER, Kind.LINEAR, Size.SHARED, Size.HIDDEN),
    SHARED_DOWN(Place.LAYER, Kind.LINEAR, Size.HIDDEN, Size.SHARED),
    /// Gives the factor of the shared expert's output.
    SHARED_EXPERT_GATE(Place.LAYER, Kind.TENSOR, Size.ONE, Size.HIDDEN),
    ROUTER_BIAS(Place.LAYER, Kind.TENSOR, Size.EXPERTS),
    EXPERT_GATE_BIAS(Place.EXPERT, Kind.TENSOR, Size.EXPERT),
    EXPERT_UP_BIAS(Place.EXPERT, Kind.TENSOR, Size.EXPERT),
    EXPERT_DOWN_BIAS(Place.EXPERT, Kind.TENSOR, Size.HIDDEN),
    /// Learned scores of heads that take part in the softmax of attention.
    SINKS(Place.LAYER, Kind.TENSOR, Size.HEADS);

    private final Place place;
    private final Kind kind;
    private final Size[] sizes;

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

    /// A dimension, by the layer too where layers differ.
    private enum Size {
        ONE((_, _) -> 1),
        VOCABULARY((config, _) -> config.vocabularySize()),
        LOGITS((config, _) ->
                config.fusion().map(FusionConfig::headSize).orElse(config.vocabularySize())),
        HIDDEN((config, _) -> config.hiddenSize()),
        TWICE_HIDDEN((config, _) -> 2L * config.hiddenSize()),
        INPUT((config, layer) ->
                (holds(config, each -> each.wide(layer)) ? 2L : 1L) * config.hiddenSize()),
        INNER((config, _) -> config.intermediateSize()),
        HEADS((config, _) -> config.heads()),
        QUERIES((config, _) -> (long) config.heads() * config.headSize()),
        KEYS((config, _) -> (long) config.keyValueHeads() * config.headSize()),
        GATED_QUERIES((config, layer) ->
                (holds(config, each -> each.has(Switch.GATED_QUERIES)) ? 2 : 1)
                        * QUERIES.of(config, layer)),
        NORMED_QUERIES((config, layer) -> normed(config, QUERIES, layer)),
        NORMED_KEYS((config, layer) -> normed(config, KEYS, layer)),
        POSITIONS((config, _) ->
                config.form().positions() instanceof Learned(int rows, _) ? rows : 0),
        BUCKETS((config, _) ->
                config.form().positions() instanceof Relative(int buckets, _) ? buckets : 0),
        CAPTURED((config, _) -> config.fusion().map(FusionConfig::capturedWidth).orElse(0)),
        EXPERTS((config, _) -> experts(config)),
        EXPERT((config, _) ->
                config.form().feedForward().experts().map(Experts::intermediateSize).orElse(0)),
        SHARED((config, _) ->
                config.form().feedForward().experts().flatMap(Weight::shared).orElse(0));

        private final ToLongBiFunction<DecoderConfig, Integer> formula;

        Size(ToLongBiFunction<DecoderConfig, Integer> formula) {
            this.formula = formula;
        }

        long of(DecoderConfig config, int layer) {
            return formula.applyAsLong(config, layer);
        }

        private static long normed(DecoderConfig config, Size whole, int layer) {
            return config.form().norms().wholeQueries()
                    ? whole.of(config, layer)
                    : config.headSize();
        }
    }

    Weight(Place place, Kind kind, Size... sizes) {
        this.place = place;
        this.kind = kind;
        this.sizes = sizes;
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
            case JOIN -> holds(config, input -> input.join().projected());
            case JOIN_BIAS -> holds(config, each -> each.has(Switch.JOIN_BIAS));
            case REDUCTION -> holds(config, each -> each.has(Switch.REDUCTION));
            case CAPTURED_NORM ->
                    holds(config, input -> input.capturedNorm() != FusionConfig.CapturedNorm.NONE);
            case EMBEDDING_NORM -> holds(config, each -> each.has(Switch.EMBEDDING_NORM));
            case FEATURE_NORM -> holds(config, each -> each.has(Switch.FEATURE_NORM));
            case STREAM_NORM -> holds(config, input -> input.wide(layer));
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
        return Stream.of(sizes).mapToLong(size -> size.of(config, layer)).toArray();
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

    private static boolean holds(DecoderConfig config, Predicate<FusionConfig> what) {
        return config.fusion().filter(what).isPresent();
    }
}
