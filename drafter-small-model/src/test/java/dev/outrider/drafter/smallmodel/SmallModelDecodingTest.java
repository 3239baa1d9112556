package dev.outrider.drafter.smallmodel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.common.sampling.OperatorChain;
import dev.outrider.common.sampling.SamplingOperators;
import dev.outrider.drafting.Drafting;
import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.decode.BatchDecoder;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests whole generations through the engine, with target and draft on the real network in 32 bits.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SmallModelDecodingTest {
    private static final int PROMPTS = 100;
    private static final int TOKENS = 12;

    private final TargetModel target = RandomDecoders.target();
    private final List<int[]> plain = new ArrayList<>();

    @BeforeAll
    void decodePlainly() {
        var decoder = Decoder.plain(target, new GreedyRule(), () -> 0);
        for (int prompt = 0; prompt < PROMPTS; prompt++) {
            plain.add(decoder.decode(request(prompt), randomness(prompt)).tokens());
        }
        assertThat(plain.stream().flatMap(ids -> Stream.of(ids[0], ids[5])).distinct().count())
                .as("different first tokens")
                .isGreaterThan(10);
    }

    @AfterAll
    void close() {
        target.close();
    }

    static Stream<TreePlan> plans() {
        return Stream.of(
                new TreePlan.Chain(1),
                new TreePlan.Chain(3),
                new TreePlan.Chain(8),
                new TreePlan.LevelWidths(List.of(3, 2, 1)),
                new TreePlan.RankPaths(
                        List.of(
                                List.of(0),
                                List.of(1),
                                List.of(0, 0),
                                List.of(1, 2),
                                List.of(0, 0, 0))),
                new TreePlan.Dynamic(3, 4, 12),
                new TreePlan.SampledWithReplacement(List.of(2, 2, 1)),
                new TreePlan.SampledWithoutReplacement(List.of(3, 2, 2)));
    }

    @ParameterizedTest
    @MethodSource("plans")
    void greedyIdsEqualPlainDecoding(TreePlan plan) {
        var sampled = Drafting.of(plan).sampledBy(SamplingPolicy.atTemperature(0.7));
        try (var drafter = drafter(sampled, 2)) {
            var rounds = new ArrayList<DecodeEvent.RoundCompleted>();
            for (int prompt = 0; prompt < PROMPTS; prompt += everyPrompt(plan) ? 1 : 5) {
                assertThat(decode(drafter, prompt, rounds)).isEqualTo(plain.get(prompt));
            }
            assertThat(rounds).anyMatch(round -> round.verdict().acceptedLength() > 0);
            assertThat(rounds).anyMatch(SmallModelDecodingTest::partial);
            assertThat(rounds).anyMatch(round -> !partial(round));
        }
    }

    private static boolean everyPrompt(TreePlan plan) {
        return plan.equals(new TreePlan.Chain(3)) || plan instanceof TreePlan.LevelWidths;
    }

    @Test
    void aModelThatDraftsForItselfIsAlwaysAccepted() {
        for (var plan :
                List.of(new TreePlan.Chain(5), new TreePlan.LevelWidths(List.of(2, 1, 2)))) {
            try (var drafter = drafter(Drafting.of(plan), RandomDecoders.TARGET_LAYERS)) {
                var rounds = new ArrayList<DecodeEvent.RoundCompleted>();
                for (int prompt = 0; prompt < 20; prompt++) {
                    assertThat(decode(drafter, prompt, rounds)).isEqualTo(plain.get(prompt));
                }
                assertThat(rounds).noneMatch(SmallModelDecodingTest::partial);
            }
        }
    }

    /// The drafter draws from the distribution by which its draws are judged, including penalties of written tokens and a
    /// truncation by the row.
    @Test
    void aModelThatDraftsForItselfIsAcceptedUnderTheTargetsOperators() {
        var operators =
                new SamplingOperators(
                        "transformers",
                        .8,
                        .5,
                        Map.of("3", 2.0),
                        List.of(5),
                        List.of(),
                        0,
                        Optional.empty(),
                        1.5,
                        1,
                        0,
                        0,
                        0,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
        var chain = OperatorChain.of(operators, RandomDecoders.VOCABULARY, Set.of());
        var policy = SamplingPolicy.atTemperature(1);
        var own = Drafting.of(new TreePlan.Chain(5));
        try (var drafter = drafter(own, RandomDecoders.TARGET_LAYERS);
                var raw = drafter(own.sampledBy(policy), RandomDecoders.TARGET_LAYERS)) {
            assertThat(roundsUnder(drafter, chain, policy))
                    .noneMatch(SmallModelDecodingTest::partial);
            assertThat(roundsUnder(raw, chain, policy))
                    .as("a sampling of its own has no operators")
                    .anyMatch(SmallModelDecodingTest::partial);
        }
    }

    private List<DecodeEvent.RoundCompleted> roundsUnder(
            Drafter drafter, OperatorChain operators, SamplingPolicy policy) {
        var rounds = new ArrayList<DecodeEvent.RoundCompleted>();
        var decoder =
                new Decoder(
                                target,
                                Optional.of(drafter),
                                new TokenRejectionRule(),
                                FixedLength.drafterLimit(),
                                true,
                                () -> 0)
                        .withProcessors(new ProcessorChain(List.of(), true, operators));
        for (int prompt = 0; prompt < 20; prompt++) {
            decoder.decode(
                    DecodeRequest.of(request(prompt).prompt(), TOKENS, policy),
                    randomness(prompt),
                    event -> {
                        if (event instanceof DecodeEvent.RoundCompleted round) {
                            rounds.add(round);
                        }
                    },
                    () -> false);
        }
        return rounds;
    }

    /// Different numbers of accepted tokens in one shared pass: caches of different lengths, trees, sampled tokens.
    @ParameterizedTest
    @ValueSource(doubles = {0, 1})
    void sequencesDecodedTogetherAreWhatEachIsAlone(double temperature) {
        var policy = SamplingPolicy.atTemperature(temperature);
        var plan = new TreePlan.LevelWidths(List.of(2, 2, 1));
        try (var drafter = drafter(Drafting.of(plan), 2)) {
            var decoder =
                    new Decoder(
                            target,
                            Optional.of(drafter),
                            new SampleAndMatchRule(),
                            FixedLength.drafterLimit(),
                            true,
                            () -> 0);
            var items = new ArrayList<BatchDecoder.Item>();
            for (int prompt = 0; prompt < 9; prompt++) {
                int[] ids = request(prompt).prompt();
                var request = DecodeRequest.of(ids, 4 + prompt, policy);
                items.add(
                        new BatchDecoder.Item(request, randomness(prompt), DecodeListener.none()));
            }
            var together = new BatchDecoder(decoder, 4).decode(items, () -> false);
            for (int index = 0; index < items.size(); index++) {
                var alone =
                        decoder.decode(items.get(index).request(), items.get(index).randomness());
                assertThat(together.get(index).orElseThrow().tokens()).isEqualTo(alone.tokens());
            }
        }
    }

    /// Returns whether fewer tokens were accepted than the draft was deep.
    private static boolean partial(DecodeEvent.RoundCompleted round) {
        return round.verdict().acceptedLength() < round.draft().tree().maxDepth();
    }

    private int[] decode(Drafter drafter, int prompt, List<DecodeEvent.RoundCompleted> rounds) {
        var decoder =
                new Decoder(
                        target,
                        Optional.of(drafter),
                        new GreedyRule(),
                        FixedLength.drafterLimit(),
                        true,
                        () -> 0);
        return decoder.decode(
                        request(prompt),
                        randomness(prompt),
                        event -> {
                            if (event instanceof DecodeEvent.RoundCompleted round) {
                                rounds.add(round);
                            }
                        },
                        () -> false)
                .tokens();
    }

    private Drafter drafter(Drafting drafting, int layers) {
        var config = Configs.of(drafting);
        return new SmallModelDrafterFactory((_, _) -> RandomDecoders.draft(layers))
                .create(config, () -> target);
    }

    private static DecodeRequest request(int prompt) {
        var random = new Random(prompt);
        var ids = random.ints(2 + prompt % 9, 0, RandomDecoders.VOCABULARY).toArray();
        return DecodeRequest.of(ids, TOKENS, SamplingPolicy.argmax());
    }

    private static RandomnessSource randomness(int prompt) {
        return RandomnessSource.of(new KeyedRandomStreams(1, prompt));
    }
}
