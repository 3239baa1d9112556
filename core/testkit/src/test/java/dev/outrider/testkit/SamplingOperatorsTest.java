package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import dev.outrider.common.sampling.DistributionBuffer;
import dev.outrider.common.sampling.OperatorChain;
import dev.outrider.common.sampling.OperatorRow;
import dev.outrider.common.sampling.SamplingOperators.Dry;
import dev.outrider.common.sampling.SamplingOperators.DynamicTemperature;
import dev.outrider.common.sampling.SamplingOperators.Mirostat;
import dev.outrider.common.sampling.SamplingOperators.Xtc;
import dev.outrider.engine.acceptance.BlockVerificationRule;
import dev.outrider.engine.acceptance.KSequentialRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.acceptance.TraversalRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.LazyDistributions;
import dev.outrider.engine.exactness.SequenceCells;
import dev.outrider.engine.exactness.TokenQuantiles;
import dev.outrider.engine.exactness.Trace;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.engine.scoring.ScoredToken;
import dev.outrider.engine.scoring.TextRows;
import dev.outrider.engine.scoring.TokenScore;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.DoublePredicate;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Operators in the production loop, with every random outcome, against definitions that are written down here for
/// probabilities of the written text.
class SamplingOperatorsTest {
    private static final int VOCABULARY = 4;
    private static final int END = 3;
    private static final double TEMPERATURE = .8;
    private static final int[] PROMPT = {0, 1, 0};
    private static final SamplingPolicy POLICY = SamplingPolicy.atTemperature(TEMPERATURE);
    private static final SamplingPolicy TRUNCATING =
            new SamplingPolicy(TEMPERATURE, 3, .9, .1, 1.3);
    private static final SamplingPolicy TWO = new SamplingPolicy(TEMPERATURE, 2, .75, 0, 1);

    private final TableModel raw = TableModel.random(VOCABULARY, DistributionStyle.DENSE, 5);
    private final TableModel draft = TableModel.random(VOCABULARY, DistributionStyle.DENSE, 6);

