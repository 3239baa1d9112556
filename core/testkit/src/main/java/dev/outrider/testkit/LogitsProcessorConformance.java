package dev.outrider.testkit;

import static dev.outrider.testkit.Expect.assertThat;

import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.target.LogitsProcessor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// Checks of every logits processor. Extend it, return your processor, and run it as a test: the output of a draft is the target's
/// only if a position has the same logits every time it is scored, for any number of draft tokens before it.
public abstract class LogitsProcessorConformance {
    private static final int CASES = 60;
    private static final int LONGEST = 12;

    /// For subclasses, which a test framework instantiates.
    protected LogitsProcessorConformance() {}

    /// {@return the processor under test}
    protected abstract LogitsProcessor processor();

    /// {@return number of tokens V of the target it is made for}
    protected abstract int vocabulary();

    @Check
    void theSameContextGivesTheSameLogits() {
        var first = new float[CASES][];
        for (int number = 0; number < CASES; number++) {
            first[number] = processed(number, 0, prompt(number));
        }
        for (int number = CASES - 1; number >= 0; number--) {
            assertThat(processed(number, 0, prompt(number)))
                    .as("logits after %s, a second time", Arrays.toString(tokens(number)))
                    .isEqualTo(first[number]);
        }
    }

    @Check
    void draftTokensCountAsCommittedOnes() {
        for (int number = 0; number < CASES; number++) {
            int[] tokens = tokens(number);
            for (int path = 1; path < tokens.length; path++) {
                int prompt = Math.min(prompt(number), tokens.length - path);
                assertThat(processed(number, path, prompt))
                        .as(
                                "logits after %s with the last %d as a draft, compared with none",
                                Arrays.toString(tokens), path)
                        .isEqualTo(processed(number, 0, prompt));
            }
        }
    }

    @Check
    void everyLogitIsANumberAndSomethingStaysPossible() {
        var chain =
                new ProcessorChain(
                        List.of(new ProcessorChain.Named("under test", processor())), true);
        for (int number = 0; number < CASES; number++) {
            chain.on(vocabulary()).of(logits(number), history(tokens(number), 0, prompt(number)));
        }
    }

    @Check
    void theTokensAreLeftAsTheyAre() {
        for (int number = 0; number < CASES; number++) {
            int[] tokens = tokens(number);
            int path = tokens.length / 2;
            int prompt = Math.min(prompt(number), tokens.length - path);
            var history = history(tokens, path, prompt);
            processor().process(logits(number), history);
            var again = history(tokens, path, prompt);
            assertThat(history.committed()).as("committed tokens").isEqualTo(again.committed());
            assertThat(history.path()).as("draft tokens").isEqualTo(again.path());
        }
    }

    /// @param path   number of the last tokens that are a draft
    /// @param prompt number of the first tokens that are the prompt
    private float[] processed(int number, int path, int prompt) {
        var row = logits(number);
        processor().process(row, history(tokens(number), path, prompt));
        return row.toArray(ValueLayout.JAVA_FLOAT);
    }

    /// The array of committed tokens has room at its end, as in a sequence that grows.
    private static TokenHistory history(int[] tokens, int path, int prompt) {
        int committed = tokens.length - path;
        return new TokenHistory(
                Arrays.copyOf(tokens, LONGEST + 4),
                committed,
                Arrays.copyOfRange(tokens, committed, tokens.length),
                prompt);
    }

    /// Any part of a case's tokens, or 0: not known.
    private int prompt(int number) {
        return new SplittableRandom(~number).nextInt(tokens(number).length + 1);
    }

    private int[] tokens(int number) {
        var random = new SplittableRandom(number);
        return random.ints(random.nextInt(1, LONGEST), 0, vocabulary()).toArray();
    }

    private MemorySegment logits(int number) {
        var random = new SplittableRandom(number);
        var row = new float[vocabulary()];
        for (int token = 0; token < row.length; token++) {
            row[token] = (float) (3 * random.nextGaussian());
        }
        return MemorySegment.ofArray(row);
    }
}
