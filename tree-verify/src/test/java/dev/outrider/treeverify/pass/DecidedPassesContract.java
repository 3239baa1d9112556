package dev.outrider.treeverify.pass;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.acceptance.OneHotRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.CoinSupply;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.StreamCoins;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.spi.AcceptanceRule;
import dev.outrider.spi.Coins;
import dev.outrider.spi.DecodeEvent;
import dev.outrider.spi.DecodeEvent.RoundCompleted;
import dev.outrider.spi.Draft;
import dev.outrider.spi.ForwardingCoins;
import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.Selection;
import dev.outrider.spi.SessionRequest;
import dev.outrider.spi.TargetModel;
import dev.outrider.spi.TargetScores;
import dev.outrider.spi.TokenTree;
import dev.outrider.spi.TreePlan;
import dev.outrider.spi.Verdict;
import dev.outrider.spi.VerdictQuestion;
import dev.outrider.testkit.LawStyle;
import dev.outrider.testkit.TableDrafter;
import dev.outrider.testkit.TableModel;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A pass that decides its round comes to what the engine's rule makes of its logits, and hands out no logits for it.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class DecidedPassesContract {
    private static final SamplingPolicy SAMPLED = SamplingPolicy.atTemperature(0.8);
    private static final SamplingPolicy ARGMAX = SamplingPolicy.atTemperature(0);
    private static final TreePlan CHAIN = new TreePlan.Chain(5);
    private static final TreePlan TREE = new TreePlan.LevelWidths(List.of(8, 3));
    private static final int REQUESTS = 6;

    private final CountedReads reads = new CountedReads();
    private Optional<TargetModel> opened = Optional.empty();

    /// Compiles a program.
    protected abstract DeviceProgram compile(ProgramShape shape, WeightLoader weights);

    @Test
    void greedyWalksAreDecidedInThePass() {
        decidesAsTheRule(new GreedyRule(), TREE, ARGMAX);
    }

    @Test
    void sampledWalksAreDecidedInThePass() {
        decidesAsTheRule(new OneHotRule(), TREE, SAMPLED);
    }

    @Test
    void guessedChainsAreDecidedInThePass() {
        decidesAsTheRule(new TokenRejectionRule(), CHAIN, SAMPLED);
    }

    @Test
    void drawnChainsAreDecidedInThePass() {
        decidesAsTheRule(
                new TokenRejectionRule(), new TableDrafter(draftModel(), CHAIN, SAMPLED), SAMPLED);
        var truncated = new SamplingPolicy(0.8, 0, 0.7, 0, 1);
        decidesAsTheRule(
                new TokenRejectionRule(),
                new TableDrafter(draftModel(), CHAIN, truncated),
                truncated);
    }

    @ParameterizedTest
    @MethodSource("truncated")
    void truncatedLawsAreDecidedInThePass(SamplingPolicy policy) {
        decidesAsTheRule(new OneHotRule(), TREE, policy);
        decidesAsTheRule(new TokenRejectionRule(), CHAIN, policy);
    }

    static List<SamplingPolicy> truncated() {
        return List.of(
                new SamplingPolicy(0.8, 5, 1, 0, 1),
                new SamplingPolicy(0.8, 0, 0.7, 0, 1),
                new SamplingPolicy(0.8, 0, 1, 0.2, 1),
                new SamplingPolicy(1.2, 9, 0.9, 0.05, 1));
    }

    @Test
    void checksReadOneRowOfARound() {
        var drafter = new TableDrafter(draftModel(), CHAIN, ARGMAX);
        reads.takeCount();
        var decided = rounds(new TokenRejectionRule(), drafter, SAMPLED, true, true);

        assertThat(reads.takeCount()).isEqualTo(decided.size());
        assertThat(decided)
                .isEqualTo(rounds(new TokenRejectionRule(), drafter, SAMPLED, true, false));
    }

    @Test
    void whatThePassCannotDecideIsLeftToTheRule() {
        var penalised = new SamplingPolicy(0.8, 0, 1, 0, 1.3);
        var guessed = new TableDrafter(draftModel(), CHAIN, ARGMAX);

        reads.takeCount();
        assertThat(rounds(new TokenRejectionRule(), guessed, penalised, true, true))
                .isEqualTo(rounds(new TokenRejectionRule(), guessed, penalised, false, true));
        assertThat(reads.takeCount()).isPositive();
    }

    @Test
    void treesOfSeveralRunsAreLeftToTheRule() {
        var tree = TokenTree.builder(1);
        for (int node = 0; node < 40; node++) {
            tree.add(0, node % RandomDecoders.VOCABULARY);
        }
        try (var session = target().open(SessionRequest.ofCapacity(60))) {
            var built = tree.build();
            session.ask(question(built));
            try (var scores = session.score(built)) {
                assertThat(scores.answer()).isEmpty();
                assertThat(scores.argmax(40)).isBetween(0, RandomDecoders.VOCABULARY - 1);
            }
        }
    }

    @Test
    void questionsAreAboutTheNextTreeAlone() {
        var asked = TokenTree.chain(1, 2, 3);
        try (var session = target().open(SessionRequest.ofCapacity(60))) {
            session.ask(question(asked));
            try (var scores = session.score(TokenTree.chain(4))) {
                assertThat(scores.answer()).isEmpty();
            }
            try (var scores = session.score(asked)) {
                assertThat(scores.answer()).isEmpty();
            }
        }
    }

    @Test
    void logitsOutliveThePassesOfOthers() {
        var tree = TokenTree.chain(1, 2, 3, 4);
        try (var session = target().open(SessionRequest.ofCapacity(60))) {
            float[][] expected;
            try (var scores = session.score(tree)) {
                expected = logits(scores);
            }
            session.ask(question(tree));
            try (var scores = session.score(tree)) {
                assertThat(scores.answer()).isPresent();
                var early = scores.logits(2);
                CompletableFuture.runAsync(this::scoreSomethingElse).join();
                assertThat(floats(early)).containsExactly(expected[2]);
                assertThat(logits(scores)).isDeepEqualTo(expected);
            }
        }
    }

    @AfterAll
    void close() {
        opened.ifPresent(TargetModel::close);
    }

    private void decidesAsTheRule(AcceptanceRule rule, TreePlan plan, SamplingPolicy policy) {
        decidesAsTheRule(rule, new TableDrafter(draftModel(), plan, ARGMAX), policy);
    }

    private void decidesAsTheRule(
            AcceptanceRule rule, TableDrafter drafter, SamplingPolicy policy) {
        reads.takeCount();

        var decided = rounds(rule, drafter, policy, true, false);

        assertThat(reads.takeCount()).isZero();
        assertThat(decided).isEqualTo(rounds(rule, drafter, policy, false, true));
        assertThat(reads.takeCount()).isPositive();
        assertThat(decided).extracting(Verdict::acceptedLength).contains(0, 1);
    }

    /// The verdicts of some requests.
    ///
    /// @param twice  whether coins can be tossed twice, without which the engine asks nothing
    /// @param checks whether verdicts are checked
    private List<Verdict> rounds(
            AcceptanceRule rule,
            TableDrafter drafter,
            SamplingPolicy policy,
            boolean twice,
            boolean checks) {
        var decoder =
                new Decoder(
                        target(), Optional.of(drafter), rule, new FixedLength(5), checks, () -> 0);
        var verdicts = new ArrayList<Verdict>();
        for (int request = 0; request < REQUESTS; request++) {
            var streams = new KeyedRandomStreams(7, request);
            CoinSupply coins =
                    twice
                            ? CoinSupply.of(streams)
                            : round -> new OnceOnly(new StreamCoins(streams, round));
            decoder.decode(
                    DecodeRequest.of(new int[] {request, 3, 5}, 20, policy),
                    coins,
                    (DecodeEvent event) -> {
                        if (event instanceof RoundCompleted round) {
                            verdicts.add(round.verdict());
                        }
                    },
                    () -> false);
        }
        return verdicts;
    }

    private void scoreSomethingElse() {
        try (var session = target().open(SessionRequest.ofCapacity(20));
                var scores = session.score(TokenTree.chain(9, 8, 7, 6))) {
            assertThat(scores.argmax(0)).isNotNegative();
        }
    }

    private TargetModel target() {
        if (opened.isEmpty()) {
            var config = RandomDecoders.plain();
            var shape = new ProgramShape(config, 36, 1, 400, 8);
            var weights = new WeightLoader(shape, new RandomWeights(config, 2, 1.0));
            var program = reads.of(compile(shape, weights));
            opened = Optional.of(RandomDecoders.target(new DeviceNetwork(shape, program)));
        }
        return opened.orElseThrow();
    }

    private static TableModel draftModel() {
        return TableModel.random(RandomDecoders.VOCABULARY, LawStyle.DENSE, 4);
    }

    private static VerdictQuestion question(TokenTree tree) {
        return new VerdictQuestion(
                VerdictQuestion.Rule.ARGMAX_WALK,
                new Draft(tree, new Selection.PointMass()),
                ARGMAX,
                new StreamCoins(new KeyedRandomStreams(1, 1), 0));
    }

    private static float[][] logits(TargetScores scores) {
        var rows = new float[scores.size()][];
        for (int node = 0; node < rows.length; node++) {
            rows[node] = floats(scores.logits(node));
        }
        return rows;
    }

    private static float[] floats(MemorySegment memory) {
        return memory.toArray(ValueLayout.JAVA_FLOAT);
    }

    /// Coins that nobody can toss twice.
    private record OnceOnly(Coins coins) implements ForwardingCoins {}
}
