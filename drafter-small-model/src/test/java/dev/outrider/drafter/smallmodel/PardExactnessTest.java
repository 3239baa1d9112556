package dev.outrider.drafter.smallmodel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.drafting.Drafting;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.testkit.DrafterExactness;
import dev.outrider.testkit.ExactnessPairing;
import dev.outrider.testkit.LetterTokenizer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Tests that drafts in one pass over masks are exact.
class PardExactnessTest extends DrafterExactness {
    private static final int MASK = 2;

    @Override
    protected Drafter drafter(ExactnessPairing pairing, int seed) {
        return drafter(network(seed), Configs.drafting(pairing));
    }

    /// A mask sees the committed tokens and the masks before it.
    @Override
    protected float[] logits(int seed, int[] prompt, int[] drafted) {
        List<Integer> seen = new ArrayList<>(IntStream.of(prompt).boxed().toList());
        seen.addAll(Collections.nCopies(drafted.length, MASK));
        return network(seed).logitsAfter(seen);
    }

    @Test
    void theModelRunsOnceARound() {
        var network = new TableNetwork(VOCABULARY, 5, 1);
        try (var drafter = drafter(network, Drafting.of(new TreePlan.Dynamic(3, 4, 12)));
                var session = drafter.open(new DraftRequest(40, SamplingPolicy.atTemperature(1)))) {
            session.begin(new int[] {2, 1, 0}, SessionDriver.NO_STATES);
            for (int round = 0; round < 2; round++) {
                // If asked twice, it runs the root's row again.
                session.propose(
                        drafter.traits().fullBudget(),
                        RandomnessSource.of(new KeyedRandomStreams(1, 1)).round(0));
            }
        }
        assertThat(network.passRows()).containsExactly(3 + 3, 1 + 3);
    }

    private static TableNetwork network(int seed) {
        return new TableNetwork(VOCABULARY, 200 + seed, 1.5);
    }

    private static Drafter drafter(TableNetwork network, Drafting drafting) {
        var model =
                new DraftModel(
                        network,
                        new LetterTokenizer(VOCABULARY),
                        VOCABULARY,
                        100,
                        1,
                        "",
                        Optional.empty());
        return new PardDrafter(drafting, model, MASK, VOCABULARY);
    }
}
