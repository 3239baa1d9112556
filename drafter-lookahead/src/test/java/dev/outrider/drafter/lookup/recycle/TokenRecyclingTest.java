package dev.outrider.drafter.lookup.recycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.drafter.lookup.rank.RankDrafter;
import dev.outrider.drafter.lookup.rank.RankedDrafting;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TokenRecyclingTest {
    private static final int VOCABULARY = 10;
    private static final DraftBudget BUDGET = new DraftBudget(16, 4);

    @Test
    void learnsFromRejectedNodesToo() {
        var session = session(false);
        session.begin(new int[] {4}, new Scores(List.of()));
        var nothing = session.propose(BUDGET, new NoRandomness());
        assertThat(nothing.tree()).isEqualTo(TokenTree.rootOnly(4));
        observe(session, nothing, 1, best(4, 5)); // after 4 come 4 and 5

        nothing = session.propose(BUDGET, new NoRandomness());
        assertThat(nothing.tree()).isEqualTo(TokenTree.rootOnly(1));
        observe(session, nothing, 4, best(2, 3));

        var draft = session.propose(BUDGET, new NoRandomness());
        assertThat(draft.tree().tokens()).startsWith(4, 4, 5);
        // Nodes: root 4, its children 4 and 5, the grandchildren of the first. Nothing is accepted.
        session.observe(
                draft,
                new Verdict(List.of(), 5, Verdict.Origin.CORRECTION),
                new Scores(List.of(best(8, 9), best(6, 7), best(1, 2), best(6, 7), best(6, 7))));

        assertThat(session.propose(BUDGET, new NoRandomness()).tree().tokens())
                .describedAs("5 was rejected, but what follows it was learnt")
                .startsWith(5, 1, 2);
    }

    @Test
    void ofEqualTokensTheShallowestThenTheFirstWrites() {
        var session = session(false);
        session.begin(new int[] {4}, new Scores(List.of()));
        observe(session, session.propose(BUDGET, new NoRandomness()), 4, best(4, 5));
        var draft = session.propose(BUDGET, new NoRandomness());
        assertThat(draft.tree().tokens()).containsExactly(4, 4, 5, 4, 5);
        session.observe(
                draft,
                new Verdict(List.of(), 4, Verdict.Origin.CORRECTION),
                new Scores(List.of(best(0, 1), best(2, 3), best(6, 7), best(8, 9), best(8, 9))));

        assertThat(session.propose(BUDGET, new NoRandomness()).tree().tokens())
                .describedAs("the root's row, not its child's, is what is known of 4")
                .startsWith(4, 0, 1);
    }

    @Test
    void thePromptFillsTheMatrixMostRecentFirst() {
        var session = session(true);
        session.begin(new int[] {3, 5, 3, 6, 3}, new Scores(List.of()));

        assertThat(session.propose(BUDGET, new NoRandomness()).tree().tokens())
                .containsExactly(3, 6, 5, 3, 3);
    }

    @Test
    void sequencesThatFollowEachOtherAreRepeatableAndSequencesSideBySideAreSeparate() {
        var keeping = new RankedDrafting(12, 3, Optional.empty(), true, true);
        try (var one = drafter(keeping);
                var other = drafter(keeping)) {
            var first = drafts(one, 1);
            var second = drafts(one, 1);

            assertThat(second).describedAs("starts from what the first left").isNotEqualTo(first);
            assertThat(List.of(drafts(other, 1), drafts(other, 1)))
                    .isEqualTo(List.of(first, second));
        }
        try (var drafter = drafter(new RankedDrafting(12, 3, Optional.empty(), true, false))) {
            assertThat(drafts(drafter, 1)).isEqualTo(drafts(drafter, 1));
        }
    }

    @Test
    void memoryDependsOnTheVocabularyAlone() {
        var successors = new Successors(1000);
        long before = successors.bytes();
        for (int i = 0; i < 20_000; i++) {
            successors.saw(new int[] {i * 7 % 1000}, i * 13 % 1000);
        }
        assertThat(successors.bytes()).isEqualTo(before).isEqualTo(4L * 1000 * 8 + 4L * 1000);
    }

    private static List<TokenTree> drafts(Drafter drafter, long seed) {
        var target = TableTarget.of(TableModel.random(VOCABULARY, DistributionStyle.DENSE, 3));
        var decoder =
                new Decoder(
                        target,
                        Optional.of(drafter),
                        new SampleAndMatchRule(),
                        FixedLength.drafterLimit(),
                        true,
                        () -> 0);
        List<TokenTree> drafts = new ArrayList<>();
        decoder.decode(
                DecodeRequest.of(new int[] {1, 2, 3}, 40, SamplingPolicy.atTemperature(1)),
                RandomnessSource.of(new KeyedRandomStreams(1, seed)),
                event -> {
                    if (event instanceof RoundCompleted round) {
                        drafts.add(round.draft().tree());
                    }
                },
                () -> false);
        return drafts;
    }

    private static DraftSession session(boolean seedFromPrompt) {
        var twoByTwo = new TreePlan.LevelWidths(List.of(2, 2));
        var drafting = new RankedDrafting(1, 1, Optional.of(twoByTwo), seedFromPrompt, false);
        return drafter(drafting).open(new DraftRequest(100, SamplingPolicy.argmax()));
    }

    private static Drafter drafter(RankedDrafting drafting) {
        return new RankDrafter(
                new TokenRecyclingConfig(drafting).traits(), drafting, new Successors(VOCABULARY));
    }

    private static void observe(DraftSession session, Draft draft, int next, float[] rootLogits) {
        session.observe(
                draft,
                new Verdict(List.of(), next, Verdict.Origin.BONUS),
                new Scores(List.of(rootLogits)));
    }

    /// Logits whose two best tokens are these, in this order; the others follow by rising id.
    private static float[] best(int first, int second) {
        var logits = new float[VOCABULARY];
        for (int token = 0; token < VOCABULARY; token++) {
            logits[token] = -token;
        }
        logits[first] = 20;
        logits[second] = 10;
        return logits;
    }

    private record Scores(List<float[]> rows) implements TargetScores {
        @Override
        public int size() {
            return rows.size();
        }

        @Override
        public int vocabularySize() {
            return VOCABULARY;
        }

        @Override
        public MemorySegment logits(int node) {
            return MemorySegment.ofArray(rows.get(node));
        }

        @Override
        public MemorySegment hidden(HiddenState which, int index) {
            throw new AssertionError("no hidden states were asked for");
        }

        @Override
        public void close() {}
    }

    private record NoRandomness() implements Randomness {
        @Override
        public boolean accept(int node, double numerator, double denominator) {
            throw new AssertionError("a drafter tests nothing");
        }

        @Override
        public int draw(Randomness.Role role, int node, double[] distribution) {
            throw new AssertionError("token recycling draws nothing");
        }

        @Override
        public int[] gumbelTopK(int position, double[] distribution, int count) {
            throw new AssertionError("nobody races here");
        }

        @Override
        public double uniform(Randomness.Role role, int node) {
            throw new AssertionError("token recycling draws nothing");
        }
    }
}
