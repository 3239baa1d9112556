package dev.outrider.treeverify.pass;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.FusionConfig.CapturedNorm;
import dev.outrider.nn.network.FusionConfig.Join;
import dev.outrider.nn.network.FusionConfig.Switch;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Small draft layers, one for each way in which published drafters join embedding and feature.
public final class RandomLayers {
    private static final int HIDDEN = 44;
    private static final int TARGET = 28;

    private RandomLayers() {}

    /// Returns the layers by the names of their drafters.
    public static Map<String, DecoderConfig> all() {
        var layers = new LinkedHashMap<String, DecoderConfig>();
        var wide = FusionConfig.of(Join.WIDE_FIRST_LAYER, TARGET, 19);
        layers.put("EAGLE-3", layer(1, eagle3()));
        layers.put(
                "EAGLE-3, normed",
                layer(
                        2,
                        wide.capturing(3, CapturedNorm.JOINED)
                                .with(Switch.REDUCTION, Switch.OUTPUT_NORM)
                                .with(Switch.NORMED_RESIDUAL)));
        layers.put(
                "P-EAGLE",
                layer(
                        3,
                        FusionConfig.of(Join.WIDE_EVERY_LAYER, TARGET, 19)
                                .capturing(2, CapturedNorm.NONE)
                                .with(Switch.REDUCTION, Switch.OUTPUT_NORM)));
        var first = FusionConfig.of(Join.EMBEDDING_FIRST, HIDDEN, 31);
        layers.put("EAGLE-1", layer(1, first.with(Switch.JOIN_BIAS)));
        layers.put(
                "DeepSeek-V3",
                layer(
                        1,
                        first.with(Switch.EMBEDDING_NORM, Switch.FEATURE_NORM)
                                .with(Switch.FIRST_INPUT_NORM, Switch.OUTPUT_NORM)
                                .with(Switch.MASK_FIRST_POSITION)));
        layers.put(
                "MiMo",
                layer(
                        1,
                        FusionConfig.of(Join.FEATURE_FIRST, HIDDEN, 31)
                                .with(Switch.EMBEDDING_NORM, Switch.FEATURE_NORM)
                                .with(Switch.FIRST_INPUT_NORM, Switch.OUTPUT_NORM)
                                .with(Switch.MASK_FIRST_POSITION, Switch.ZERO_CENTRED_NORMS)));
        return layers;
    }

    /// Returns the join of EAGLE-3.
    public static FusionConfig eagle3() {
        return FusionConfig.of(Join.WIDE_FIRST_LAYER, TARGET, 19)
                .capturing(3, CapturedNorm.NONE)
                .with(Switch.REDUCTION, Switch.OUTPUT_NORM);
    }

    /// Returns the backbone of a block drafter.
    public static DecoderConfig dflash(int layers) {
        var fusion =
                FusionConfig.of(Join.CONTEXT, TARGET, 19)
                        .capturing(3, CapturedNorm.NONE)
                        .with(Switch.REDUCTION, Switch.FEATURE_NORM)
                        .with(Switch.FIRST_INPUT_NORM, Switch.OUTPUT_NORM);
        return layer(layers, fusion).toBuilder().queryKeyNorm(true).build();
    }

    /// Returns a layer with an embedding and a head of its own.
    public static DecoderConfig layer(int layers, FusionConfig fusion) {
        return DecoderConfig.builder()
                .vocabularySize(31)
                .hiddenSize(HIDDEN)
                .intermediateSize(41)
                .layers(layers)
                .heads(4)
                .keyValueHeads(2)
                .headSize(12)
                .maxPositions(120)
                .fusion(Optional.of(fusion.with(Switch.OWN_EMBEDDING, Switch.OWN_HEAD)))
                .build();
    }
}
