package dev.outrider.testkit;

import static dev.outrider.testkit.Expect.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.outrider.common.sampling.Distributions;
import dev.outrider.engine.acceptance.GumbelCoupledRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.DraftLengthPlan;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.tree.TokenTree;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/// For a drafter that states the distribution of its draws: rounds of drafting, judging and observing, enumerated over every random
/// outcome ([ExactDistribution]). The tokens follow the target's distribution to 1e-12 with every [ExactnessPairing], and they do not
/// if the rule gets another distribution than that of the draws; without this control the enumeration would prove nothing.
///
/// A test extends it, makes the drafter, and adds tests of the drafter's special features with [#exact] and [#worst]. The drafter's
/// network should be a table: enumeration runs it thousands of times.
public abstract class DrafterExactness {
    /// Tokens of target and drafter.
    protected static final int VOCABULARY = 3;

    /// The drafter's own sampling in controls: flatter than the target's, with every token possible.
    protected static final SamplingPolicy WHOLE =
            new SamplingPolicy(ExactnessPairing.TRUNCATED.temperature(), 0, 1, 0, 1);

    static final SamplingPolicy TARGET = new SamplingPolicy(0.8, 0, 1, 0, 1.2);
    private static final int[] PROMPT = {1, 0};
    private static final int TOKENS = 5;
    private static final int CONTROLS = 6;
    private static final double VISIBLE = 1e-3;

    /// For subclasses.
    protected DrafterExactness() {}

    /// The drafter under test.
    ///
    /// @param pairing plan, sampling and rule
    /// @param seed    number of the network
    /// @return a drafter over [#VOCABULARY] tokens, closed by the suite
    protected abstract Drafter drafter(ExactnessPairing pairing, int seed);

    /// Returns the network's logits for a chain's next token, computed independently of the drafter's session.
    ///
    /// @param seed    number of the network
    /// @param prompt  at least two tokens
    /// @param drafted the chain so far, without the prompt's last token
    /// @return logits, `[VOCABULARY]`
    protected abstract float[] logits(int seed, int[] prompt, int[] drafted);

    /// Returns the target of a drafter; a drafter that reads hidden states needs a target that has some.
    ///
    /// @param table the target's distributions
    /// @param seed  number of the drafter's network
    /// @return a target of these distributions
    protected TargetModel target(TableModel table, int seed) {
        return TableTarget.of(table);
    }

    /// The number of targets and networks that every pairing is enumerated with, each target of another [DistributionStyle].
    ///
    /// @return 4; less for tests that repeat the suite over kinds of drafters
    protected int tables() {
        return 4;
    }

    /// The first of the six seeds of controls. Controls need networks that give every token a positive probability.
    ///
    /// @return 0; another seed if the first networks do not
    protected int firstControl() {
        return 0;
    }

    /// Returns the pairings that the drafter is enumerated with.
    ///
    /// @return [ExactnessPairing#all]; fewer for a drafter that does not have every plan or stop
    protected List<ExactnessPairing> pairings() {
        return ExactnessPairing.all();
    }

    /// Every pairing.
    ///
    /// @return a test for each
    @TestFactory
    protected Stream<DynamicTest> tokensFollowTheTargetsDistribution() {
        return pairings().stream().map(this::exact);
    }

    /// Two rounds of coupled trees, whose enumeration takes as long as that of all other pairings together.
    ///
    /// @return a test for each coupled pairing that is enumerated over one round in every build
    @Tag("nightly")
    @TestFactory
    protected Stream<DynamicTest> tokensOfTwoCoupledTreesFollowTheTargetsDistribution() {
        return pairings().stream()
                .filter(pairing -> pairing.rule() instanceof GumbelCoupledRule)
                .filter(pairing -> pairing.rounds() == 1)
                .map(pairing -> exact(pairing.over(2)));
    }

    /// Control: the rule gets the distribution of the neighbouring node.
    @Check
    protected void theNeighbouringNodesDistributionIsNotExact() {
        assertNotExact(chain(Optional.empty()), (_, session) -> ReportedRows.ofNeighbours(session));
    }

