package dev.outrider.drafter.eagle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.TinyTarget;
import dev.outrider.drafting.feature.FeatureDrafter;
import dev.outrider.drafting.feature.Recycling;
import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetModel;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests the session's alignment: a layer that turns true features into true features must always be right; if its inputs are
/// shifted by one, it must not be (docs/reference/algorithms.md C4).
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OracleTest {
    private static final int PROMPTS = 12;
    private static final int TOKENS = 30;

    private final TargetModel target = TinyTarget.DEEP.open();

    @AfterAll
    void close() {
        target.close();
    }

    static Stream<TreePlan> plans() {
        return Stream.of(
                new TreePlan.Chain(1),
                new TreePlan.Chain(5),
                new TreePlan.LevelWidths(List.of(3, 2, 1, 1)),
                new TreePlan.Dynamic(1, 4, 4));
    }

    @ParameterizedTest
    @MethodSource("plans")
    void aLayerThatKnowsTheNextFeatureIsAlwaysAccepted(TreePlan plan) {
        for (int prompt = 0; prompt < PROMPTS; prompt++) {
            var counts = decode(prompt, plan, Shift.NONE);
            assertThat(counts.accepted())
                    .describedAs("prompt %d", prompt)
                    .isEqualTo(counts.deepest());
            assertThat(counts.accepted()).isGreaterThan(TOKENS / 4);
        }
    }

    @Test
    void aDynamicTreeOfTrueFeaturesFindsTheTargetsPath() {
        // The most probable nodes do not always contain the whole greedy path, so a few rounds
        // accept less.
        int accepted = 0;
        int deepest = 0;
        for (int prompt = 0; prompt < PROMPTS; prompt++) {
            var counts = decode(prompt, new TreePlan.Dynamic(3, 5, 14), Shift.NONE);
            accepted += counts.accepted();
            deepest += counts.deepest();
        }
        assertThat((double) accepted / deepest).isGreaterThan(0.7);
    }

    @Test
    void nothingShiftedByOneIsAccepted() {
        var plan = new TreePlan.Chain(5);
        for (var shift : List.of(Shift.FEATURE_BEFORE, Shift.TOKEN)) {
            int accepted = 0;
            int deepest = 0;
            for (int prompt = 0; prompt < PROMPTS; prompt++) {
                var counts = decode(prompt, plan, shift);
                accepted += counts.accepted();
                deepest += counts.deepest();
            }
            assertThat((double) accepted / deepest).describedAs("%s", shift).isLessThan(0.4);
        }
    }

    /// The pairs of features and tokens that are shifted.
    enum Shift {
        NONE,
        FEATURE_BEFORE,
        TOKEN
    }

    private record Counts(int accepted, int deepest) {}

    private Counts decode(int prompt, TreePlan plan, Shift shift) {
        var random = new Random(prompt);
        var ids = random.ints(3 + prompt % 7, 0, TinyTarget.VOCABULARY).toArray();
        var counts = new int[2];
        try (var drafter = drafter(ids[0], plan, shift)) {
            new Decoder(
                            target,
                            Optional.of(drafter),
                            new GreedyRule(),
                            FixedLength.drafterLimit(),
                            true,
                            () -> 0)
                    .decode(
                            DecodeRequest.of(ids, TOKENS, SamplingPolicy.argmax()),
                            RandomnessSource.of(new KeyedRandomStreams(1, prompt)),
                            event -> {
                                if (event instanceof DecodeEvent.RoundCompleted round) {
                                    counts[0] += round.verdict().acceptedLength();
                                    counts[1] += round.draft().tree().maxDepth();
                                }
                            },
                            () -> false);
        }
        return new Counts(counts[0], counts[1]);
    }

    private static Drafter drafter(int firstToken, TreePlan plan, Shift shift) {
        var drafter =
                new FeatureDrafter(
                        List.of(new OracleLayer(firstToken)),
                        List.of(new HiddenState.AfterFinalNorm()),
                        Recycling.BEFORE_NORM,
                        new DraftVocabulary(TinyTarget.VOCABULARY, TinyTarget.VOCABULARY),
                        Drafting.of(plan).sampledBy(SamplingPolicy.argmax()),
                        0,
                        "");
        return shift == Shift.NONE ? drafter : new ShiftedDrafter(drafter, shift);
    }
}
