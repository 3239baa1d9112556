package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outrider.engine.acceptance.BlockVerificationRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.StreamCoins;
import dev.outrider.spi.AcceptanceRule;
import dev.outrider.spi.Coins;
import dev.outrider.spi.DecodeEvent.RoundCompleted;
import dev.outrider.spi.Draft;
import dev.outrider.spi.HiddenState;
import dev.outrider.spi.RuleTraits;
import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.SessionRequest;
import dev.outrider.spi.TargetLaws;
import dev.outrider.spi.TargetModel;
import dev.outrider.spi.TargetScores;
import dev.outrider.spi.TargetSession;
import dev.outrider.spi.TokenTree;
import dev.outrider.spi.TreePlan;
import dev.outrider.spi.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Laws over a large vocabulary are computed ahead by helpers. When a round is over its scores are closed, and nobody may read
/// a row then, not even for a law that the rule turned out not to need.
@Timeout(120)
class ClosedScoresTest {
    private static final int VOCABULARY = 2 * TargetScores.LARGE_VOCABULARY;
    private static final int MOST_REQUESTS = 2_000;
    private static final int ENOUGH = 10;
    private static final SamplingPolicy POLICY = new SamplingPolicy(1, 0, .9, 0, 1);

    /// Says token 0 and nothing else, once its law is truncated.
    private static final TableModel TARGET =
            TableModel.of(
                    VOCABULARY,
                    _ -> {
                        var weights = new double[VOCABULARY];
                        Arrays.fill(weights, 1e-9);
                        weights[0] = 1;
                        return weights;
                    });

    /// Guesses token 1: the first law is enough to reject everything, while helpers are at the next ones.
    private static final TableModel DRAFT =
            TableModel.of(
                    VOCABULARY,
                    _ -> {
                        var weights = new double[VOCABULARY];
                        weights[1] = 1;
                        return weights;
                    });

    private int readAfterClosing;
    private int atWorkWhenClosing;
    private int atWorkWhenDeciding;

    /// Every other request looks for helpers while the rule decides, and must find some, for else it would find none later either.
    @Test
    void nobodyReadsScoresThatWereClosed() {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "one core has no helpers");
        for (int request = 0; request < MOST_REQUESTS && atWorkWhenDeciding < ENOUGH; request++) {
            decodeOneRound(request, request % 2 == 0);
        }

        assertThat(atWorkWhenDeciding)
                .as("rounds with helpers while the rule decided")
                .isPositive();
        assertThat(atWorkWhenClosing).as("rounds with helpers at closed scores").isZero();
        assertThat(readAfterClosing).as("rows asked for after closing").isZero();
    }

    private void decodeOneRound(int number, boolean lookWhenDeciding) {
        var over = new AtomicBoolean();
        var decoder =
                Toy.decoder(
                        new Watched(TableTarget.of(TARGET), !lookWhenDeciding),
                        new TableDrafter(DRAFT, new TreePlan.Chain(6), Toy.PLAIN),
                        new Watching(new BlockVerificationRule(), lookWhenDeciding));
        var generation =
                decoder.decode(
                        new DecodeRequest(Toy.PROMPT, 16, POLICY, List.of(), true),
                        round -> new StreamCoins(new KeyedRandomStreams(1, number), round),
                        event -> over.compareAndSet(false, event instanceof RoundCompleted),
                        over::get);

        assertThat(generation.tokens()).containsExactly(0);
    }

    /// Whether a thread of the common pool computes a law.
    private static boolean helpersAtWork() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey() instanceof ForkJoinWorkerThread)
                .flatMap(thread -> Arrays.stream(thread.getValue()))
                .anyMatch(frame -> frame.getClassName().equals(SamplingPolicy.class.getName()));
    }

    /// A rule that may look around when it has decided.
    private final class Watching implements AcceptanceRule {
        private final AcceptanceRule rule;
        private final boolean looks;

        Watching(AcceptanceRule rule, boolean looks) {
            this.rule = rule;
            this.looks = looks;
        }

        @Override
        public RuleTraits traits() {
            return rule.traits();
        }

        @Override
        public Verdict decide(Draft draft, TargetLaws target, Coins coins) {
            var verdict = rule.decide(draft, target, coins);
            atWorkWhenDeciding += looks && helpersAtWork() ? 1 : 0;
            return verdict;
        }
    }

    /// A target whose scores may look around when they are closed.
    private final class Watched implements ForwardingTarget {
        private final TargetModel target;
        private final boolean looks;

        Watched(TargetModel target, boolean looks) {
            this.target = target;
            this.looks = looks;
        }

        @Override
        public TargetModel target() {
            return target;
        }

        @Override
        public TargetSession open(SessionRequest request) {
            var session = target.open(request);
            return new ForwardingTargetSession() {
                @Override
                public TargetSession session() {
                    return session;
                }

                @Override
                public TargetScores score(TokenTree tree) {
                    return new ClosingScores(session.score(tree), looks);
                }
            };
        }
    }

    private final class ClosingScores implements TargetScores {
        private final TargetScores scores;
        private final boolean looks;
        private boolean closed;

        ClosingScores(TargetScores scores, boolean looks) {
            this.scores = scores;
            this.looks = looks;
        }

        @Override
        public int vocabularySize() {
            return scores.vocabularySize();
        }

        @Override
        public MemorySegment logits(int node) {
            readAfterClosing += closed ? 1 : 0;
            return scores.logits(node);
        }

        @Override
        public int size() {
            return scores.size();
        }

        @Override
        public MemorySegment hidden(HiddenState which, int node) {
            return scores.hidden(which, node);
        }

        @Override
        public void close() {
            closed = true;
            atWorkWhenClosing += looks && helpersAtWork() ? 1 : 0;
            scores.close();
        }
    }
}
