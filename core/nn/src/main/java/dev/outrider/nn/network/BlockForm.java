package dev.outrider.nn.network;

import dev.outrider.common.Require;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// The structure of a stack's blocks, as far as families differ in it. Start from [#llama] and replace what differs.
///
/// @param norms       kind and places of norms
/// @param feedForward function and experts of feed-forward layers
/// @param parallel    whether attention and feed-forward layer read the same stream, and both are added to it
/// @param positions   position scheme
/// @param kinds       per layer which keys it sees and whether it rotates; empty if all layers are alike
/// @param scores      scale, cap and sinks of attention scores
/// @param scales      factors of embeddings, residuals and states, and changes of logits
public record BlockForm(
        Norms norms,
        FeedForward feedForward,
        boolean parallel,
        Positions positions,
        List<LayerKind> kinds,
        Scores scores,
        Scales scales) {
    private static final BlockForm LLAMA =
            new BlockForm(
                    new Norms(NormKind.RMS, NormPlace.BEFORE),
                    new FeedForward(Activation.SILU, true),
                    false,
                    new Positions.Rotary(),
                    List.of(),
                    new Scores(OptionalDouble.empty(), OptionalDouble.empty(), false),
                    new Scales(1, 1, 1, false, OptionalDouble.empty()));

    /// Kinds of norms.
    public enum NormKind {
        /// Divides by the root of the mean square (Zhang and Sennrich 2019).
        RMS,
        /// Also subtracts the mean, and adds a bias (Ba et al. 2016).
        LAYER
    }

    /// The place of a block's norm.
    public enum NormPlace {
        /// On its input.
        BEFORE,
        /// On the stream, after its result is added.
        AFTER,
        /// On its result, before that is added (OLMo 2).
        RESULT,
        /// On its input and on its result (Gemma 2).
        AROUND;

        /// Returns whether a block reads a normed stream.
        public boolean reads() {
            return this == BEFORE || this == AROUND;
        }

        /// Returns whether a block's result is normed before it is added.
        public boolean results() {
            return this == RESULT || this == AROUND;
        }
    }

    /// Kinds of layers.
    public enum LayerKind {
        /// Sees all earlier rows.
        GLOBAL,
        /// Sees the window, and may have separate rotary frequencies.
        LOCAL,
        /// Sees all earlier rows and rotates nothing (SmolLM 3).
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

    /// Norms of a stack.
    ///
    /// @param kind         of all norms
    /// @param place        in a block
    /// @param zeroCentred  whether norms multiply by one more than their weight
    /// @param embedding    whether the embedding passes a norm
    /// @param last         whether the last layer's result passes one
    /// @param wholeQueries whether norms of queries and keys are over all heads together, not per head
    public record Norms(
            NormKind kind,
            NormPlace place,
            boolean zeroCentred,
            boolean embedding,
            boolean last,
            boolean wholeQueries) {
        /// Norms whose weights are stored as they are, a norm at the end, none of the embedding, queries and keys per head.
        public Norms(NormKind kind, NormPlace place) {
            this(kind, place, false, false, true, false);
        }
    }

    /// Feed-forward layers.
    ///
    /// @param activation  function
    /// @param gated       whether it multiplies a second projection
    /// @param boundedGate replaces that product, if present
    /// @param experts     layers of which a row activates a few, if the stack has them
    public record FeedForward(
            Activation activation,
            boolean gated,
            Optional<BoundedGate> boundedGate,
            Optional<Experts> experts) {
        public FeedForward {
            Require.that(experts.isEmpty() || gated, "experts have a gate");
            Require.that(
                    boundedGate.isEmpty() || gated && activation == Activation.SILU,
                    "a bounded gate is a gate of SiLU");
        }

        /// Makes feed-forward layers without bounds and experts.
        public FeedForward(Activation activation, boolean gated) {
            this(activation, gated, Optional.empty(), Optional.empty());
        }
    }

    /// A gate with bounds: `g * sigmoid(slope g) * (u + 1)`, where the gate g is at most `limit`, and the second projection u from `-limit`
    /// to `limit`.
    ///
    /// @see "OpenAI 2025 (gpt-oss), section 2.2"
    public record BoundedGate(double slope, double limit) {
        public BoundedGate {
            Require.positive("slope", slope);
            Require.positive("limit", limit);
        }
    }

    /// Attention scores.
    ///
    /// @param scale their factor; `1 / sqrt(headSize)` if empty
    /// @param cap   bound: `cap * tanh(score / cap)`
    /// @param sinks whether every head has a learned score that takes part in the softmax and adds nothing
    public record Scores(OptionalDouble scale, OptionalDouble cap, boolean sinks) {
        public Scores {
            scale.ifPresent(factor -> Require.positive("scoreScale", factor));
            cap.ifPresent(bound -> Require.positive("scoreCap", bound));
        }
    }

    /// Factors outside the blocks' matrices.
    ///
    /// @param embedding of embeddings
    /// @param residual  of a block's result before it is added to the stream
    /// @param head      of states before the head
    /// @param headBias  whether the head adds a number to every logit
    /// @param logitCap  bound of logits: `cap * tanh(logit / cap)`
    public record Scales(
            double embedding,
            double residual,
            double head,
            boolean headBias,
            OptionalDouble logitCap) {
        public Scales {
            Require.positive("embeddingScale", embedding);
            Require.positive("residualScale", residual);
            Require.positive("headScale", head);
            logitCap.ifPresent(cap -> Require.positive("logitCap", cap));
        }
    }

    public BlockForm {
        kinds = List.copyOf(kinds);
    }

    /// Returns the form of Llama: RMS norms before the blocks, gated SiLU, rotary positions (Touvron et al. 2023).
    public static BlockForm llama() {
        return LLAMA;
    }

    /// Llama's form with experts, as in Mixtral.
    public static BlockForm mixture(Experts experts) {
        return LLAMA.with(
                new FeedForward(Activation.SILU, true, Optional.empty(), Optional.of(experts)));
    }

    /// Returns the form of T5 (Raffel et al. 2020, section 2.1).
    ///
    /// @param activation of the feed-forward layer: ReLU in 1.0, GELU in 1.1
    /// @param gated      false in 1.0
    /// @param headScale  one over the root of the hidden size if the head is the embedding
    public static BlockForm t5(
            Activation activation, boolean gated, Positions.Relative positions, double headScale) {
        return LLAMA.with(new FeedForward(activation, gated))
                .with(positions)
                .with(new Scores(OptionalDouble.of(1), OptionalDouble.empty(), false))
                .with(new Scales(1, 1, headScale, false, OptionalDouble.empty()));
    }

    /// Returns the form of BART and Marian: LayerNorm after the blocks, and none at the end (Lewis et al. 2020, section 2.1).
    ///
    /// @param embeddingNorm  in BART
    /// @param positions      learned in BART, sinusoidal in Marian
    /// @param embeddingScale the root of the hidden size in Marian
    public static BlockForm bart(
            boolean embeddingNorm,
            Activation activation,
            Positions positions,
            double embeddingScale) {
        return LLAMA.with(
                        new Norms(
                                NormKind.LAYER,
                                NormPlace.AFTER,
                                false,
                                embeddingNorm,
                                false,
                                false))
                .with(new FeedForward(activation, false))
                .with(positions)
                .with(new Scales(embeddingScale, 1, 1, true, OptionalDouble.empty()));
    }

    /// Returns this object with other norms.
    public BlockForm with(Norms other) {
        return new BlockForm(other, feedForward, parallel, positions, kinds, scores, scales);
    }

    /// Returns this object with other feed-forward layers.
    public BlockForm with(FeedForward other) {
        return new BlockForm(norms, other, parallel, positions, kinds, scores, scales);
    }

    /// Returns this object with other positions.
    public BlockForm with(Positions other) {
        return new BlockForm(norms, feedForward, parallel, other, kinds, scores, scales);
    }

    /// Returns this object with other scores.
    public BlockForm with(Scores other) {
        return new BlockForm(norms, feedForward, parallel, positions, kinds, other, scales);
    }

    /// Returns this object with other scales.
    public BlockForm with(Scales other) {
        return new BlockForm(norms, feedForward, parallel, positions, kinds, scores, other);
    }

    /// Returns this object with other kinds of layers.
    public BlockForm withKinds(List<LayerKind> other) {
        return new BlockForm(norms, feedForward, parallel, positions, other, scores, scales);
    }

    /// Returns this object with blocks that are parallel or not.
    public BlockForm withParallel(boolean other) {
        return new BlockForm(norms, feedForward, other, positions, kinds, scores, scales);
    }

    /// Returns this form for an encoder, which has no head.
    BlockForm withoutHead() {
        return with(
                new Scales(
                        scales.embedding(), scales.residual(), 1, false, OptionalDouble.empty()));
    }

    /// Returns whether positions are rotations.
    public boolean rotary() {
        return positions instanceof Positions.Rotary;
    }
}
