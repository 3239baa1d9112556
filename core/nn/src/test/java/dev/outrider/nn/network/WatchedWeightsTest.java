package dev.outrider.nn.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/// Loading says how far it is.
class WatchedWeightsTest {
    @Test
    void tellsTenthsUntilAllIsRead() {
        var config =
                DecoderConfig.builder()
                        .vocabularySize(19)
                        .hiddenSize(16)
                        .intermediateSize(24)
                        .layers(3)
                        .heads(2)
                        .maxPositions(16)
                        .build();
        var told = new ArrayList<Integer>();
        var source = new WatchedWeights(new RandomWeights(config, 1, 1.0), config, told::add);

        for (var weight : Weight.values()) {
            int copies = weight.perLayer() ? config.layers() : 1;
            for (int layer = 0; layer < copies; layer++) {
                if (weight.present(config, layer)) {
                    source.read(weight, layer, numbers -> {});
                }
            }
        }

        assertThat(told).isSorted().doesNotHaveDuplicates().hasSizeGreaterThan(5).endsWith(100);
        assertThat(told).allMatch(hundredths -> hundredths % 10 == 0);
    }
}