    /// Control: the rule gets the distribution before truncation.
    @Check
    protected void theDistributionBeforeTruncationIsNotExact() {
        assertNotExact(
                chain(Optional.of(ExactnessPairing.TRUNCATED)),
                (seed, session) -> recomputed(session, seed, WHOLE));
    }

    /// Control: a draft may end after a drawn token because of its value, but never before it.
    @Check
    protected void aStopByTheTokenJustDrawnIsNotExact() {
        assertNotExact(chain(Optional.empty()), (_, session) -> new LosesUnlikely(session));
    }

    /// Checks the recomputation that controls use, and with it the tokens that a guess depends on.
    @Check
    protected void theDistributionThatWasDrawnFromIsExactWhereverItIsComputed() {
        for (var policy : List.of(ExactnessPairing.TRUNCATED, WHOLE)) {
            var chain = chain(Optional.of(policy));
            assertThat(worst(chain, (seed, session) -> recomputed(session, seed, policy)))
                    .describedAs("largest error of any probability")
                    .isLessThan(ExactDistribution.TOLERANCE);
        }
    }

    /// A chain of three that the token rule judges in one round, which controls then change.
    ///
    /// @param sampling the drafter's own, if any
    /// @return the pairing
    protected static ExactnessPairing chain(Optional<SamplingPolicy> sampling) {
        return new ExactnessPairing(
                new TreePlan.Chain(3), sampling, 0, new TokenRejectionRule(), 1);
    }

    /// A test that the drafter of a pairing is exact.
    ///
    /// @param pairing plan, sampling and rule
    /// @return the test
    protected final DynamicTest exact(ExactnessPairing pairing) {
        return exact(
                pairing.toString(),
                seed -> drafter(pairing, seed),
                pairing.rule(),
                pairing.rounds());
    }

    /// A test that a drafter is exact.
    ///
    /// @param name     of the test
    /// @param drafters the drafter of each network; closed by the test
    /// @param rule     judges
    /// @param rounds   rounds to enumerate
    /// @return the test
    protected final DynamicTest exact(
            String name, IntFunction<Drafter> drafters, AcceptanceRule rule, int rounds) {
        return exact(name, drafters, rule, rounds, FixedLength.drafterLimit());
    }

    /// As [#exact(String, IntFunction, AcceptanceRule, int)], with the draft lengths of a policy.
    ///
    /// @param name     of the test
    /// @param drafters the drafter of each network; closed by the test
    /// @param rule     judges
    /// @param rounds   rounds to enumerate
    /// @param lengths  depths of the drafts
    /// @return the test
    protected final DynamicTest exact(
            String name,
            IntFunction<Drafter> drafters,
            AcceptanceRule rule,
            int rounds,
            DraftLengthPlan lengths) {
        return dynamicTest(
                name,
                () -> {
                    for (int seed = 0; seed < tables(); seed++) {
                        var model = model(seed);
                        try (var drafter = drafters.apply(seed)) {
                            ExactDistribution.assertExact(
                                    decoder(model, seed, drafter, rule, lengths),
                                    model,
                                    TARGET,
                                    PROMPT,
                                    rounds,
                                    TOKENS);
                        }
                    }
                });
    }

    /// Asserts that an enumeration finds a fault of a session.
    ///
    /// @param pairing plan, sampling and rule of the drafter
    /// @param change  adds the fault to the session of a network
    protected final void assertNotExact(
            ExactnessPairing pairing, BiFunction<Integer, DraftSession, DraftSession> change) {
        assertThat(worst(pairing, change, VISIBLE))
                .describedAs("largest error of any probability")
                .isGreaterThan(VISIBLE);
    }

    /// Returns the largest error of any probability over some targets and networks.
    ///
    /// @param pairing plan, sampling and rule of the drafter
    /// @param change  changes the session of a network
    /// @return 0 up to rounding if the change keeps the drafts exact
    protected final double worst(
            ExactnessPairing pairing, BiFunction<Integer, DraftSession, DraftSession> change) {
        return worst(pairing, change, Double.POSITIVE_INFINITY);
    }

