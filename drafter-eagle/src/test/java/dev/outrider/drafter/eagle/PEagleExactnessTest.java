package dev.outrider.drafter.eagle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.Drafting;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.DrafterExactness;
import dev.outrider.testkit.ExactnessPairing;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import dev.outrider.testkit.TokenFeatures;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Tests that drafts in one pass over true features and masks are exact.
class PEagleExactnessTest extends DrafterExactness {
    private static final int MASK = 2;
    private static final float FEATURE = 0.5f;

    @Override
    protected Drafter drafter(ExactnessPairing pairing, int seed) {
        return drafter(
                layer(seed),
                new Drafting(
                        Optional.empty(),
                        Optional.of(pairing.plan()),
                        pairing.sampling().map(Drafting.Sampling::of),
                        pairing.stopBelow(),
                        Optional.empty()));
    }

    @Override
    protected TargetModel target(TableModel table, int seed) {
        return new TokenFeatures(TableTarget.of(table), 1);
    }

    /// A guess sees true features with the tokens after them, and the masks before it.
    @Override
    protected float[] logits(int seed, int[] prompt, int[] drafted) {
        var seen = new ArrayList<List<Float>>();
        for (int position = 0; position + 1 < prompt.length; position++) {
            seen.add(List.of((float) prompt[position + 1], (float) prompt[position]));
        }
        seen.addAll(Collections.nCopies(drafted.length, List.of((float) MASK, FEATURE)));
        return layer(seed).logitsAfter(seen);
    }

    @Test
    void theModelRunsOnceARound() {
        var layer = new TableLayer(VOCABULARY, 5, 1);
        var target = target(TableModel.random(VOCABULARY, DistributionStyle.DENSE, 1), 1);
        int[] prompt = {2, 1, 0};
        try (var drafter = drafter(layer, Drafting.of(new TreePlan.Dynamic(3, 4, 12)));
                var session = drafter.open(new DraftRequest(40, SamplingPolicy.atTemperature(1)));
                var sequence = target.open(new SessionRequest(40, drafter.hiddenStates()))) {
            session.begin(prompt, sequence.prefill(new int[] {2, 1}));
            for (int round = 0; round < 2; round++) {
                // If asked twice, it runs the root's row again.
                session.propose(
                        drafter.traits().fullBudget(),
                        RandomnessSource.of(new KeyedRandomStreams(1, 1)).round(0));
            }
        }
        assertThat(layer.passRows).containsExactly(2 + 3, 1 + 3);
    }

    private static TableLayer layer(int seed) {
        return new TableLayer(VOCABULARY, 200 + seed, 1.5);
    }

    private static Drafter drafter(TableLayer layer, Drafting drafting) {
        return new ParallelDrafter(
                layer,
                List.of(new HiddenState.AfterLayer(1)),
                new EagleLayout.Mask(MASK, new float[] {FEATURE}),
                new DraftVocabulary(VOCABULARY, VOCABULARY),
                drafting,
                1,
                "");
    }
}
