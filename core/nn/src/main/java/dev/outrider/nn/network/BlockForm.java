package dev.outrider.nn.network;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// What the blocks of a stack are made of, as far as families differ in it.
///
/// @param norm            kind of the norms
/// @param place           where blocks have their norms
/// @param zeroCentred     whether norms multiply by one more than their weight
/// @param embeddingNorm   whether the embedding passes a norm
/// @param finalNorm       whether the last layer's result passes one
/// @param wholeQueryNorm  whether norms of queries and keys are over all heads together, not per head
/// @param activation      of the feed-forward layer
/// @param gated           whether it multiplies a second projection
/// @param boundedGate     what it makes of gate and second projection instead, if they have bounds
/// @param experts         what feed-forward layers are made of that only some of compute for a row
/// @param parallel        whether attention and feed-forward layer read the same stream, and both are added to it
/// @param positions       how tokens know where they stand
/// @param kinds           per layer what it sees and whether it rotates; empty if all are alike
/// @param scoreScale      what scores are multiplied by; one over the root of the head's width if it is not given
/// @param scoreCap        what scores stay below: `cap * tanh(score / cap)`
/// @param sinks           whether every head has a score of its own that takes part in the softmax and adds nothing
/// @param embeddingScale  what embeddings are multiplied by
/// @param residualScale   what a block's result is multiplied by before it is added to the stream
/// @param headScale       what states are multiplied by before the head
/// @param headBias        whether the head adds a number to every logit
/// @param logitCap        what logits stay below
public record BlockForm(
        NormKind norm,
        NormPlace place,
        boolean zeroCentred,
        boolean embeddingNorm,
        boolean finalNorm,
        boolean wholeQueryNorm,
        Activation activation,
        boolean gated,
        Optional<BoundedGate> boundedGate,
        Optional<Experts> experts,
        boolean parallel,
        Positions positions,
        List<LayerKind> kinds,
        OptionalDouble scoreScale,
        OptionalDouble scoreCap,
        boolean sinks,
        double embeddingScale,
        double residualScale,
        double headScale,
        boolean headBias,
        OptionalDouble logitCap) {
    /// Kinds of norms.
    public enum NormKind {
        /// Divides by the root of the mean square (Zhang and Sennrich 2019).
        RMS,
        /// Also takes away the mean, and adds a bias (Ba et al. 2016).
        LAYER
    }

    /// Where a block has its norm.
    public enum NormPlace {
        /// Of what it reads.
        BEFORE,
        /// Of the stream, once its result is added.
        AFTER,
        /// Of its result, before that is added (OLMo 2).
        RESULT,
        /// Of what it reads, and of its result (Gemma 2).
        AROUND;

        /// Whether a block reads a normed stream.
        public boolean reads() {
            return this == BEFORE || this == AROUND;
        }

        /// Whether a block's result is normed before it is added.
        public boolean results() {
            return this == RESULT || this == AROUND;
        }
    }

    /// Kinds of layers.
    public enum LayerKind {
        /// Sees everything before.
        GLOBAL,
        /// Sees the window, and may have rotary frequencies of its own.
        LOCAL,
        /// Sees everything and rotates nothing (SmolLM 3).
        UNROTATED
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

    /// A gate with bounds: `g * sigmoid(slope g) * (u + 1)`, where the gate g is at most `limit`, and the second projection u from `-limit`
    /// to `limit`.
    ///
    /// @see "OpenAI 2025 (gpt-oss), section 2.2"
    public record BoundedGate(double slope, double limit) {
        public BoundedGate {
            requirePositive("slope", slope);
            requirePositive("limit", limit);
        }
    }

    public BlockForm {
        kinds = List.copyOf(kinds);
        if (experts.isPresent() && !gated) {
            throw new IllegalArgumentException("experts have a gate");
        }
        if (boundedGate.isPresent() && !(gated && activation == Activation.SILU)) {
            throw new IllegalArgumentException("a bounded gate is a gate of SiLU");
        }
        requirePositive("embeddingScale", embeddingScale);
        requirePositive("residualScale", residualScale);
        requirePositive("headScale", headScale);
        scoreScale.ifPresent(scale -> requirePositive("scoreScale", scale));
        scoreCap.ifPresent(cap -> requirePositive("scoreCap", cap));
        logitCap.ifPresent(cap -> requirePositive("logitCap", cap));
    }

    /// As in Llama: RMS norms before the blocks, gated SiLU, rotary positions (Touvron et al. 2023).
    public static BlockForm llama() {
        return new BlockFormBuilder().build();
    }

    /// A builder that starts from Llama's form.
    public static BlockFormBuilder builder() {
        return new BlockFormBuilder();
    }

    /// A builder that starts from this form.
    public BlockFormBuilder toBuilder() {
        return new BlockFormBuilder(this);
    }

    /// As in T5 (Raffel et al. 2020, section 2.1).
    ///
    /// @param activation of the feed-forward layer: ReLU in 1.0, GELU in 1.1
    /// @param gated      not in 1.0
    /// @param headScale  one over the root of the hidden size where the head is the embedding
    public static BlockForm t5(
            Activation activation, boolean gated, Positions.Relative positions, double headScale) {
        return builder()
                .activation(activation)
                .gated(gated)
                .positions(positions)
                .scoreScale(1)
                .headScale(headScale)
                .build();
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
        return builder()
                .norm(NormKind.LAYER, NormPlace.AFTER)
                .embeddingNorm(embeddingNorm)
                .finalNorm(false)
                .activation(activation)
                .gated(false)
                .positions(positions)
                .embeddingScale(embeddingScale)
                .headBias(true)
                .build();
    }

    /// The same for an encoder, which has no head.
    BlockForm withoutHead() {
        return toBuilder().headScale(1).headBias(false).logitCap(OptionalDouble.empty()).build();
    }

    /// Whether positions are rotations.
    public boolean rotary() {
        return positions instanceof Positions.Rotary;
    }

    /// Whether a norm follows the sum of a block and the stream.
    public boolean normAfter() {
        return place == NormPlace.AFTER;
    }

    /// Whether scores are divided by the root of the head's width.
    public boolean scaledScores() {
        return scoreScale.isEmpty();
    }

    private static void requirePositive(String name, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("%s %s is not positive".formatted(name, value));
        }
    }
}
