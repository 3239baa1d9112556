package dev.outrider.engine.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.engine.Rounds;
import dev.outrider.engine.metrics.DecodeMetrics.MetricsCollector;
import dev.outrider.engine.metrics.DecodeMetrics.PositionCounts;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.run.DecodeEvent.FinishReason;
import dev.outrider.spi.run.DecodeEvent.Finished;
import dev.outrider.spi.run.DecodeEvent.Prefilled;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DecodeEvent.StageTimes;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecodeMetricsTest {
    private static final StageTimes TIMES = new StageTimes(30, 100, 5, 3, 2, 10);

    private final MetricsCollector collector = new MetricsCollector();

    @Test
    void acceptanceIsCountedOverThePositionsReached() {
        for (int accepted : new int[] {3, 0, 1, 3}) {
            collector.onEvent(Rounds.chain(3, accepted, TIMES));
        }
        var metrics = collector.metrics();

        assertThat(metrics.accepted()).isEqualTo(7);
        assertThat(metrics.rejections()).isEqualTo(2);
        assertThat(metrics.alpha()).isCloseTo(7 / 9.0, within(1e-15));
        assertThat(metrics.tokensPerRound()).isEqualTo(11 / 4.0);
        assertThat(metrics.draftAcceptanceRate()).isCloseTo(7 / 12.0, within(1e-15));
        assertThat(metrics.acceptanceByPosition()).containsExactly(.75, .5, .5);
        assertThat(metrics.conditionalAcceptanceByPosition()).containsExactly(.75, 2 / 3.0, 1.0);
        assertThat(metrics.histogram()).containsExactly(1L, 1L, 0L, 2L);
        assertThat(metrics.wasted()).isEqualTo(5);
        assertThat(metrics.meanDraftLength()).isEqualTo(3);
    }

    @Test
    void aTreeNodeWithRejectedChildrenIsOneRejection() {
        var tree = TokenTree.builder(0);
        int left = tree.add(0, 1);
        tree.add(0, 2);
        tree.add(left, 3);
        tree.add(left, 4);
        tree.addUnverified(0, 5);
        collector.onEvent(round(tree.build(), new Verdict(List.of(1), 7, Origin.CORRECTION)));
        var metrics = collector.metrics();

        assertThat(metrics.alpha()).isEqualTo(.5);
        assertThat(metrics.drafted()).isEqualTo(4);
        assertThat(metrics.unverified()).isEqualTo(1);
        assertThat(metrics.draftSteps()).isEqualTo(2);
        assertThat(metrics.wasted()).isEqualTo(4);
        assertThat(metrics.positions())
                .containsExactly(new PositionCounts(1, 1), new PositionCounts(1, 0));
    }

    @Test
    void nodesThatAreOnlyScoredAreNoDraft() {
        var tree = TokenTree.builder(0);
        tree.addUnverified(tree.addUnverified(0, 1), 2);
        collector.onEvent(round(tree.build(), new Verdict(List.of(), 3, Origin.BONUS)));
        var metrics = collector.metrics();

        assertThat(metrics.unverified()).isEqualTo(2);
        assertThat(metrics.wasted()).isEqualTo(2);
        assertThat(metrics.drafts()).isZero();
        assertThat(metrics.drafted()).isZero();
        assertThat(metrics.draftSteps()).isZero();
        assertThat(metrics.rejections()).isZero();
    }

    @Test
    void plainDecodingIsOneTokenARoundAndHasNoAcceptance() {
        collector.onEvent(round(TokenTree.rootOnly(0), new Verdict(List.of(), 1, Origin.BONUS)));
        var metrics = collector.metrics();

        assertThat(metrics.tokensPerRound()).isEqualTo(1);
        assertThat(metrics.alpha()).isNaN();
        assertThat(metrics.drafts()).isZero();
        assertThat(metrics.theoreticalSpeedup(100)).isEqualTo(1);
    }

    @Test
    void timesGiveCostAndEngineShare() {
        collector.onEvent(Rounds.chain(3, 1, TIMES));
        collector.onEvent(Rounds.chain(3, 2, TIMES));
        var metrics = collector.metrics();

        assertThat(metrics.draftStepNanos()).isEqualTo(10);
        assertThat(metrics.passNanos()).isEqualTo(100);
        assertThat(metrics.costRatio(80)).isEqualTo(.125);
        assertThat(metrics.engineShare()).isEqualTo(.1);
        assertThat(metrics.tokensPerSecond()).isCloseTo(5e9 / 300, within(1e-3));
    }

    @Test
    void predictedSpeedupComparesMeasuredRounds() {
        var plain = new MetricsCollector();
        plain.onEvent(Rounds.chain(0, 0, new StageTimes(0, 90, 5, 3, 0, 2)));
        collector.onEvent(Rounds.chain(3, 2, TIMES));

        assertThat(collector.metrics().predictedSpeedup(plain.metrics()))
                .isEqualTo(3 * 100 / 150.0);
    }

    @Test
    void theoryPredictsFromAlphaCostAndLength() {
        for (int round = 0; round < 8; round++) {
            collector.onEvent(Rounds.timed(1, round % 2, 20, 100));
        }
        assertThat(collector.metrics().theoreticalSpeedup(100)).isCloseTo(1.5 / 1.2, within(1e-12));
    }

    @Test
    void metricsOfPartsAddUpToThoseOfTheWhole() {
        var whole = new MetricsCollector();
        var sum = DecodeMetrics.none();
        for (int part = 0; part < 4; part++) {
            var collector = new MetricsCollector();
            for (int accepted = 0; accepted <= 3 * part; accepted++) {
                var round = Rounds.chain(3 * part, accepted, TIMES);
                collector.onEvent(round);
                whole.onEvent(round);
            }
            for (var event :
                    List.of(new Prefilled(5, 10, 20), new Finished(FinishReason.MAX_TOKENS, 4))) {
                collector.onEvent(event);
                whole.onEvent(event);
            }
            sum = sum.plus(collector.metrics());
        }
        assertThat(sum).isEqualTo(whole.metrics());
        assertThat(sum.sequences()).isEqualTo(4);
        assertThat(sum.prefillNanos()).isEqualTo(120);
        assertThat(sum.promptTokens()).isEqualTo(20);
    }

    @Test
    void tokensAreCountedAsEmittedAndAcceptanceAsDecided() {
        var round = Rounds.chain(3, 3, TIMES);
        collector.onEvent(new RoundCompleted(0, round.draft(), round.verdict(), 2, round.times()));

        assertThat(collector.metrics().emitted()).isEqualTo(2);
        assertThat(collector.metrics().accepted()).isEqualTo(3);
    }

    private static RoundCompleted round(TokenTree tree, Verdict verdict) {
        return new RoundCompleted(
                0,
                new Draft(tree, new Selection.PointMass()),
                verdict,
                verdict.acceptedLength() + 1,
                TIMES);
    }
}
