package dev.outrider.testkit;

import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.run.RunListener;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// Checks of every listener to runs: it must follow sequences of one thread and of several, and close, once or twice, in every
/// state of the run that it has seen. Extend it, return your listener, and run it as a test.
public abstract class RunListenerConformance {
    private static final int SEQUENCES = 4;
    private static final SamplingPolicy WARM = SamplingPolicy.atTemperature(1);
    private static final TableModel MODEL = TableModel.random(7, DistributionStyle.DENSE, 5);

    /// For subclasses, which a test framework instantiates.
    protected RunListenerConformance() {}

    /// {@return the listener under test, which the suite closes}
    ///
    /// @param folder of its files; empty at first, deleted after the check
    protected abstract RunListener open(Path folder);

    @Check
    void aRunIsFollowedToItsEnd() {
        following(listener -> {
            for (int sequence = 0; sequence < SEQUENCES; sequence++) {
                follow(listener, sequence);
            }
        });
    }

    @Check
    void sequencesOfSeveralThreadsAreFollowed() {
        following(listener ->
                Threads.together(
                        IntStream.range(0, SEQUENCES)
                                .<Callable<Integer>>mapToObj(sequence ->
                                        () -> {
                                            follow(listener, sequence);
                                            return sequence;
                                        })
                                .toList()));
    }

    @Check
    void aRunThatEndsBeforeItsFirstSequenceIsClosed() {
        following(_ -> {});
    }

    private void following(Consumer<RunListener> run) {
        var folder = folder();
        try {
            var listener = open(folder);
            try (listener) {
                run.accept(listener);
            }
            listener.close();
        } finally {
            delete(folder);
        }
    }

    private static void follow(RunListener listener, int number) {
        var decoder =
                new Decoder(
                        TableTarget.of(MODEL),
                        Optional.of(new TableDrafter(MODEL, new TreePlan.Chain(3), WARM)),
                        new TokenRejectionRule(),
                        new FixedLength(3),
                        true,
                        System::nanoTime);
        decoder.decode(
                DecodeRequest.of(new int[] {1, 2}, 20, WARM),
                RandomnessSource.of(new KeyedRandomStreams(number, 0)),
                listener.begin(new RunListener.Sequence("chain of 3", "prompt " + number, 0)),
                () -> false);
    }

    private static Path folder() {
        try {
            return Files.createTempDirectory("run-listener");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
