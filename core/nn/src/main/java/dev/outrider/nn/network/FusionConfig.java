package dev.outrider.nn.network;

/// How a draft layer makes its input from a token's embedding and a feature of the position before, and where
/// it departs from an ordinary decoder. Every published drafter of this kind is a choice of these switches.
///
/// Shapes: h hidden size of the draft layer, t hidden size of the target, a captured states a row.
///
/// | drafter | join | reduction | norms |
/// |---|---|---|---|
/// | EAGLE-1, EAGLE-2 | projected, embedding first | no | none before or after the layer |
/// | EAGLE-3 | wide first layer | yes | `outputNorm`; the dialects' flags |
/// | DeepSeek-V3, GLM-4.5, Qwen3-Next | projected, embedding first | no | both halves, first input, output |
/// | MiMo | projected, hidden first | no | both halves, first input, output |
/// | DFlash, DSpark | context | yes | the feature's after the reduction, first input, output |
///
/// @param captured          how many of the target's states a row brings
/// @param targetHiddenSize  t
/// @param join              how embedding and feature meet
/// @param joinBias          whether the projection of the joined halves has a bias; projected joins only
/// @param reduction         whether a matrix `[h, a*t]` makes the feature from the captured states; without it a
///                          must be 1 and t equal h
/// @param capturedNorm      what is normalised before the reduction
/// @param embeddingNorm     whether the embedding passes a norm of its own before a projected join
/// @param featureNorm       whether the feature does; with a context after the reduction
/// @param firstInputNorm    whether the first layer has its input norm; projected joins only, wide layers always
///                          norm both halves
/// @param normedResidual    whether the residual stream of a wide first layer begins with the normed feature
/// @param outputNorm        whether the head reads the stream after a final norm
/// @param zeroCentredNorms  whether norms are stored as the difference from 1
/// @param gatedQueries      whether the query projection is doubled, per head query then gate, and the attention's
///                          output multiplied by the gate's sigmoid
/// @param maskFirstPosition whether the embedding at position 0 is zero
/// @param mutualWindows     whether rows of a pass see one another in layers with a window too; elsewhere they see there only those before
/// @param ownEmbedding      whether the layer has an embedding of its own; otherwise it reads the target's
/// @param ownHead           whether it has a head of its own; otherwise the target's
/// @param headSize          rows of the head: the draft vocabulary
/// @see "Li et al. 2024 (EAGLE), Li et al. 2025 (EAGLE-3), DeepSeek-AI 2024 (DeepSeek-V3), section 2.2"
public record FusionConfig(
        int captured,
        int targetHiddenSize,
        Join join,
        boolean joinBias,
        boolean reduction,
        CapturedNorm capturedNorm,
        boolean embeddingNorm,
        boolean featureNorm,
        boolean firstInputNorm,
        boolean normedResidual,
        boolean outputNorm,
        boolean zeroCentredNorms,
        boolean gatedQueries,
        boolean maskFirstPosition,
        boolean mutualWindows,
        boolean ownEmbedding,
        boolean ownHead,
        int headSize) {
    /// How embedding and feature meet.
    public enum Join {
        /// A matrix `[h, 2h]` over embedding, then feature.
        EMBEDDING_FIRST,
        /// A matrix `[h, 2h]` over feature, then embedding.
        FEATURE_FIRST,
        /// The first layer's attention reads both halves, embedding first, each after a norm.
        WIDE_FIRST_LAYER,
        /// Every layer's attention reads the embedding and the stream, each after a norm.
        WIDE_EVERY_LAYER,
        /// They meet in attention: features are keys and values of every layer, in the cache before the rows, which are tokens
        /// (DFlash).
        CONTEXT;

        /// Whether attention reads both halves.
        public boolean wide() {
            return this == WIDE_FIRST_LAYER || this == WIDE_EVERY_LAYER;
        }

        /// Whether a matrix joins both halves.
        boolean projected() {
            return this == EMBEDDING_FIRST || this == FEATURE_FIRST;
        }
    }

    /// What is normalised before the reduction.
    public enum CapturedNorm {
        NONE,
        /// One norm over all captured states together, `norm_before_fc`.
        JOINED,
        /// One norm per captured state, `fc_norm`.
        EACH
    }

    public FusionConfig {
        if (captured < 1 || targetHiddenSize < 1 || headSize < 1) {
            throw new IllegalArgumentException(
                    "captured %d, targetHiddenSize %d and headSize %d must be positive"
                            .formatted(captured, targetHiddenSize, headSize));
        }
        if (!reduction && (captured > 1 || capturedNorm != CapturedNorm.NONE)) {
            throw new IllegalArgumentException(
                    "%d captured states with norm %s need a reduction"
                            .formatted(captured, capturedNorm));
        }
        if (join.wide() && (joinBias || embeddingNorm || featureNorm || !firstInputNorm)) {
            throw new IllegalArgumentException(
                    "join %s has no projection: no bias, no norms before it, and the layer's own norms"
                            .formatted(join));
        }
        if (join == Join.CONTEXT && (joinBias || embeddingNorm || gatedQueries || !reduction)) {
            throw new IllegalArgumentException(
                    "join %s has a reduction, and no projection, embedding norm or gates"
                            .formatted(join));
        }
        if (join != Join.CONTEXT && mutualWindows) {
            throw new IllegalArgumentException(
                    "join %s has no rows that see one another".formatted(join));
        }
        if (!join.wide() && normedResidual) {
            throw new IllegalArgumentException(
                    "join %s has no feature in its residual stream".formatted(join));
        }
    }

    /// {@return a builder that knows the usual values}
    ///
    /// @param join             how embedding and feature meet
    /// @param targetHiddenSize t
    /// @param headSize         rows of the head
    public static FusionConfigBuilder builder(Join join, int targetHiddenSize, int headSize) {
        return new FusionConfigBuilder(join, targetHiddenSize, headSize);
    }

    /// The same with an embedding of its own, or with the target's.
    public FusionConfig withOwnEmbedding(boolean own) {
        return with(own, ownHead);
    }

    /// The same with a head of its own, or with the target's.
    public FusionConfig withOwnHead(boolean own) {
        return with(ownEmbedding, own);
    }

    private FusionConfig with(boolean embedding, boolean head) {
        return new FusionConfig(
                captured,
                targetHiddenSize,
                join,
                joinBias,
                reduction,
                capturedNorm,
                embeddingNorm,
                featureNorm,
                firstInputNorm,
                normedResidual,
                outputNorm,
                zeroCentredNorms,
                gatedQueries,
                maskFirstPosition,
                mutualWindows,
                embedding,
                head,
                headSize);
    }

    /// Width of what a row brings from the target.
    public int capturedWidth() {
        return Math.multiplyExact(captured, targetHiddenSize);
    }

    /// Whether a layer's attention reads both halves.
    public boolean wide(int layer) {
        return switch (join) {
            case EMBEDDING_FIRST, FEATURE_FIRST, CONTEXT -> false;
            case WIDE_FIRST_LAYER -> layer == 0;
            case WIDE_EVERY_LAYER -> true;
        };
    }

    /// Whether a layer has a norm before its attention.
    boolean inputNorm(int layer) {
        return firstInputNorm || layer > 0;
    }

    void check(int hiddenSize) {
        if (!reduction && targetHiddenSize != hiddenSize) {
            throw new IllegalArgumentException(
                    "features of %d numbers for a layer of %d need a reduction"
                            .formatted(targetHiddenSize, hiddenSize));
        }
        if ((!ownEmbedding || !ownHead) && targetHiddenSize != hiddenSize) {
            throw new IllegalArgumentException(
                    "a layer of %d numbers cannot borrow the embedding or head of a target of %d"
                            .formatted(hiddenSize, targetHiddenSize));
        }
    }
}
