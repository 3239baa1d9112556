package dev.outrider.nn.shape;

import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Experts;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// The shapes that benchmarks know by name, so that no checkpoint is needed.
public final class NamedShapes {
    private static final SortedMap<String, DecoderConfig> SHAPES =
            new TreeMap<>(
                    Map.of(
                            "experts-1b", experts(),
                            "demo-target", llama(2048, 256, 704, 6, 4, 2, 1024, true),
                            "tinyllama-1.1b", llama(32000, 2048, 5632, 22, 32, 4, 2048, false),
                            "smollm-135m", llama(49152, 576, 1536, 30, 9, 3, 2048, true),
                            "llama-68m", llama(32000, 768, 3072, 2, 12, 12, 2048, false),
                            "llama-7b", llama(32000, 4096, 11008, 32, 32, 32, 2048, false),
                            "stories15m", llama(32000, 288, 768, 6, 6, 6, 256, true),
                            "stories110m", llama(32000, 768, 2048, 12, 12, 12, 1024, true),
                            "stories260k", llama(512, 64, 172, 5, 8, 4, 512, true)));

    private NamedShapes() {}

    /// Returns all shapes by name, in alphabetical order.
    public static SortedMap<String, DecoderConfig> all() {
        return new TreeMap<>(SHAPES);
    }

    /// Eight experts a layer, two of them active: 1.1 thousand million parameters, a third of them for a token.
    private static DecoderConfig experts() {
        int inner = 2560;
        return llama(32000, 1024, inner, 16, 16, 4, 2048, true).toBuilder()
                .form(BlockForm.mixture(new Experts(8, 2, inner)))
                .build();
    }

    private static DecoderConfig llama(
            int vocabulary,
            int hidden,
            int intermediate,
            int layers,
            int heads,
            int keyValueHeads,
            int positions,
            boolean tied) {
        return DecoderConfig.builder()
                .vocabularySize(vocabulary)
                .hiddenSize(hidden)
                .intermediateSize(intermediate)
                .layers(layers)
                .heads(heads)
                .keyValueHeads(keyValueHeads)
                .headSize(hidden / heads)
                .maxPositions(positions)
                .tiedHead(tied)
                .firstWindowLayer(layers)
                .build();
    }
}