    private double worst(
            ExactnessPairing pairing,
            BiFunction<Integer, DraftSession, DraftSession> change,
            double enough) {
        double worst = 0;
        int end = firstControl() + CONTROLS;
        for (int seed = firstControl(); seed < end && worst <= enough; seed++) {
            int own = seed;
            var model = model(seed);
            try (var drafter = drafter(pairing, seed)) {
                var changed = new WrappedDrafter(drafter, session -> change.apply(own, session));
                var decoder =
                        decoder(model, seed, changed, pairing.rule(), FixedLength.drafterLimit());
                worst =
                        Math.max(
                                worst,
                                ExactDistribution.error(
                                        decoder, model, TARGET, PROMPT, pairing.rounds(), TOKENS));
            }
        }
        return worst;
    }

    /// Returns a session that reports the distributions of independently computed logits ([#logits]), for chains of a first round.
    ///
    /// @param session the drafting session
    /// @param seed    number of the network
    /// @param policy  the policy that the rule takes for the draws' policy
    /// @return the same drafts with these distributions
    protected final DraftSession recomputed(DraftSession session, int seed, SamplingPolicy policy) {
        return recomputed(session, policy, (prompt, drafted) -> logits(seed, prompt, drafted));
    }

    /// As [#recomputed(DraftSession, int, SamplingPolicy)], with other logits.
    ///
    /// @param session the drafting session
    /// @param policy  the policy that the rule takes for the draws' policy
    /// @param logits  of a prompt and the chain so far
    /// @return the same drafts with these distributions
    protected static DraftSession recomputed(
            DraftSession session, SamplingPolicy policy, BiFunction<int[], int[], float[]> logits) {
        return new Recomputed(session, policy, logits);
    }

    private static TableModel model(int seed) {
        var styles = DistributionStyle.values();
        return TableModel.random(VOCABULARY, styles[seed % styles.length], seed);
    }

    private Decoder decoder(
            TableModel model,
            int seed,
            Drafter drafter,
            AcceptanceRule rule,
            DraftLengthPlan lengths) {
        return new Decoder(target(model, seed), Optional.of(drafter), rule, lengths, true, () -> 0);
    }

    private static final class Recomputed extends ReportedRows {
        private final SamplingPolicy policy;
        private final BiFunction<int[], int[], float[]> logits;
        private int[] prompt = new int[0];

        Recomputed(
                DraftSession session,
                SamplingPolicy policy,
                BiFunction<int[], int[], float[]> logits) {
            super(session);
            this.policy = policy;
            this.logits = logits;
        }

        @Override
        public void begin(int[] prompt, HiddenStates states) {
            super.begin(prompt, states);
            this.prompt = prompt.clone();
        }

        @Override
        protected double[] row(TokenTree tree, DraftDistributions rows, int node) {
            var row = logits.apply(prompt, Arrays.copyOfRange(tree.tokens(), 1, node + 1));
            return Distributions.of(
                    policy, MemorySegment.ofArray(row), VOCABULARY, TokenHistory.of(0));
        }
    }

    /// A session with a planted fault: its chains end before a token that its own distribution finds
    /// unlikely, so the stop depends on the drawn token. Drafts that were not drawn independently are
    /// unchanged.
    static final class LosesUnlikely extends WrappedDrafter.Session {
        private static final double THRESHOLD = 0.4;

        LosesUnlikely(DraftSession session) {
            super(session);
        }

        @Override
        public Draft propose(DraftBudget budget, Randomness randomness) {
            var draft = super.propose(budget, randomness);
            return draft.selection() instanceof Selection.Independent
                    ? shortened(draft, THRESHOLD)
                    : draft;
        }

        /// @param draft a chain of independent draws
        static Draft shortened(Draft draft, double threshold) {
            var distributions = ((Selection.Independent) draft.selection()).distributions();
            var tree = TokenTree.builder(draft.tree().token(0));
            var kept = DraftDistributions.builder();
            for (int node = 0; node < draft.tree().draftedNodes(); node++) {
                int token = draft.tree().token(node + 1);
                if (distributions.row(node)[token] < threshold) {
                    break;
                }
                kept.put(node, distributions.row(node));
                tree.add(node, token);
            }
            return new Draft(tree.build(), new Selection.Independent(kept.build()));
        }
    }
}
