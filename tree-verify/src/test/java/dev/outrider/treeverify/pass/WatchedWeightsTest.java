package dev.outrider.treeverify.pass;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.network.RandomWeights;
import dev.outrider.treeverify.plain.PlainProgram;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/// Loading says how far it is.
class WatchedWeightsTest {
    @Test
    void tellsTenthsUntilAllIsRead() {
        var config = RandomDecoders.plain();
        var told = new ArrayList<Integer>();
        var shape = new ProgramShape(config, 4, 1, 8, 4);
        var source = new WatchedWeights(new RandomWeights(config, 1, 1.0), config, told::add);

        new PlainProgram(shape, new WeightLoader(shape, source)).close();

        assertThat(told).isSorted().doesNotHaveDuplicates().hasSizeGreaterThan(5).endsWith(100);
        assertThat(told).allMatch(hundredths -> hundredths % 10 == 0);
    }
}
