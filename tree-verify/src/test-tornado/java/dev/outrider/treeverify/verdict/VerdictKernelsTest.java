package dev.outrider.treeverify.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.device.RequiresDevice;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The kernels on the device against their plain twin and against the engine's rules.
@RequiresDevice
class VerdictKernelsTest {
    private static final int ROUNDS = 40;

    @Test
    void decideAsTheEngineDoes() {
        int rows = 12;
        for (int vocabulary : new int[] {7, 300, 1031}) {
            try (var graph = new VerdictGraph(Devices.at(0), rows, vocabulary)) {
                for (var rule : DeviceRule.values()) {
                    var random = new Random(31L * vocabulary + rule.name().hashCode());
                    for (int round = 0; round < ROUNDS; round++) {
                        var each = VerdictCase.random(rule, vocabulary, rows, round, random);

                        var verdict = graph.decide(each.request(), each.logits());

                        assertThat(verdict).as("%s", each).isEqualTo(each.ofTheEngine());
                    }
                }
            }
        }
    }

    @Test
    void refusesARoundThatIsTooLarge() {
        try (var graph = new VerdictGraph(Devices.at(0), 4, 7)) {
            var each = VerdictCase.random(DeviceRule.CHAIN_SAMPLED, 8, 4, 1, new Random(5));

            assertThatThrownBy(() -> graph.decide(each.request(), each.logits()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is put to arrays for 4 rows, 7 tokens");
        }
    }
}
