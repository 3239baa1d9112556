package dev.outrider.nn.network;

import dev.outrider.nn.network.BlockForm.Activation;
import dev.outrider.nn.network.BlockForm.BoundedGate;
import dev.outrider.nn.network.BlockForm.LayerKind;
import dev.outrider.nn.network.BlockForm.NormKind;
import dev.outrider.nn.network.BlockForm.NormPlace;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// Puts a [BlockForm] together. What is not set is as in Llama.
public final class BlockFormBuilder {
    private NormKind norm = NormKind.RMS;
    private NormPlace place = NormPlace.BEFORE;
    private boolean zeroCentred;
    private boolean embeddingNorm;
    private boolean finalNorm = true;
    private boolean wholeQueryNorm;
    private Activation activation = Activation.SILU;
    private boolean gated = true;
    private Optional<BoundedGate> boundedGate = Optional.empty();
    private Optional<Experts> experts = Optional.empty();
    private boolean parallel;
    private Positions positions = new Positions.Rotary();
    private List<LayerKind> kinds = List.of();
    private OptionalDouble scoreScale = OptionalDouble.empty();
    private OptionalDouble scoreCap = OptionalDouble.empty();
    private boolean sinks;
    private double embeddingScale = 1;
    private double residualScale = 1;
    private double headScale = 1;
    private boolean headBias;
    private OptionalDouble logitCap = OptionalDouble.empty();

    BlockFormBuilder() {}

    BlockFormBuilder(BlockForm form) {
        norm = form.norm();
        place = form.place();
        zeroCentred = form.zeroCentred();
        embeddingNorm = form.embeddingNorm();
        finalNorm = form.finalNorm();
        wholeQueryNorm = form.wholeQueryNorm();
        activation = form.activation();
        gated = form.gated();
        boundedGate = form.boundedGate();
        experts = form.experts();
        parallel = form.parallel();
        positions = form.positions();
        kinds = form.kinds();
        scoreScale = form.scoreScale();
        scoreCap = form.scoreCap();
        sinks = form.sinks();
        embeddingScale = form.embeddingScale();
        residualScale = form.residualScale();
        headScale = form.headScale();
        headBias = form.headBias();
        logitCap = form.logitCap();
    }

    /// Kind of the norms, and where blocks have them.
    public BlockFormBuilder norm(NormKind kind, NormPlace where) {
        norm = kind;
        place = where;
        return this;
    }

    /// Whether norms multiply by one more than their weight.
    public BlockFormBuilder zeroCentred(boolean value) {
        zeroCentred = value;
        return this;
    }

    /// Whether the embedding passes a norm.
    public BlockFormBuilder embeddingNorm(boolean value) {
        embeddingNorm = value;
        return this;
    }

    /// Whether the last layer's result passes a norm.
    public BlockFormBuilder finalNorm(boolean value) {
        finalNorm = value;
        return this;
    }

    /// Whether norms of queries and keys are over all heads together.
    public BlockFormBuilder wholeQueryNorm(boolean value) {
        wholeQueryNorm = value;
        return this;
    }

    /// Of the feed-forward layer.
    public BlockFormBuilder activation(Activation value) {
        activation = value;
        return this;
    }

    /// Whether the feed-forward layer multiplies a second projection.
    public BlockFormBuilder gated(boolean value) {
        gated = value;
        return this;
    }

    /// What the feed-forward layer makes of gate and second projection if they have bounds.
    public BlockFormBuilder boundedGate(BoundedGate value) {
        boundedGate = Optional.of(value);
        return this;
    }

    /// What feed-forward layers are made of that only some of compute for a row.
    public BlockFormBuilder experts(Experts value) {
        experts = Optional.of(value);
        return this;
    }

    /// Whether attention and feed-forward layer read the same stream.
    public BlockFormBuilder parallel(boolean value) {
        parallel = value;
        return this;
    }

    /// How tokens know where they stand.
    public BlockFormBuilder positions(Positions value) {
        positions = value;
        return this;
    }

    /// Per layer what it sees and whether it rotates.
    public BlockFormBuilder kinds(List<LayerKind> value) {
        kinds = value;
        return this;
    }

    /// What scores are multiplied by.
    public BlockFormBuilder scoreScale(double value) {
        scoreScale = OptionalDouble.of(value);
        return this;
    }

    /// What scores stay below.
    public BlockFormBuilder scoreCap(OptionalDouble value) {
        scoreCap = value;
        return this;
    }

    /// Whether every head has a score of its own that takes part in the softmax and adds nothing.
    public BlockFormBuilder sinks(boolean value) {
        sinks = value;
        return this;
    }

    /// What embeddings are multiplied by.
    public BlockFormBuilder embeddingScale(double value) {
        embeddingScale = value;
        return this;
    }

    /// What a block's result is multiplied by.
    public BlockFormBuilder residualScale(double value) {
        residualScale = value;
        return this;
    }

    /// What states are multiplied by before the head.
    public BlockFormBuilder headScale(double value) {
        headScale = value;
        return this;
    }

    /// Whether the head adds a number to every logit.
    public BlockFormBuilder headBias(boolean value) {
        headBias = value;
        return this;
    }

    /// What logits stay below.
    public BlockFormBuilder logitCap(OptionalDouble value) {
        logitCap = value;
        return this;
    }

    /// {@return the form}
    ///
    /// @throws IllegalArgumentException if a number is not positive
    public BlockForm build() {
        return new BlockForm(
                norm,
                place,
                zeroCentred,
                embeddingNorm,
                finalNorm,
                wholeQueryNorm,
                activation,
                gated,
                boundedGate,
                experts,
                parallel,
                positions,
                kinds,
                scoreScale,
                scoreCap,
                sinks,
                embeddingScale,
                residualScale,
                headScale,
                headBias,
                logitCap);
    }
}
