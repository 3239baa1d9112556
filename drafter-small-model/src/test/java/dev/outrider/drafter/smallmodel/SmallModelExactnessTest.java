package dev.outrider.drafter.smallmodel;

import dev.outrider.engine.acceptance.BlockVerificationRule;
import dev.outrider.engine.acceptance.GumbelCoupledRule;
import dev.outrider.engine.acceptance.MultiStepRule;
import dev.outrider.engine.acceptance.OneHotRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.acceptance.TraversalRule;
import dev.outrider.engine.acceptance.WithoutReplacementRule;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.spi.AcceptanceRule;
import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.TreePlan;
import dev.outrider.testkit.ExactLaw;
import dev.outrider.testkit.LawStyle;
import dev.outrider.testkit.LetterTokenizer;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Two rounds of drafting, judging and observing, enumerated over every coin: the tokens follow the target's
/// law exactly, whatever the drafter's model, sampling, shape and stop rule.
class SmallModelExactnessTest {
    private static final int VOCABULARY = 3;
    private static final int[] PROMPT = {1, 0};
    private static final SamplingPolicy TARGET = new SamplingPolicy(0.8, 0, 1, 0, 1.2);

    /// Nodes with two, one and no children, the younger sibling with more below it than a level plan could say.
    private static final List<List<Integer>> SHAPE =
            List.of(List.of(0), List.of(1), List.of(1, 0), List.of(1, 1), List.of(1, 0, 0));

    private static final List<List<Integer>> PAIR = List.of(List.of(0), List.of(1), List.of(1, 0));

    /// One pairing.
    record Pairing(String name, SmallModelConfig config, AcceptanceRule rule, int rounds) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Pairing> pairings() {
        var token = new TokenRejectionRule();
        var oneHot = new OneHotRule();
        return Stream.of(
                new Pairing(
                        "chain that stops, judged as a block",
                        config(new TreePlan.Chain(3), Optional.empty(), 0.4, Optional.empty()),
                        new BlockVerificationRule(),
                        1),
                new Pairing(
                        "independent siblings, judged by their law",
                        config(new TreePlan.SampledWithReplacement(List.of(2, 1))),
                        new MultiStepRule(),
                        1),
                new Pairing(
                        "distinct siblings that stop, judged by their law",
                        config(
                                new TreePlan.SampledWithoutReplacement(List.of(2, 2)),
                                Optional.empty(),
                                0.3,
                                Optional.empty()),
                        new WithoutReplacementRule(),
                        1),
                new Pairing(
                        "distinct siblings that stop, judged from the leaves",
                        config(
                                new TreePlan.SampledWithoutReplacement(List.of(2, 2)),
                                Optional.empty(),
                                0.3,
                                Optional.empty()),
                        new TraversalRule(),
                        1),
                new Pairing(
                        "distinct siblings of an explicit shape, judged by their law",
                        config(new TreePlan.SampledPaths(SHAPE, false)),
                        new WithoutReplacementRule(),
                        1),
                new Pairing(
                        "distinct siblings of an explicit shape, judged from the leaves",
                        config(new TreePlan.SampledPaths(SHAPE, false)),
                        new TraversalRule(),
                        1),
                new Pairing(
                        "distinct siblings of an explicit shape that stop, in two rounds",
                        config(
                                new TreePlan.SampledPaths(PAIR, false),
                                Optional.empty(),
                                0.4,
                                Optional.empty()),
                        new WithoutReplacementRule(),
                        2),
                new Pairing(
                        "independent siblings of an explicit shape, judged by their law",
                        config(new TreePlan.SampledPaths(SHAPE, true)),
                        new MultiStepRule(),
                        1),
                new Pairing("chain", config(new TreePlan.Chain(2)), token, 2),
                new Pairing("long chain", config(new TreePlan.Chain(4)), token, 1),
                new Pairing(
                        "chain with a sampler of its own",
                        config(new TreePlan.Chain(2), sampling(1.7, 2), 0, Optional.empty()),
                        token,
                        2),
                new Pairing(
                        "greedy chain",
                        config(new TreePlan.Chain(3), sampling(0, 0), 0, Optional.empty()),
                        token,
                        2),
                new Pairing(
                        "chain that stops after an unlikely token",
                        config(new TreePlan.Chain(3), Optional.empty(), 0.4, Optional.empty()),
                        token,
                        2),
                new Pairing(
                        "chain that stops before an uncertain law",
                        config(
                                new TreePlan.Chain(3),
                                Optional.empty(),
                                0,
                                Optional.of(new SmallModelConfig.EntropyStop(0.3, 0.5))),
                        token,
                        2),
                new Pairing(
                        "level widths", config(new TreePlan.LevelWidths(List.of(2, 2))), oneHot, 2),
                new Pairing(
                        "level widths that stop at unlikely tokens",
                        config(
                                new TreePlan.LevelWidths(List.of(2, 2, 1)),
                                Optional.empty(),
                                0.4,
                                Optional.empty()),
                        oneHot,
                        2),
                new Pairing(
                        "coupled tree, judged with the same noise",
                        config(new TreePlan.Coupled(List.of(2, 1))),
                        new GumbelCoupledRule(),
                        2),
                new Pairing(
                        "coupled tree, judged by a rule that knows nothing of it",
                        config(new TreePlan.Coupled(List.of(2, 1))),
                        oneHot,
                        1),
                new Pairing("dynamic tree", config(new TreePlan.Dynamic(2, 3, 5)), oneHot, 2),
                new Pairing(
                        "independent siblings",
                        config(new TreePlan.SampledWithReplacement(List.of(2, 1))),
                        oneHot,
                        1),
                new Pairing(
                        "distinct siblings",
                        config(new TreePlan.SampledWithoutReplacement(List.of(2, 2))),
                        oneHot,
                        1));
    }

    @ParameterizedTest
    @MethodSource("pairings")
    void tokensFollowTheTargetsLaw(Pairing pairing) {
        for (int seed = 0; seed < 4; seed++) {
            var target =
                    TableModel.random(
                            VOCABULARY, LawStyle.values()[seed % LawStyle.values().length], seed);
            var model =
                    new DraftModel(
                            new TableNetwork(VOCABULARY, 200 + seed, 1.5),
                            new LetterTokenizer(VOCABULARY),
                            VOCABULARY,
                            100,
                            1,
                            "");
            try (var drafter = new SmallModelDrafter(pairing.config(), model, VOCABULARY)) {
                var decoder =
                        new Decoder(
                                TableTarget.of(target),
                                Optional.of(drafter),
                                pairing.rule(),
                                FixedLength.drafterLimit(),
                                true,
                                () -> 0);

                ExactLaw.assertExact(decoder, target, TARGET, PROMPT, pairing.rounds(), 5);
            }
        }
    }

    private static SmallModelConfig config(TreePlan plan) {
        return config(plan, Optional.empty(), 0, Optional.empty());
    }

    private static SmallModelConfig config(
            TreePlan plan,
            Optional<SmallModelConfig.DraftSampling> sampling,
            double confidence,
            Optional<SmallModelConfig.EntropyStop> entropy) {
        return Configs.of(Optional.empty(), Optional.of(plan), sampling, confidence, entropy);
    }

    private static Optional<SmallModelConfig.DraftSampling> sampling(double temperature, int topK) {
        return Optional.of(new SmallModelConfig.DraftSampling(temperature, topK, 1, 0, 1));
    }
}
