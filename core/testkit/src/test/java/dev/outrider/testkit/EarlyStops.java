package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// Whether a drafter's stop is at work in a test: it ends some drafts short, and not all. Beside [DrafterConformance],
/// which a stop that never fires would pass.
public final class EarlyStops {
    private static final int PROMPTS = 10;
    private static final int ROUNDS = 5;

    private EarlyStops() {}

    /// Checks the first rounds of ten sampled sequences.
    ///
    /// @param target  the target, of more than 20 tokens; room for every round's whole draft
    /// @param drafter one that stops, and whose drafts have at most 8 levels
    public static void assertSometimes(TargetModel target, Drafter drafter) {
        var nodes = new ArrayList<Integer>();
        for (int prompt = 1; prompt <= PROMPTS; prompt++) {
            nodes.addAll(drafted(target, drafter, prompt));
        }
        assertThat(nodes)
                .describedAs("nodes of the drafts, some of them whole")
                .contains(drafter.traits().maxNodes());
        assertThat(Collections.min(nodes))
                .describedAs("nodes of the shortest draft")
                .isLessThan(drafter.traits().maxNodes());
    }

    private static List<Integer> drafted(TargetModel target, Drafter drafter, int prompt) {
        var decoder =
                new Decoder(
                        target,
                        Optional.of(drafter),
                        new SampleAndMatchRule(),
                        FixedLength.drafterLimit(),
                        true,
                        () -> 0);
        var request =
                new DecodeRequest(
                        new int[] {prompt, 2 * prompt},
                        (ROUNDS + 2) * (drafter.traits().maxDepth() + 1),
                        SamplingPolicy.atTemperature(1),
                        List.of(),
                        true);
        var nodes = new ArrayList<Integer>();
        decoder.decode(
                request,
                RandomnessSource.of(new KeyedRandomStreams(1, prompt)),
                event -> {
                    if (event instanceof DecodeEvent.RoundCompleted done && done.round() < ROUNDS) {
                        nodes.add(done.draft().tree().draftedNodes());
                    }
                },
                () -> false);
        return nodes;
    }
}