    /// Operators, the policy beside them, and the distribution after a text that they mean.
    private enum Case {
        PENALTIES(
                true,
                POLICY,
                text -> text.tempered(token -> loss(.8, .5, text.count(token))),
                "presencePenalty",
                .8,
                "frequencyPenalty",
                .5),
        BIAS(
                false,
                POLICY,
                text -> text.tempered(token -> token == 0 ? -1.5 : token == 2 ? 1 : 0),
                "bias",
                Map.of("0", 1.5, "2", -1.0)),
        BANNED(
                false,
                POLICY,
                text -> text.tempered(token -> token == 1 ? 1e9 : 0),
                "banned",
                List.of(1)),
        ALLOWED(
                false,
                POLICY,
                text -> text.tempered(token -> token == 1 ? 1e9 : 0),
                "allowed",
                List.of(0, 2, 3)),
        MIN_TOKENS(
                true,
                POLICY,
                text -> text.tempered(token -> token == END && text.written.size() < 2 ? 1e9 : 0),
                "minTokens",
                2),
        DRY(
                true,
                POLICY,
                text ->
                        text.tempered(token ->
                                text.run(token) == 0
                                        ? 0
                                        : 1.2 * Math.pow(1.5, text.run(token) - 1)),
                "dry",
                Optional.of(new Dry(1.2, 1.5, 1, 0, List.of(2)))),
        TOP_N_SIGMA(false, POLICY, text -> nSigma(text.tempered(), .7), "topNSigma", .7),
        TYPICAL(false, POLICY, text -> typical(text.tempered(), .3), "typical", .3),
        EPSILON(false, POLICY, text -> atLeast(text.tempered(), .2), "epsilon", .2),
        ETA(
                false,
                POLICY,
                text ->
                        atLeast(
                                text.tempered(),
                                Math.min(.6, Math.sqrt(.6) * Math.exp(-entropy(text.tempered())))),
                "eta",
                .6),
        TOP_A(
                false,
                POLICY,
                text -> atLeast(text.tempered(), .6 * square(max(text.tempered()))),
                "topA",
                .6),
        XTC(
                false,
                POLICY,
                text -> mixed(text.tempered(), .4, .15, p -> p),
                "xtc",
                Optional.of(new Xtc(.4, .15))),
        DYNAMIC_TEMPERATURE(
                false,
                POLICY,
                text -> dynamic(text.softmax(), .5, 1.5),
                "dynamicTemperature",
                Optional.of(new DynamicTemperature(.5, 1.5))),
        MIROSTAT(
                true,
                POLICY,
                text -> surprising(text, 1, 1),
                "mirostat",
                Optional.of(new Mirostat(1, 1))),
        LLAMA_CPP(
                false,
                TRUNCATING,
                text -> {
                    double[] p = best(nSigma(text.penalised(1.3), 1.5), 3);
                    p = nucleus(typical(p, .95), .9);
                    p = atLeast(p, .1 * max(p));
                    return mixed(p, .5, .1, each -> powered(each, 1 / TEMPERATURE));
                },
                "order",
                "llama.cpp",
                "topNSigma",
                1.5,
                "typical",
                .95,
                "xtc",
                Optional.of(new Xtc(.5, .1))),
        SGLANG(
                false,
                TWO,
                text -> {
                    double[] p = text.tempered();
                    var kept = List.of(indices(best(p, 2)), indices(nucleus(p, .75)));
                    return renormalised(
                            IntStream.range(0, VOCABULARY)
                                    .mapToDouble(token ->
                                            kept.stream().allMatch(each -> each.contains(token))
                                                    ? p[token]
                                                    : 0)
                                    .toArray());
                },
                "order",
                "sglang"),
        LISTED(
                false,
                TRUNCATING,
                text -> {
                    double[] p =
                            best(powered(typical(text.penalised(1.3), .5), 1 / TEMPERATURE), 3);
                    return atLeast(nucleus(p, .9), .1 * max(p));
                },
                "order",
                "repetitionPenalty,typical, temperature, topK, topP, minP",
                "typical",
                .5);

        final boolean ofHistory;
        final SamplingPolicy policy;
        final Function<Text, double[]> definition;
        final OperatorChain operators;

        Case(
                boolean ofHistory,
                SamplingPolicy policy,
                Function<Text, double[]> definition,
                Object... settings) {
            this.ofHistory = ofHistory;
            this.policy = policy;
            this.definition = definition;
            this.operators =
                    OperatorChain.of(OperatorSettings.of(settings), VOCABULARY, Set.of(END));
        }

        /// Not beside the prompt's end: the root's history differs from that of a node.
        static List<Case> ofHistory() {
            return Arrays.stream(values()).filter(each -> each.ofHistory).toList();
        }
    }

    static Stream<Arguments> pairings() {
        return Stream.of(
                Arguments.of(new TokenRejectionRule(), new TreePlan.Chain(2)),
                Arguments.of(
                        new KSequentialRule(), new TreePlan.SampledWithReplacement(List.of(2, 1))),
                Arguments.of(new BlockVerificationRule(), new TreePlan.Chain(2)),
                Arguments.of(
                        new TraversalRule(),
                        new TreePlan.SampledWithoutReplacement(List.of(2, 1))));
    }

    /// A chain and a tree; what looks at the text before a node also with rules that judge whole paths.
    static Stream<Arguments> casesAndPairings() {
        return Arrays.stream(Case.values())
                .flatMap(each ->
                        pairings()
                                .limit(each.ofHistory ? 4 : 2)
                                .map(pair -> Arguments.of(each, pair.get()[0], pair.get()[1])));
    }

    @ParameterizedTest
    @MethodSource("casesAndPairings")
    void speculationFollowsTheDefinition(Case each, AcceptanceRule rule, TreePlan plan) {
        int rounds = plan instanceof TreePlan.Chain ? 2 : 1;

        assertThat(error(decoder(rule, plan, each), each, rounds))
                .isLessThan(ExactDistribution.TOLERANCE);
    }

