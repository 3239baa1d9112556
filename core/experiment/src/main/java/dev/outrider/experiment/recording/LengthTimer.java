package dev.outrider.experiment.recording;

import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.GenerationRecord;
import dev.outrider.experiment.run.Side;
import dev.outrider.parquet.TableWriter;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/// Times rounds of every draft length, so that what a length costs is known that the run did not use: passes of few rows come in a run
/// only at the ends of texts, a handful of them. From the middle of a few texts, where what a pass reads of the cache is what it reads on
/// average, it goes on anew at every length, with the side's own rule, all sides and lengths in turn. Confined to one thread.
final class LengthTimer {
    private static final int MOST_TEXTS = 4;
    private static final int ROUNDS = 8;

    /// Up to this length all are timed.
    private static final int EVERY = 8;

    private final ComparisonPlan plan;
    private final BooleanSupplier cancelled;

    LengthTimer(ComparisonPlan plan, BooleanSupplier cancelled) {
        this.plan = plan;
        this.cancelled = cancelled;
    }

    /// Times sides and writes their rounds.
    ///
    /// @param texts    that plain decoding wrote
    /// @param deepest  greatest draft length by side; 0 for plain decoding
    /// @param progress told about every prompt
    /// @throws CancellationException if cancelled
    void write(
            List<GenerationRecord> texts,
            Map<Side, Integer> deepest,
            RunRecorder.Progress progress,
            TableWriter table)
            throws IOException {
        var chosen = texts.stream().limit(MOST_TEXTS).toList();
        int done = 0;
        for (var text : chosen) {
            progress.at("lengths", done++, chosen.size());
            for (var side : deepest.entrySet()) {
                for (int length : lengths(side.getValue())) {
                    for (var round : rounds(side.getKey(), text, length)) {
                        write(table, side.getKey(), text.prompt(), length, round);
                    }
                }
            }
        }
    }

    private List<RoundCompleted> rounds(Side side, GenerationRecord text, int length) {
        var rounds = new ArrayList<RoundCompleted>();
        var decoder = side.decoder();
        decoder.withDrafting(decoder.drafter(), new FixedLength(length))
                .decode(
                        fromTheMiddle(plan.request(side, text.prompt()), text.tokens()),
                        plan.randomness(side, text.prompt(), 0),
                        event -> {
                            if (event instanceof DecodeEvent.RoundCompleted round) {
                                rounds.add(round);
                            }
                        },
                        () -> cancelled.getAsBoolean() || rounds.size() >= ROUNDS);
        if (cancelled.getAsBoolean()) {
            throw new CancellationException();
        }
        return rounds;
    }

    private static DecodeRequest fromTheMiddle(DecodeRequest request, List<Integer> written) {
        var half = written.subList(0, written.size() / 2);
        return new DecodeRequest(
                IntStream.concat(
                                IntStream.of(request.prompt()),
                                half.stream().mapToInt(Integer::intValue))
                        .toArray(),
                request.maxTokens() - half.size(),
                request.policy(),
                request.stop(),
                request.ignoreEndOfSequence(),
                request.source());
    }

    /// 0 of plain decoding. Otherwise all up to 8, from there on in steps of a half or a third, and the greatest.
    static List<Integer> lengths(int deepest) {
        if (deepest == 0) {
            return List.of(0);
        }
        var lengths = new ArrayList<Integer>();
        for (int length = 1; length < Math.min(deepest, EVERY); length++) {
            lengths.add(length);
        }
        for (int power = EVERY; power < deepest; power *= 2) {
            lengths.add(power);
            if (power + power / 2 < deepest) {
                lengths.add(power + power / 2);
            }
        }
        lengths.add(deepest);
        return lengths;
    }

    private void write(TableWriter table, Side side, int prompt, int length, RoundCompleted round)
            throws IOException {
        var tree = round.draft().tree();
        var times = round.times();
        table.row(
                side.name(),
                plan.prompts().get(prompt).id(),
                length,
                tree.draftedNodes(),
                tree.candidateDepth(),
                round.verdict().acceptedLength(),
                round.emitted(),
                times.draft(),
                times.score(),
                times.decide(),
                times.commit(),
                times.observe(),
                times.rest());
    }
}
