package dev.outrider.engine.metrics;

import dev.outrider.spi.DecodeListener;
import dev.outrider.spi.DecodeEvent;
import dev.outrider.spi.DecodeEvent.Finished;
import dev.outrider.spi.DecodeEvent.PluginFailed;
import dev.outrider.spi.DecodeEvent.Prefilled;
import dev.outrider.spi.DecodeEvent.RoundCompleted;
import dev.outrider.spi.StageTimes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Adds up the events of one thread's sequences. Confined to that thread.
///
/// Acceptance is counted as it was decided, also where an end of the sequence cut the round short: the cut
/// says nothing about the drafter. Tokens are counted as emitted.
public final class MetricsCollector implements DecodeListener {
    private long sequences;
    private long failures;
    private long promptTokens;
    private long rounds;
    private long emitted;
    private long drafts;
    private long drafted;
    private long unverified;
    private long draftSteps;
    private long accepted;
    private long rejections;
    private long prefillNanos;
    private long[] reachedAt = new long[8];
    private long[] acceptedAt = new long[8];
    private long[] histogram = new long[8];
    private final long[] times = new long[6];

    @Override
    public void onEvent(DecodeEvent event) {
        switch (event) {
            case Prefilled(int tokens, long targetNanos, long drafterNanos) -> {
                promptTokens += tokens;
                prefillNanos += targetNanos + drafterNanos;
            }
            case RoundCompleted round -> add(round);
            case PluginFailed _ -> failures++;
            case Finished _ -> sequences++;
        }
    }

    private void add(RoundCompleted round) {
        rounds++;
        emitted += round.emitted();
        addTimes(round.times());
        var tree = round.draft().tree();
        int length = round.verdict().acceptedLength();
        int candidates = tree.candidateNodes();
        drafts += candidates > 0 ? 1 : 0;
        drafted += candidates;
        unverified += tree.draftedNodes() - candidates;
        draftSteps += tree.candidateDepth();
        accepted += length;
        boolean rejected = tree.candidates(round.verdict().lastNode()).length > 0;
        rejections += rejected ? 1 : 0;
        reserve(length + 2);
        histogram[length]++;
        for (int position = 0; position < length; position++) {
            reachedAt[position]++;
            acceptedAt[position]++;
        }
        reachedAt[length] += rejected ? 1 : 0;
    }

    private void addTimes(StageTimes round) {
        times[0] += round.draft();
        times[1] += round.score();
        times[2] += round.decide();
        times[3] += round.commit();
        times[4] += round.observe();
        times[5] += round.rest();
    }

    private void reserve(int size) {
        if (size > histogram.length) {
            reachedAt = Arrays.copyOf(reachedAt, 2 * size);
            acceptedAt = Arrays.copyOf(acceptedAt, 2 * size);
            histogram = Arrays.copyOf(histogram, 2 * size);
        }
    }

    /// What was seen so far.
    public DecodeMetrics metrics() {
        return new DecodeMetrics(
                sequences,
                failures,
                promptTokens,
                rounds,
                emitted,
                drafts,
                drafted,
                unverified,
                draftSteps,
                accepted,
                rejections,
                positions(),
                histogram(),
                prefillNanos,
                new StageTimes(times[0], times[1], times[2], times[3], times[4], times[5]));
    }

    private List<PositionCounts> positions() {
        var positions = new ArrayList<PositionCounts>();
        for (int depth = 0; depth < reachedAt.length && reachedAt[depth] > 0; depth++) {
            positions.add(new PositionCounts(reachedAt[depth], acceptedAt[depth]));
        }
        return positions;
    }

    private List<Long> histogram() {
        int size = histogram.length;
        while (size > 0 && histogram[size - 1] == 0) {
            size--;
        }
        return Arrays.stream(histogram, 0, size).boxed().toList();
    }
}
