package dev.outrider.cli;

import dev.outrider.cli.RaceScreen.Panel;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.experiment.run.Variant;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/// Plain and speculative decoding of one prompt on one machine, in turns. The side that has used less time decodes next, so both
/// texts grow as they would alone, and the faster one ends first. Confined to one thread.
final class Race implements AutoCloseable {
    private static final double ALIKE = 0.05;

    private final Variant drafted;
    private final RaceSide left;
    private final RaceSide right;

    /// Both sides have the same prompt, the same limit and the same seed.
    Race(Variant plain, Variant drafted, DecodeRequest request, long seed) {
        this.drafted = drafted;
        this.left = new RaceSide(plain, request, seed);
        this.right = new RaceSide(drafted, request, seed);
    }

    /// Decodes one round of one side.
    ///
    /// @throws RuntimeException as decoding throws it
    void step() {
        boolean plainNext = right.over() || !left.over() && left.nanos() <= right.nanos();
        (plainNext ? left : right).step();
    }

    boolean over() {
        return left.over() && right.over();
    }

    /// Returns whether both have ended and greedy ids differ, which no lossless drafter may cause.
    boolean refuted() {
        return over() && drafted.policy().greedy() && difference().isPresent();
    }

    int exitCode() {
        return refuted() ? ExitCode.REJECTED : ExitCode.OK;
    }

    /// Returns a sentence about the end; if one side has not ended, that it was stopped.
    String sentence() {
        if (!over()) {
            return "Stopped before the end.";
        }
        double ratio = right.tokensPerSecond() / left.tokensPerSecond();
        var speed =
                Console.format(
                        "%s%.2f times as fast",
                        ratio < 1 - ALIKE ? "but slower: " : ratio > 1 + ALIKE ? "" : "about ",
                        ratio);
        if (!drafted.policy().greedy()) {
            return "Same distribution (two texts drawn from it), " + speed + ".";
        }
        var difference = difference();
        return difference.isPresent()
                ? "NOT the same text: the ids differ from token %d on."
                        .formatted(difference.getAsInt() + 1)
                : "Same text (all %d ids are equal), %s."
                        .formatted(left.ids().orElseThrow().length, speed);
    }

    private OptionalInt difference() {
        int index = Arrays.mismatch(left.ids().orElseThrow(), right.ids().orElseThrow());
        return index < 0 ? OptionalInt.empty() : OptionalInt.of(index);
    }

    /// Returns its present picture.
    RaceScreen screen(List<String> heading, List<String> footer) {
        return new RaceScreen(
                heading,
                new Panel("plain decoding", left.pieces(), numbers(left)),
                new Panel(drafted.name(), right.pieces(), numbers(right)),
                footer);
    }

    private List<String> numbers(RaceSide side) {
        var metrics = side.metrics();
        if (metrics.rounds() == 0) {
            return List.of("", "", "");
        }
        boolean judged = side == right && metrics.accepted() + metrics.rejections() > 0;
        return List.of(
                Console.format(
                        "%.1f tokens/s%s", side.tokensPerSecond(), side.over() ? ", done" : ""),
                Console.format("%d tokens in %.1f s", metrics.emitted(), side.nanos() / 1e9),
                "%d rounds%s"
                        .formatted(
                                metrics.rounds(),
                                judged
                                        ? Console.format(", acceptance rate %.2f", metrics.alpha())
                                        : ""));
    }

    @Override
    public void close() {
        try (left) {
            right.close();
        }
    }
}