    @ParameterizedTest
    @EnumSource
    void plainDecodingFollowsTheDefinition(Case each) {
        var plain =
                Decoder.plain(TableTarget.of(raw), new TokenRejectionRule(), () -> 0)
                        .withProcessors(chain(each));

        assertThat(error(plain, each, 4)).isLessThan(ExactDistribution.TOLERANCE);
    }

    /// The cells that outputs of large models are counted in.
    @ParameterizedTest
    @EnumSource
    void theCellsOfATestHaveTheProbabilitiesOfTheDefinition(Case each) {
        var request = DecodeRequest.of(PROMPT, 3, each.policy);
        var cells = SequenceCells.of(TableTarget.of(raw), chain(each), request, 1_000_000);
        var probability = new double[cells.size()];
        completed(Map.of(List.of(), 1.0), each, 3)
                .forEach((tokens, mass) -> {
                    int[] continuation = tokens.stream().mapToInt(Integer::intValue).toArray();
                    probability[cells.place(continuation).cell()] += mass;
                });

        double[] distribution = cells.distribution();
        for (int cell = 0; cell < probability.length; cell++) {
            assertThat(distribution[cell] - probability[cell])
                    .isBetween(-ExactDistribution.TOLERANCE, ExactDistribution.TOLERANCE);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theScoresOfATextHaveTheProbabilitiesOfTheDefinition(Case each) {
        var rows = new TextRows(TableTarget.of(raw), List.of());
        completed(Map.of(List.of(), 1.0), each, 3)
                .forEach((tokens, mass) -> {
                    int[] written = tokens.stream().mapToInt(Integer::intValue).toArray();
                    var scored =
                            ScoredToken.of(
                                    rows, chain(each), each.policy, PROMPT, written, VOCABULARY);

                    assertThat(scored).hasSize(PROMPT.length - 1 + written.length);
                    var drawn = scored.stream().flatMap(one -> one.processed().stream()).toList();
                    assertThat(drawn).hasSameSizeAs(tokens);
                    assertThat(
                                    Math.exp(
                                            drawn.stream()
                                                    .mapToDouble(TokenScore::logProbability)
                                                    .sum()))
                            .isCloseTo(mass, offset(ExactDistribution.TOLERANCE));
                    assertThat(drawn)
                            .allSatisfy(one ->
                                    assertThat(
                                                    one.candidates().stream()
                                                            .mapToDouble(other ->
                                                                    Math.exp(
                                                                            other.logProbability()))
                                                            .sum())
                                            .isCloseTo(1, offset(ExactDistribution.TOLERANCE)));
                });
    }

    @ParameterizedTest
    @EnumSource
    void theEnumerationSeesADecoderWithoutTheOperators(Case each) {
        var without =
                Toy.decoder(
                        TableTarget.of(raw),
                        new TableDrafter(draft, new TreePlan.Chain(2), POLICY),
                        new TokenRejectionRule());

        assertThat(error(without, each, 1)).isGreaterThan(.01);
    }

    @ParameterizedTest
    @MethodSource("dev.outrider.testkit.SamplingOperatorsTest$Case#ofHistory")
    void theEnumerationSeesARuleThatReadsTheHistoryOfTheRoot(Case each) {
        var plan = new TreePlan.Chain(2);
        var rule = new RuleOfTheRoot(new TokenRejectionRule(), each);

        assertThat(error(decoder(rule, plan, each), each, 1)).isGreaterThan(.005);
    }

    @Test
    void theEnumerationSeesTheTruncationsOfAnotherOrder() {
        var plan = new TreePlan.Chain(2);
        var other = decoder(new TokenRejectionRule(), plan, Case.LISTED);

        assertThat(error(other, Case.SGLANG, 1)).isGreaterThan(.01);
    }

    /// The definitions of the first cases change single tokens; at temperature 0 all others leave the logits, but for the repetition penalty.
    @ParameterizedTest
    @EnumSource
    void greedyOutputIsTheArgmaxOfTheDefinition(Case each) {
        double penalty = each.policy.repetitionPenalty();
        var request = DecodeRequest.of(PROMPT, 20, new SamplingPolicy(0, 0, 1, 0, penalty));
        var randomness = RandomnessSource.of(new KeyedRandomStreams(1, 0));
        var plain =
                Decoder.plain(TableTarget.of(raw), new TokenRejectionRule(), () -> 0)
                        .withProcessors(chain(each));
        var tree = decoder(new KSequentialRule(), new TreePlan.LevelWidths(List.of(2, 2)), each);
        boolean single = each.ordinal() <= Case.DRY.ordinal();
        int[] expected = greedy(single ? each.definition : text -> text.penalised(penalty));

        assertThat(plain.decode(request, randomness).tokens()).isEqualTo(expected);
        assertThat(tree.decode(request, randomness).tokens()).isEqualTo(expected);
        if (single || penalty != 1) {
            assertThat(expected).isNotEqualTo(greedy(Text::softmax));
        }
    }

    private int[] greedy(Function<Text, double[]> definition) {
        var written = new ArrayList<Integer>();
        while (written.size() < 20) {
            written.add(mode(definition.apply(new Text(raw, written))));
        }
        return written.stream().mapToInt(Integer::intValue).toArray();
    }

    @ParameterizedTest
    @EnumSource
    void theModeOfANodeIsTheMostProbableTokenOfTheDefinition(Case each) {
        boolean differs = false;
        for (int[] path : new int[][] {{0, 1, 2}, {1, 2, 2}, {2, 0, 1}, {3, 3, 0}, {1, 1, 3}}) {
            var tree = TokenTree.chain(PROMPT[PROMPT.length - 1], path);
            try (var session = TableTarget.of(raw).open(SessionRequest.ofCapacity(16))) {
                session.prefill(Arrays.copyOf(PROMPT, PROMPT.length - 1)).close();
                var scores = session.score(tree);
                var target =
                        new LazyDistributions(
                                each.policy,
                                chain(each).on(VOCABULARY),
                                VOCABULARY,
                                scores,
                                tree,
                                new TokenHistory(PROMPT, PROMPT.length, new int[0], PROMPT.length));
                for (int node = 0; node <= path.length; node++) {
                    var written = Arrays.stream(path).limit(node).boxed().toList();
                    var text = new Text(raw, written);
                    assertThat(target.mode(node)).isEqualTo(mode(each.definition.apply(text)));
                    differs |= target.mode(node) != mode(text.softmax());
                }
            }
        }
        if (each == Case.TYPICAL || each == Case.XTC) {
            assertThat(differs).isTrue();
        }
    }

    private static int mode(double[] p) {
        return IntStream.range(0, p.length)
                .filter(token -> p[token] == max(p))
                .findFirst()
                .orElseThrow();
    }

    /// A chain whose mirostat never learns keeps its first state.
    @Test
    void quantilesOfTextsFollowTheStateAlongThem() {
        var still = Optional.of(new Mirostat(1, 0));
        var settings = OperatorSettings.of("mirostat", still);
        var operators = OperatorChain.of(settings, VOCABULARY, Set.of(END));

        assertThat(refuted(chain(Case.MIROSTAT))).isFalse();
        assertThat(refuted(new ProcessorChain(List.of(), true, operators))).isTrue();
    }

    private boolean refuted(ProcessorChain supposed) {
        var target = TableTarget.of(raw);
        var plain =
                Decoder.plain(target, new TokenRejectionRule(), () -> 0)
                        .withProcessors(chain(Case.MIROSTAT));
        var quantiles = new TokenQuantiles(target, supposed, new SplittableRandom(4));
        for (int number = 0; quantiles.tokens() < 2000; number++) {
            var request = new DecodeRequest(PROMPT, 20, POLICY, List.of(), true);
            var randomness = RandomnessSource.of(new KeyedRandomStreams(1, number));
            var trace = new Trace();
            var done = plain.decode(request, randomness, trace, () -> false);
            quantiles.add(request, done.tokens(), trace);
        }
        return quantiles.byProbability(1e-4).rejected();
    }

    @Test
    void endTokensThatTheTargetDoesNotHaveAreLeftOut() {
        var settings = OperatorSettings.of("minTokens", 2);
        var operators = OperatorChain.of(settings, VOCABULARY, Set.of(END, VOCABULARY));

        assertThat(operatedMode(operators, 0, 0, 0, 1)).isZero();
    }

    @Test
    void aRowOfWhichNoTokenIsLeftIsTheOperatorsFault() {
        var settings = OperatorSettings.of("allowed", List.of(1, 2));
        var operators = OperatorChain.of(settings, VOCABULARY, Set.of());
        float none = Float.NEGATIVE_INFINITY;

        assertThatThrownBy(() -> operatedMode(operators, 1, none, none, 0))
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith(
                        "CONFIG_INVALID: no token is possible after 3 tokens: the operators 'allowed [1, 2]' remove every token");
    }

    private static int operatedMode(OperatorChain operators, float... logits) {
        var history = new TokenHistory(PROMPT, PROMPT.length, new int[0], PROMPT.length);
        return new OperatorRow(operators, VOCABULARY)
                .mode(SamplingPolicy.argmax(), MemorySegment.ofArray(logits), history);
    }

    @Test
    void theLabelNamesWhatIsOnAndTheOrder() {
        assertThat(Case.LLAMA_CPP.operators.label())
                .isEqualTo(
                        "topNSigma 1.5, typical 0.95, xtc [probability 0.5, threshold 0.1], order llama.cpp");
        assertThat(Case.SGLANG.operators.label()).isEqualTo("order sglang");
        assertThat(OperatorChain.none().label()).isEmpty();
    }

    @Test
    void settingsThatDoNotFitTheTargetAreRefused() {
        assertRefused(
                "operators name the token 4, but the target's last one is 3", "banned", List.of(4));
        assertRefused(
                "operators leave no token possible: allowed has 2, banned 1 of 4, and minTokens is 1",
                "allowed",
                List.of(1, END),
                "banned",
                List.of(1),
                "minTokens",
                1);
    }

    private static void assertRefused(String message, Object... settings) {
        var operators = OperatorSettings.of(settings);

        assertThatThrownBy(() -> OperatorChain.of(operators, VOCABULARY, Set.of(END)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    private ProcessorChain chain(Case each) {
        return new ProcessorChain(List.of(), true, each.operators);
    }

    private Decoder decoder(AcceptanceRule rule, TreePlan plan, Case each) {
        return Toy.decoder(TableTarget.of(raw), new TableDrafter(draft, plan, POLICY), rule)
                .withProcessors(chain(each));
    }

    /// How far the first three tokens are from what a case means.
    private double error(Decoder decoder, Case each, int rounds) {
        var emitted = ExactDistribution.emitted(decoder, each.policy, PROMPT, rounds);
        return ExactDistribution.distance(
                completed(emitted, each, 3), completed(Map.of(List.of(), 1.0), each, 3));
    }

    /// Returns the distribution of emitted tokens, cut or completed to a length by the definition.
    private Map<List<Integer>, Double> completed(
            Map<List<Integer>, Double> emitted, Case each, int length) {
        var distribution = new HashMap<List<Integer>, Double>();
        emitted.forEach((tokens, mass) -> complete(distribution, each, tokens, mass, length));
        return distribution;
    }

    private void complete(
            Map<List<Integer>, Double> distribution,
            Case each,
            List<Integer> tokens,
            double mass,
            int length) {
        if (tokens.size() >= length) {
            distribution.merge(tokens.subList(0, length), mass, Double::sum);
            return;
        }
        double[] next = each.definition.apply(new Text(raw, tokens));
        for (int token = 0; token < VOCABULARY; token++) {
            if (next[token] > 0) {
                var longer = new ArrayList<>(tokens);
                longer.add(token);
                complete(distribution, each, longer, mass * next[token], length);
            }
        }
    }

    /// A faulty rule: every node's distribution has the tokens, and the state, of the root alone behind it. For one round.
    private final class RuleOfTheRoot implements AcceptanceRule {
        private final AcceptanceRule honest;
        private final Case each;

        RuleOfTheRoot(AcceptanceRule honest, Case each) {
            this.honest = honest;
            this.each = each;
        }

        @Override
        public RuleTraits traits() {
            return honest.traits();
        }

        @Override
        public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
            var faulty =
                    new TargetDistributions() {
                        @Override
                        public int vocabularySize() {
                            return VOCABULARY;
                        }

                        @Override
                        public double[] distribution(int node) {
                            return ofRoot(draft.tree(), node, each);
                        }

                        @Override
                        public int position(int node) {
                            return target.position(node);
                        }

                        @Override
                        public int mode(int node) {
                            return target.mode(node);
                        }
                    };
            return honest.decide(draft, faulty, randomness);
        }
    }

    private double[] ofRoot(TokenTree tree, int node, Case each) {
        var path = new ArrayList<Integer>();
        for (int at = node; at > 0; at = tree.parent(at)) {
            path.addFirst(tree.token(at));
        }
        var buffer = new DistributionBuffer(VOCABULARY);
        new OperatorRow(each.operators, VOCABULARY)
                .fill(
                        each.policy,
                        MemorySegment.ofArray(new Text(raw, path).logits()),
                        new TokenHistory(PROMPT, PROMPT.length, new int[0], PROMPT.length),
                        each.operators.firstState(),
                        buffer);
        return buffer.distribution();
    }

    /// The tokens that were written after the prompt.
    private record Text(TableModel model, List<Integer> written) {
        int[] all() {
            return IntStream.concat(
                            Arrays.stream(PROMPT), written.stream().mapToInt(Integer::intValue))
                    .toArray();
        }

        float[] logits() {
            return model.logits(all());
        }

        long count(int token) {
            return Collections.frequency(written, token);
        }

        /// Length of the longest repetition of the end that a token would go on with; token 2 breaks one.
        int run(int token) {
            int[] all = all();
            int longest = 0;
            for (int length = 1; length < all.length; length++) {
                var end = Arrays.copyOfRange(all, all.length - length, all.length);
                for (int at = 0; at + length < all.length; at++) {
                    if (all[at + length] == token
                            && token != 2
                            && Arrays.stream(end).noneMatch(each -> each == 2)
                            && Arrays.equals(end, Arrays.copyOfRange(all, at, at + length))) {
                        longest = length;
                    }
                }
            }
            return longest;
        }

        double[] softmax() {
            return divided(1, _ -> 0);
        }

        double[] tempered() {
            return tempered(_ -> 0);
        }

        double[] tempered(ToDoubleFunction<Integer> loss) {
            return divided(TEMPERATURE, loss);
        }

        double[] penalised(double penalty) {
            float[] logits = logits();
            var seen = Arrays.stream(all()).boxed().toList();
            return divided(
                    1,
                    token ->
                            !seen.contains(token)
                                    ? 0
                                    : logits[token]
                                            - (logits[token] > 0
                                                    ? logits[token] / penalty
                                                    : logits[token] * penalty));
        }

        private double[] divided(double temperature, ToDoubleFunction<Integer> loss) {
            float[] logits = logits();
            return renormalised(
                    IntStream.range(0, VOCABULARY)
                            .mapToDouble(token ->
                                    Math.exp(
                                            (logits[token] - loss.applyAsDouble(token))
                                                    / temperature))
                            .toArray());
        }
    }

    private static double loss(double presence, double frequency, long times) {
        return times == 0 ? 0 : presence + frequency * times;
    }

    private static double[] renormalised(double... p) {
        double sum = Arrays.stream(p).sum();
        return mapped(p, each -> each / sum);
    }

    private static double[] powered(double[] p, double exponent) {
        return renormalised(mapped(p, each -> Math.pow(each, exponent)));
    }

    private static double[] mapped(double[] p, DoubleUnaryOperator function) {
        return Arrays.stream(p).map(function).toArray();
    }

    private static double[] kept(double[] p, DoublePredicate keep) {
        return renormalised(mapped(p, each -> keep.test(each) ? each : 0));
    }

    private static double[] atLeast(double[] p, double least) {
        return kept(p, each -> each >= Math.min(least, max(p)));
    }

    private static double[] best(double[] p, int count) {
        double least = Arrays.stream(p).sorted().toArray()[p.length - count];
        return kept(p, each -> each >= least);
    }

    private static double[] nucleus(double[] p, double mass) {
        return kept(p, each -> Arrays.stream(p).filter(other -> other > each).sum() < mass);
    }

    private static double[] nSigma(double[] p, double count) {
        double[] logits = Arrays.stream(p).filter(each -> each > 0).map(Math::log).toArray();
        double mean = Arrays.stream(logits).average().orElseThrow();
        double variance =
                Arrays.stream(logits).map(each -> square(each - mean)).average().orElseThrow();
        double least = max(logits) - count * Math.sqrt(variance);
        return kept(p, each -> Math.log(each) >= least);
    }

    private static double[] typical(double[] p, double mass) {
        double entropy = entropy(p);
        var nearest =
                IntStream.range(0, p.length)
                        .filter(token -> p[token] > 0)
                        .boxed()
                        .sorted(
                                Comparator.comparingDouble(
                                        token -> Math.abs(-Math.log(p[token]) - entropy)))
                        .toList();
        var result = new double[p.length];
        double sum = 0;
        for (int token : nearest) {
            if (sum < mass) {
                result[token] = p[token];
            }
            sum += p[token];
        }
        return renormalised(result);
    }

    private static double[] dynamic(double[] p, double range, double exponent) {
        double share = entropy(p) / Math.log(p.length);
        double temperature = TEMPERATURE - range + 2 * range * Math.pow(share, exponent);
        return powered(p, 1 / temperature);
    }

    /// The coin's two outcomes, each followed by the rest.
    private static double[] mixed(
            double[] p, double probability, double threshold, Function<double[], double[]> rest) {
        double[] top = Arrays.stream(p).filter(each -> each >= threshold).sorted().toArray();
        double[] without = top.length < 2 ? p : kept(p, each -> each <= top[0]);
        double[] one = rest.apply(without);
        double[] other = rest.apply(p);
        return IntStream.range(0, p.length)
                .mapToDouble(token -> probability * one[token] + (1 - probability) * other[token])
                .toArray();
    }

    private static double[] surprising(Text text, double goal, double rate) {
        double limit = 2 * goal;
        for (int length = 0; length < text.written().size(); length++) {
            var before = new Text(text.model(), text.written().subList(0, length));
            double[] p = limited(before.tempered(), limit);
            double surprise = -Math.log(p[text.written().get(length)]) / Math.log(2);
            limit -= rate * (surprise - goal);
        }
        return limited(text.tempered(), limit);
    }

    private static double[] limited(double[] p, double bits) {
        return atLeast(p, Math.pow(2, -bits));
    }

    private static List<Integer> indices(double[] p) {
        return IntStream.range(0, p.length).filter(token -> p[token] > 0).boxed().toList();
    }

    private static double entropy(double[] p) {
        return -Arrays.stream(p).filter(each -> each > 0).map(each -> each * Math.log(each)).sum();
    }

    private static double max(double... values) {
        return Arrays.stream(values).max().orElseThrow();
    }

    private static double square(double value) {
        return value * value;
    }
}
