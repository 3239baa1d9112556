package dev.outrider.engine.metrics;

import dev.outrider.engine.model.SpeedupTheory;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeEvent.BeamPassCompleted;
import dev.outrider.spi.run.DecodeEvent.Finished;
import dev.outrider.spi.run.DecodeEvent.PluginFailed;
import dev.outrider.spi.run.DecodeEvent.Prefilled;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DecodeEvent.StageTimes;
import dev.outrider.spi.run.DecodeListener;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// Counts and times of one or more sequences. Sums only, so that the metrics of prompts and workers can be
/// added; every rate is taken of the sums, never averaged over requests.
///
/// Rates whose denominator is 0 are NaN.
///
/// Of a beam search a step counts as an emitted token: a pass decides one without a guess, and one more for every consecutive step
/// at which all live beams had been guessed. These steps are accepted or rejected.
///
/// @param sequences    sequences that ended
/// @param failures     times a drafter or a rule failed
/// @param promptTokens tokens of their prompts
/// @param rounds       target passes after the prompts
/// @param rows         rows of these passes
/// @param emitted      tokens emitted
/// @param drafts       rounds with at least one guess that could have been accepted
/// @param drafted      guesses that could have been accepted
/// @param unverified   guesses that were only scored
/// @param draftSteps   depths of the drafts, summed: passes of an autoregressive drafter
/// @param accepted     guesses accepted in a row from the first
/// @param kept         guesses that were of use: the accepted ones, or those that became live beams
/// @param rejections   rounds that ended where a candidate stood
/// @param positions    by depth, the first for children of the root
/// @param histogram    rounds by number of accepted guesses, from 0
/// @param prefillNanos time the prompts took, target and drafter
/// @param times        stage times of all rounds
/// @see "Leviathan et al. 2023, definitions 3.1 and 3.2"
public record DecodeMetrics(
        long sequences,
        long failures,
        long promptTokens,
        long rounds,
        long rows,
        long emitted,
        long drafts,
        long drafted,
        long unverified,
        long draftSteps,
        long accepted,
        long kept,
        long rejections,
        List<PositionCounts> positions,
        List<Long> histogram,
        long prefillNanos,
        StageTimes times) {
    public DecodeMetrics {
        positions = List.copyOf(positions);
        histogram = List.copyOf(histogram);
    }

    /// Metrics of no sequence, the neutral element of [#plus].
    public static DecodeMetrics none() {
        return ofNoRound(0, 0, 0, 0);
    }

    /// Returns the metrics of one event. Acceptance is counted as it was decided, also where an end of the sequence cut the round short: the
    /// cut says nothing about the drafter. Tokens are counted as emitted.
    public static DecodeMetrics of(DecodeEvent event) {
        return switch (event) {
            case Prefilled(int tokens, long targetNanos, long drafterNanos) ->
                    ofNoRound(0, 0, tokens, targetNanos + drafterNanos);
            case RoundCompleted round -> of(round);
            case BeamPassCompleted pass -> of(pass);
            case PluginFailed _ -> ofNoRound(0, 1, 0, 0);
            case Finished _ -> ofNoRound(1, 0, 0, 0);
        };
    }

    private static DecodeMetrics of(RoundCompleted round) {
        var tree = round.draft().tree();
        int length = round.verdict().acceptedLength();
        int candidates = tree.candidateNodes();
        boolean rejected = tree.candidates(round.verdict().lastNode()).length > 0;
        return ofRound(
                tree.size(),
                round.emitted(),
                candidates,
                tree.draftedNodes() - candidates,
                tree.candidateDepth(),
                length,
                length,
                rejected,
                round.times());
    }

    private static DecodeMetrics of(BeamPassCompleted pass) {
        return ofRound(
                pass.rows(),
                pass.steps(),
                pass.drafted(),
                0,
                pass.depth(),
                pass.steps() - 1,
                pass.kept(),
                pass.rejected(),
                pass.times());
    }

    private static DecodeMetrics ofRound(
            int rows,
            int emitted,
            int drafted,
            int unverified,
            int depth,
            int accepted,
            int kept,
            boolean rejected,
            StageTimes times) {
        return new DecodeMetrics(
                0,
                0,
                0,
                1,
                rows,
                emitted,
                drafted > 0 ? 1 : 0,
                drafted,
                unverified,
                depth,
                accepted,
                kept,
                rejected ? 1 : 0,
                PositionCounts.ofRound(accepted, rejected),
                LongStream.rangeClosed(0, accepted)
                        .mapToObj(length -> length == accepted ? 1L : 0L)
                        .toList(),
                0,
                times);
    }

    private static DecodeMetrics ofNoRound(
            long sequences, long failures, long promptTokens, long prefillNanos) {
        return new DecodeMetrics(
                sequences,
                failures,
                promptTokens,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                List.of(),
                List.of(),
                prefillNanos,
                StageTimes.zero());
    }

    /// The metrics of both.
    public DecodeMetrics plus(DecodeMetrics other) {
        return new DecodeMetrics(
                sequences + other.sequences,
                failures + other.failures,
                promptTokens + other.promptTokens,
                rounds + other.rounds,
                rows + other.rows,
                emitted + other.emitted,
                drafts + other.drafts,
                drafted + other.drafted,
                unverified + other.unverified,
                draftSteps + other.draftSteps,
                accepted + other.accepted,
                kept + other.kept,
                rejections + other.rejections,
                sums(positions, other.positions, PositionCounts.NONE, PositionCounts::plus),
                sums(histogram, other.histogram, 0L, Long::sum),
                prefillNanos + other.prefillNanos,
                times.plus(other.times));
    }

    /// Acceptance rate alpha, over the positions reached: accepts / (accepts + rejections).
    public double alpha() {
        return (double) accepted / (accepted + rejections);
    }

    /// Tokens per target pass, the token that follows a draft included; 1 for plain decoding.
    public double tokensPerRound() {
        return (double) emitted / rounds;
    }

    /// Guesses of use over drafted ones. Falls with the draft length, so always say that beside it.
    public double draftAcceptanceRate() {
        return (double) kept / drafted;
    }

    /// Share of the passes of plain decoding, or of plain search, that drafting saved; 0 without drafts.
    public double passesSaved() {
        return 1 - (double) rounds / emitted;
    }

    /// Rows of a target pass.
    public double meanRows() {
        return (double) rows / rounds;
    }

    /// Guesses per round that had any.
    public double meanDraftSize() {
        return (double) drafted / drafts;
    }

    /// Depth per round that had a guess.
    public double meanDraftLength() {
        return (double) draftSteps / drafts;
    }

    /// By depth, accepted over drafts.
    public List<Double> acceptanceByPosition() {
        return positions.stream().map(position -> (double) position.accepted() / drafts).toList();
    }

    /// By depth, accepted over reached.
    public List<Double> conditionalAcceptanceByPosition() {
        return positions.stream().map(PositionCounts::conditional).toList();
    }

    /// Nanoseconds of one draft step.
    public double draftStepNanos() {
        return (double) times.draft() / draftSteps;
    }

    /// Nanoseconds of one target pass.
    public double passNanos() {
        return (double) times.score() / rounds;
    }

    /// c: one draft step over one target pass of one row.
    ///
    /// @param plainPassNanos [#passNanos] of plain decoding on the same machine
    public double costRatio(double plainPassNanos) {
        return draftStepNanos() / plainPassNanos;
    }

    /// Speedup that the measured times of both predict.
    ///
    /// @param plain metrics of plain decoding on the same machine
    public double predictedSpeedup(DecodeMetrics plain) {
        double round = (double) times.total() / rounds;
        double plainRound = (double) plain.times.total() / plain.rounds;
        return SpeedupTheory.speedup(tokensPerRound(), plainRound, 0, round, 0);
    }

    /// Speedup that alpha, c and the mean draft length predict under the independence assumption.
    ///
    /// @param plainPassNanos [#passNanos] of plain decoding on the same machine
    public double theoreticalSpeedup(double plainPassNanos) {
        double length = drafts == 0 ? 0 : meanDraftLength();
        int floor = (int) Math.floor(length);
        double share = length - floor;
        double rate = accepted + rejections == 0 ? 0 : alpha();
        double tokens =
                (1 - share) * SpeedupTheory.expectedTokens(rate, floor)
                        + share * SpeedupTheory.expectedTokens(rate, floor + 1);
        double cost = drafts == 0 ? 0 : costRatio(plainPassNanos);
        return tokens / (length * cost + 1);
    }

    /// The engine's share of the rounds' time: everything but the drafter's and the target's work.
    public double engineShare() {
        return (double) times.engine() / times.total();
    }

    /// Emitted tokens per second of rounds; prefill is not in it.
    public double tokensPerSecond() {
        return emitted * 1e9 / times.total();
    }

    /// Guesses drafted and scored in vain.
    public long wasted() {
        return drafted + unverified - kept;
    }

    /// Tokens per round over the parameters read for them.
    ///
    /// @param parameterRatio drafter's parameters over the target's
    public double memoryBoundSpeedup(double parameterRatio) {
        return SpeedupTheory.memoryBoundSpeedup(
                tokensPerRound(), parameterRatio, (double) draftSteps / rounds);
    }

    /// Element by element; the shorter list ends in elements that add nothing.
    private static <T> List<T> sums(List<T> one, List<T> other, T nothing, BinaryOperator<T> plus) {
        return IntStream.range(0, Math.max(one.size(), other.size()))
                .mapToObj(index ->
                        plus.apply(
                                index < one.size() ? one.get(index) : nothing,
                                index < other.size() ? other.get(index) : nothing))
                .toList();
    }

    /// Counts of guesses at one depth, over many rounds.
    ///
    /// @param reached  rounds in which everything above was accepted and a candidate stood here
    /// @param accepted rounds in which a candidate here was accepted
    public record PositionCounts(long reached, long accepted) {
        static final PositionCounts NONE = new PositionCounts(0, 0);

        /// The depths of one round that were reached.
        ///
        /// @param accepted guesses accepted
        /// @param rejected whether candidates stood where the round ended
        static List<PositionCounts> ofRound(int accepted, boolean rejected) {
            return IntStream.range(0, accepted + (rejected ? 1 : 0))
                    .mapToObj(position -> new PositionCounts(1, position < accepted ? 1 : 0))
                    .toList();
        }

        PositionCounts plus(PositionCounts other) {
            return new PositionCounts(reached + other.reached, accepted + other.accepted);
        }

        /// Share of the guesses reached that were accepted; NaN if none was reached.
        public double conditional() {
            return (double) accepted / reached;
        }
    }

    /// Adds up the events of one thread's sequences. Confined to that thread.
    public static final class MetricsCollector implements DecodeListener {
        private DecodeMetrics metrics = DecodeMetrics.none();

        @Override
        public void onEvent(DecodeEvent event) {
            metrics = metrics.plus(DecodeMetrics.of(event));
        }

        /// Returns the metrics of the events so far.
        public DecodeMetrics metrics() {
            return metrics;
        }
    }
}
