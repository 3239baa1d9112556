package dev.outrider.nn.network;

import dev.outrider.nn.network.FusionConfig.CapturedNorm;
import dev.outrider.nn.network.FusionConfig.Join;

/// Builds a [FusionConfig] by the names of its switches. Begins with one captured state, no norms but those that a wide join always has,
/// and the target's embedding and head.
public final class FusionConfigBuilder {
    private final Join join;
    private final int targetHiddenSize;
    private final int headSize;
    private int captured = 1;
    private CapturedNorm capturedNorm = CapturedNorm.NONE;
    private boolean joinBias;
    private boolean reduction;
    private boolean embeddingNorm;
    private boolean featureNorm;
    private boolean firstInputNorm;
    private boolean normedResidual;
    private boolean outputNorm;
    private boolean zeroCentredNorms;
    private boolean gatedQueries;
    private boolean maskFirstPosition;
    private boolean mutualWindows;
    private boolean ownEmbedding;
    private boolean ownHead;

    FusionConfigBuilder(Join join, int targetHiddenSize, int headSize) {
        this.join = join;
        this.targetHiddenSize = targetHiddenSize;
        this.headSize = headSize;
        firstInputNorm = join.wide();
    }

    /// How many of the target's states a row brings.
    public FusionConfigBuilder captured(int value) {
        captured = value;
        return this;
    }

    /// What is normalised before the reduction.
    public FusionConfigBuilder capturedNorm(CapturedNorm value) {
        capturedNorm = value;
        return this;
    }

    /// The projection of the joined halves has a bias.
    public FusionConfigBuilder joinBias(boolean value) {
        joinBias = value;
        return this;
    }

    /// A matrix makes the feature from the captured states.
    public FusionConfigBuilder reduction(boolean value) {
        reduction = value;
        return this;
    }

    /// The embedding passes a norm of its own before a projected join.
    public FusionConfigBuilder embeddingNorm(boolean value) {
        embeddingNorm = value;
        return this;
    }

    /// The feature passes a norm of its own before a projected join.
    public FusionConfigBuilder featureNorm(boolean value) {
        featureNorm = value;
        return this;
    }

    /// The first layer has its input norm.
    public FusionConfigBuilder firstInputNorm(boolean value) {
        firstInputNorm = value;
        return this;
    }

    /// The residual stream of a wide first layer begins with the normed feature.
    public FusionConfigBuilder normedResidual(boolean value) {
        normedResidual = value;
        return this;
    }

    /// The head reads the stream after a final norm.
    public FusionConfigBuilder outputNorm(boolean value) {
        outputNorm = value;
        return this;
    }

    /// Norms are stored as the difference from 1.
    public FusionConfigBuilder zeroCentredNorms(boolean value) {
        zeroCentredNorms = value;
        return this;
    }

    /// The query projection also makes a gate for the attention's output.
    public FusionConfigBuilder gatedQueries(boolean value) {
        gatedQueries = value;
        return this;
    }

    /// The embedding at position 0 is zero.
    public FusionConfigBuilder maskFirstPosition(boolean value) {
        maskFirstPosition = value;
        return this;
    }

    /// Rows of a pass see one another in layers with a window too.
    public FusionConfigBuilder mutualWindows(boolean value) {
        mutualWindows = value;
        return this;
    }

    /// The layer has an embedding of its own.
    public FusionConfigBuilder ownEmbedding(boolean value) {
        ownEmbedding = value;
        return this;
    }

    /// The layer has a head of its own.
    public FusionConfigBuilder ownHead(boolean value) {
        ownHead = value;
        return this;
    }

    /// The configuration.
    ///
    /// @throws IllegalArgumentException if the switches contradict each other
    public FusionConfig build() {
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
                ownEmbedding,
                ownHead,
                headSize);
    }
}
