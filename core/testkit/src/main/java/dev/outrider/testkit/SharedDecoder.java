package dev.outrider.testkit;

import static dev.outrider.testkit.Expect.assertThat;

import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.random.ForwardingRandomness;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.testkit.Threads.Turns;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.IntStream;

/// Compares the output of one decoder that several threads use with its output for one
/// alone. The seeds belong to the sequences, so the tokens must be the same.
///
/// Two kinds of parallel runs: threads that run as the machine schedules them, and threads that take turns within each other's
/// calls, at every draw and every reading of a score by the drafter or the rule.
///
/// @param decoder the decoder of the given target, or of one that wraps it
record SharedDecoder(TargetModel target, Function<TargetModel, Decoder> decoder) {
    private static final int THREADS = 4;
    private static final int SCHEDULES = 3;

    /// A sequence, and the randomness that belongs to it.
    ///
    /// @param name in failures
    record Sequence(String name, DecodeRequest request, RandomnessSource randomness) {
        private List<Integer> on(Decoder decoder) {
            return on(decoder, randomness);
        }

        private List<Integer> on(Decoder decoder, RandomnessSource supply) {
            return IntStream.of(decoder.decode(request, supply).tokens()).boxed().toList();
        }
    }

    /// Every thread generates all sequences, each thread starting with another one.
    void assertEqualOnSeveralThreads(List<Sequence> sequences) {
        var shared = decoder.apply(target);
        var alone = sequences.stream().map(sequence -> sequence.on(shared)).toList();
        var work = new ArrayList<Callable<List<List<Integer>>>>();
        for (int thread = 0; thread < THREADS; thread++) {
            int first = thread;
            work.add(() ->
                    rotated(sequences, first).stream()
                            .map(sequence -> sequence.on(shared))
                            .toList());
        }
        var beside = Threads.together(work);
        for (int thread = 0; thread < THREADS; thread++) {
            var expected = rotated(alone, thread);
            for (int index = 0; index < sequences.size(); index++) {
                assertThat(beside.get(thread).get(index))
                        .describedAs(
                                "%s on thread %d of %d, compared with alone",
                                rotated(sequences, thread).get(index).name(), thread, THREADS)
                        .isEqualTo(expected.get(index));
            }
        }
    }

    /// Every sequence has a thread, and one thread runs at a time.
    void assertEqualInTurns(List<Sequence> sequences) {
        var plain = decoder.apply(target);
        var alone = sequences.stream().map(sequence -> sequence.on(plain)).toList();
        for (int schedule = 0; schedule < SCHEDULES; schedule++) {
            var turns = new Turns(schedule, sequences.size());
            var shared = decoder.apply(new TurnTakingTarget(target, turns));
            var beside =
                    Threads.inTurns(
                            turns,
                            sequences.stream()
                                    .<Callable<List<Integer>>>map(sequence ->
                                            () -> sequence.on(shared, inTurns(sequence, turns)))
                                    .toList());
            for (int index = 0; index < sequences.size(); index++) {
                assertThat(beside.get(index))
                        .describedAs(
                                "%s in turns with others under schedule %d, compared with alone",
                                sequences.get(index).name(), schedule)
                        .isEqualTo(alone.get(index));
            }
        }
    }

    private static <T> List<T> rotated(List<T> list, int first) {
        var rotated = new ArrayList<>(list);
        Collections.rotate(rotated, -first);
        return rotated;
    }

    private static RandomnessSource inTurns(Sequence sequence, Turns turns) {
        return round -> new TurnTakingRandomness(sequence.randomness().round(round), turns);
    }

    /// Randomness that gives up the turn before every draw.
    private record TurnTakingRandomness(Randomness tossed, Turns turns)
            implements ForwardingRandomness {
        @Override
        public Randomness randomness() {
            turns.pass();
            return tossed;
        }
    }

    /// A target whose sequences give up their turn before every pass and at every reading of a
    /// score, so that drafters and rules are interrupted inside their calls.
    private record TurnTakingTarget(TargetModel target, Turns turns) implements ForwardingTarget {
        @Override
        public TargetSession open(SessionRequest request) {
            return new Session(target.open(request), turns);
        }

        @Override
        public List<TargetScores> scoreAll(List<ScoreRequest> requests) {
            throw new UnsupportedOperationException("sequences that take turns score alone");
        }

        private record Session(TargetSession session, Turns turns)
                implements ForwardingTargetSession {
            @Override
            public TargetScores score(TokenTree tree) {
                turns.pass();
                return new Scores(session.score(tree), turns);
            }

            @Override
            public void commit(Verdict verdict) {
                turns.pass();
                session.commit(verdict);
            }
        }

        private record Scores(TargetScores scores, Turns turns) implements TargetScores {
            @Override
            public int vocabularySize() {
                return scores.vocabularySize();
            }

            @Override
            public MemorySegment logits(int node) {
                turns.pass();
                return scores.logits(node);
            }

            @Override
            public int argmax(int node) {
                turns.pass();
                return scores.argmax(node);
            }

            @Override
            public int size() {
                return scores.size();
            }

            @Override
            public MemorySegment hidden(HiddenState which, int index) {
                turns.pass();
                return scores.hidden(which, index);
            }

            @Override
            public void close() {
                scores.close();
            }
        }
    }
}
