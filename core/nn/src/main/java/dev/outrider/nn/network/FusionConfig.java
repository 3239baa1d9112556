package dev.outrider.nn.network;

import dev.outrider.common.Require;
import java.util.EnumSet;
import java.util.Set;

/// Describes how a draft layer computes its input from a token's embedding and the feature of the previous position, and its
/// differences from a usual decoder. Every published drafter of this kind is a combination of these switches.
///
/// Shapes: h hidden size of the draft layer, t hidden size of the target, a captured states a row.
///
/// | drafter | join | reduction | norms |
/// |---|---|---|---|
/// | EAGLE-1, EAGLE-2 | projected, embedding first | no | none before or after the layer |
/// | EAGLE-3 | wide first layer | yes | `OUTPUT_NORM`; the dialects' switches |
/// | DeepSeek-V3, GLM-4.5, Qwen3-Next | projected, embedding first | no | both halves, first input, output |
/// | MiMo | projected, hidden first | no | both halves, first input, output |
/// | Hydra++ | feature alone | no | first input, output |
/// | DFlash, DSpark | context | yes | the feature's after the reduction, first input, output |
///
/// @param join             how embedding and feature are joined
/// @param captured         number of the target's states in a row
/// @param targetHiddenSize t
/// @param capturedNorm     norm before the reduction
/// @param headSize         rows of the head: the draft vocabulary
/// @param switches         everything else
/// @see "Li et al. 2024 (EAGLE), Li et al. 2025 (EAGLE-3), DeepSeek-AI 2024 (DeepSeek-V3), section 2.2"
public record FusionConfig(
        Join join,
        int captured,
        int targetHiddenSize,
        CapturedNorm capturedNorm,
        int headSize,
        Set<Switch> switches) {
    /// The ways to join embedding and feature.
    public enum Join {
        /// A matrix `[h, 2h]` over embedding, then feature.
        EMBEDDING_FIRST,
        /// A matrix `[h, 2h]` over feature, then embedding.
        FEATURE_FIRST,
        /// The first layer's attention reads both halves, embedding first, each after a norm.
        WIDE_FIRST_LAYER,
        /// Every layer's attention reads the embedding and the stream, each after a norm.
        WIDE_EVERY_LAYER,
        /// The layer reads the feature alone (Hydra++).
        FEATURE_ALONE,
        /// They are joined in attention: features are keys and values of every layer, in the cache before the rows, which are
        /// tokens (DFlash).
        CONTEXT;

        /// Returns whether attention reads both halves.
        public boolean wide() {
            return this == WIDE_FIRST_LAYER || this == WIDE_EVERY_LAYER;
        }

        /// Returns whether a matrix joins both halves.
        boolean projected() {
            return this == EMBEDDING_FIRST || this == FEATURE_FIRST;
        }
    }

    /// Norm before the reduction.
    public enum CapturedNorm {
        NONE,
        /// One norm over all captured states together, `norm_before_fc`.
        JOINED,
        /// One norm per captured state, `fc_norm`.
        EACH
    }

    /// Properties that a draft layer has or lacks.
    public enum Switch {
        /// The projection of the joined halves has a bias; projected joins only.
        JOIN_BIAS,
        /// A matrix `[h, a*t]` makes the feature from the captured states; without it a must be 1 and t equal h.
        REDUCTION,
        /// The embedding has a separate norm before a projected join.
        EMBEDDING_NORM,
        /// The feature has a separate norm before a projected join; with a context, after the reduction.
        FEATURE_NORM,
        /// The first layer has its input norm; wide layers always norm both halves.
        FIRST_INPUT_NORM,
        /// The residual stream of a wide first layer begins with the normed feature.
        NORMED_RESIDUAL,
        /// The head reads the stream after a final norm.
        OUTPUT_NORM,
        /// Norms are stored as the difference from 1.
        ZERO_CENTRED_NORMS,
        /// The query projection is doubled, per head query then gate, and attention's output is multiplied by the gate's sigmoid.
        GATED_QUERIES,
        /// The embedding at position 0 is zero.
        MASK_FIRST_POSITION,
        /// Rows of a pass see one another in layers with a window too; without the switch they see only earlier rows there.
        MUTUAL_WINDOWS,
        /// The layer has its own embedding; without this switch it uses the target's.
        OWN_EMBEDDING,
        /// The layer has its own head; without this switch it uses the target's.
        OWN_HEAD
    }

    public FusionConfig {
        switches = Set.copyOf(switches);
    }

    /// Returns a configuration with one captured state, no norms except those that a wide join always has, and the target's
    /// embedding and head.
    ///
    /// @param join             how embedding and feature are joined
    /// @param targetHiddenSize t
    /// @param headSize         rows of the head
    public static FusionConfig of(Join join, int targetHiddenSize, int headSize) {
        var switches = join.wide() ? Set.of(Switch.FIRST_INPUT_NORM) : Set.<Switch>of();
        return new FusionConfig(join, 1, targetHiddenSize, CapturedNorm.NONE, headSize, switches);
    }

    /// Returns this configuration with a number of captured states, and with a norm before the reduction.
    public FusionConfig capturing(int states, CapturedNorm norm) {
        return new FusionConfig(join, states, targetHiddenSize, norm, headSize, switches);
    }

    /// Returns this configuration with these switches on.
    public FusionConfig with(Switch... on) {
        return with(true, on);
    }

    /// Returns this object with these switches on or off.
    public FusionConfig with(boolean on, Switch... which) {
        var changed = EnumSet.noneOf(Switch.class);
        changed.addAll(switches);
        for (var each : which) {
            boolean _ = on ? changed.add(each) : changed.remove(each);
        }
        return new FusionConfig(join, captured, targetHiddenSize, capturedNorm, headSize, changed);
    }

    /// Returns whether a switch is on.
    public boolean has(Switch which) {
        return switches.contains(which);
    }

    /// Returns the width of a row of captured states.
    public int capturedWidth() {
        return Math.multiplyExact(captured, targetHiddenSize);
    }

    /// Returns whether a layer's attention reads both halves.
    public boolean wide(int layer) {
        return join == Join.WIDE_EVERY_LAYER || join == Join.WIDE_FIRST_LAYER && layer == 0;
    }

    /// Returns whether a layer has a norm before its attention.
    boolean inputNorm(int layer) {
        return has(Switch.FIRST_INPUT_NORM) || layer > 0;
    }

    /// @throws IllegalArgumentException if the switches contradict each other or do not fit a layer of this hidden size
    void check(int hiddenSize) {
        boolean reduction = has(Switch.REDUCTION);
        boolean joinParts = has(Switch.JOIN_BIAS) || has(Switch.EMBEDDING_NORM);
        Require.atLeast("captured", captured, 1);
        Require.atLeast("targetHiddenSize", targetHiddenSize, 1);
        Require.atLeast("headSize", headSize, 1);
        Require.that(
                reduction || captured <= 1 && capturedNorm == CapturedNorm.NONE,
                "%d captured states with norm %s need a reduction",
                captured,
                capturedNorm);
        Require.that(
                !join.wide()
                        || !joinParts && !has(Switch.FEATURE_NORM) && has(Switch.FIRST_INPUT_NORM),
                "join %s has no projection: no bias, no norms before it, and the layer's own norms",
                join);
        Require.that(
                join != Join.FEATURE_ALONE || !joinParts && !has(Switch.FEATURE_NORM),
                "join %s has no projection: no bias and no norms before it",
                join);
        Require.that(
                join != Join.CONTEXT || !joinParts && !has(Switch.GATED_QUERIES) && reduction,
                "join %s has a reduction, and no projection, embedding norm or gates",
                join);
        Require.that(
                join == Join.CONTEXT || !has(Switch.MUTUAL_WINDOWS),
                "join %s has no rows that see one another",
                join);
        Require.that(
                join.wide() || !has(Switch.NORMED_RESIDUAL),
                "join %s has no feature in its residual stream",
                join);
        Require.that(
                reduction || targetHiddenSize == hiddenSize,
                "features of %d numbers for a layer of %d need a reduction",
                targetHiddenSize,
                hiddenSize);
        Require.that(
                has(Switch.OWN_EMBEDDING) && has(Switch.OWN_HEAD) || targetHiddenSize == hiddenSize,
                "a layer of %d numbers cannot use the embedding or head of a target of %d",
                hiddenSize,
                targetHiddenSize);
    }
}
