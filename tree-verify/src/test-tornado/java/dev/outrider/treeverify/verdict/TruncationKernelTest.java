package dev.outrider.treeverify.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.spi.SamplingPolicy;
import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.device.RequiresDevice;
import dev.outrider.treeverify.verdict.PlainTruncation.Kept;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// The device keeps what the policy and the kernel's twin keep.
@RequiresDevice
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TruncationKernelTest extends TruncationContract {
    private final Map<Integer, VerdictGraph> graphs = new HashMap<>();

    /// Where the sum comes near what is wanted, rounding can keep a token more or less, of hardly any mass.
    @Test
    void agreesWithItsTwin() {
        var random = new Random(17);
        int different = 0;
        for (int vocabulary : new int[] {5, 127, 128, 129, 500, 4096}) {
            for (int round = 0; round < 60; round++) {
                double temperature = 0.05 + 3 * random.nextDouble();
                var policy = VerdictCase.truncated(temperature, vocabulary, random);
                float[] logits = rows(vocabulary, random);
                var request = request(ROWS, vocabulary, policy);

                var kept = kept(request, logits);

                if (!request.truncation().equals(Truncation.NONE)) {
                    different += compare(policy, kept, PlainTruncationTest.of(request, logits));
                }
            }
        }
        assertThat(different).isLessThan(10);
    }

    /// A round of fewer rows than the arrays have room for, and one behind it that removes nothing.
    @Test
    void leavesNothingBehind() {
        float[] logits = rows(300, new Random(3));
        var truncated = request(2, 300, new SamplingPolicy(1, 3, 0.9, 0, 1));
        var whole = request(ROWS, 300, SamplingPolicy.atTemperature(1));

        assertThat(kept(truncated, logits)).hasSize(2);
        assertThat(kept(whole, logits))
                .allMatch(kept -> kept.limit() < -1e38f && kept.last() == 299);
    }

    @AfterAll
    void close() {
        graphs.values().forEach(VerdictGraph::close);
    }

    @Override
    List<Kept> kept(VerdictRequest request, float[] logits) {
        var graph =
                graphs.computeIfAbsent(
                        request.vocabulary(),
                        vocabulary ->
                                new VerdictGraph(Devices.at(0), ROWS, vocabulary));
        graph.decide(request, logits);
        return graph.kept(request);
    }

    /// How many rows keep other tokens than the twin's.
    private static int compare(SamplingPolicy policy, List<Kept> actual, List<Kept> twins) {
        int different = 0;
        for (int row = 0; row < ROWS; row++) {
            var kept = actual.get(row);
            var twin = twins.get(row);
            assertThat(kept.sum())
                    .as("%s, row %d", policy, row)
                    .isCloseTo(twin.sum(), within(1e-5f * twin.sum()));
            boolean same = kept.limit() == twin.limit() && kept.last() == twin.last();
            different += same ? 0 : 1;
        }
        return different;
    }
}
