package dev.outrider.nn.network;

/// What the blocks of a stack are made of, as far as families differ in it.
///
/// @param norm           kind of the norms
/// @param normAfter      whether a norm follows the sum of a block and the stream, instead of going before the block
/// @param embeddingNorm  whether the embedding passes a norm
/// @param finalNorm      whether the last layer's result passes one
/// @param activation     of the feed-forward layer
/// @param gated          whether it multiplies a second projection
/// @param positions      how tokens know where they stand
/// @param scaledScores   whether scores are divided by the root of the head's width
/// @param embeddingScale what embeddings are multiplied by
/// @param headScale      what states are multiplied by before the head
/// @param headBias       whether the head adds a number to every logit
public record BlockForm(
        NormKind norm,
        boolean normAfter,
        boolean embeddingNorm,
        boolean finalNorm,
        Activation activation,
        boolean gated,
        Positions positions,
        boolean scaledScores,
        double embeddingScale,
        double headScale,
        boolean headBias) {
    /// Kinds of norms.
    public enum NormKind {
        /// Divides by the root of the mean square (Zhang and Sennrich 2019).
        RMS,
        /// Also takes away the mean, and adds a bias (Ba et al. 2016).
        LAYER
    }

    /// Functions of the feed-forward layer.
    public enum Activation {
        /// `x * sigmoid(x)`.
        SILU,
        /// `x * Phi(x)`, with the error function.
        GELU,
        /// The approximation of [#GELU] by a hyperbolic tangent.
        GELU_TANH,
        /// `max(x, 0)`.
        RELU
    }

    public BlockForm {
        requirePositive("embeddingScale", embeddingScale);
        requirePositive("headScale", headScale);
    }

    /// As in Llama: RMS norms before the blocks, gated SiLU, rotary positions (Touvron et al. 2023).
    public static BlockForm llama() {
        return new BlockForm(
                NormKind.RMS,
                false,
                false,
                true,
                Activation.SILU,
                true,
                new Positions.Rotary(),
                true,
                1,
                1,
                false);
    }

    /// As in T5 (Raffel et al. 2020, section 2.1).
    ///
    /// @param activation of the feed-forward layer: ReLU in 1.0, GELU in 1.1
    /// @param gated      not in 1.0
    /// @param headScale  one over the root of the hidden size where the head is the embedding
    public static BlockForm t5(
            Activation activation, boolean gated, Positions.Relative positions, double headScale) {
        return new BlockForm(
                NormKind.RMS,
                false,
                false,
                true,
                activation,
                gated,
                positions,
                false,
                1,
                headScale,
                false);
    }

    /// As in BART and Marian: LayerNorm after the blocks, and none at the end (Lewis et al. 2020, section 2.1).
    ///
    /// @param embeddingNorm  in BART
    /// @param positions      learned in BART, sinusoidal in Marian
    /// @param embeddingScale the root of the hidden size in Marian
    public static BlockForm bart(
            boolean embeddingNorm,
            Activation activation,
            Positions positions,
            double embeddingScale) {
        return new BlockForm(
                NormKind.LAYER,
                true,
                embeddingNorm,
                false,
                activation,
                false,
                positions,
                true,
                embeddingScale,
                1,
                true);
    }

    /// The same for an encoder, which has no head.
    BlockForm withoutHead() {
        return new BlockForm(
                norm,
                normAfter,
                embeddingNorm,
                finalNorm,
                activation,
                gated,
                positions,
                scaledScores,
                embeddingScale,
                1,
                false);
    }

    /// Whether positions are rotations.
    public boolean rotary() {
        return positions instanceof Positions.Rotary;
    }

    private static void requirePositive(String name, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("%s %s is not positive".formatted(name, value));
        }
    }
}
