package dev.outrider.treeverify.verdict;

import dev.outrider.spi.Verdict;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/// The arrays the verdict's kernels read and write, for the most rows a pass can have. Confined to one thread.
public final class VerdictArrays {
    private final int rows;
    private final int vocabulary;

    /// [VerdictLayout]'s integers.
    final IntArray round;

    /// [VerdictLayout]'s floats.
    final FloatArray numbers;

    final FloatArray largest;
    final FloatArray sums;

    /// Of each row, what the policy keeps: see [TruncationKernel].
    final FloatArray limits;

    final IntArray lasts;
    final IntArray argmax;
    final IntArray drawn;
    final IntArray accepted;

    /// See [VerdictRequest#verdict].
    final IntArray answer;

    /// @param rows       most rows of a round
    /// @param vocabulary number of tokens V
    public VerdictArrays(int rows, int vocabulary) {
        this.rows = rows;
        this.vocabulary = vocabulary;
        round = new IntArray(VerdictLayout.integers(rows));
        numbers = new FloatArray(VerdictLayout.floats(rows));
        largest = new FloatArray(rows);
        sums = new FloatArray(rows);
        limits = new FloatArray(rows);
        lasts = new IntArray(rows);
        argmax = new IntArray(rows);
        drawn = new IntArray(rows);
        accepted = new IntArray(rows);
        answer = new IntArray(VerdictRequest.answerLength(rows));
        for (var integers : new IntArray[] {round, lasts, argmax, drawn, accepted, answer}) {
            integers.init(0);
        }
        for (var floats : new FloatArray[] {numbers, largest, sums, limits}) {
            floats.init(0);
        }
    }

    int rows() {
        return rows;
    }

    int vocabulary() {
        return vocabulary;
    }

    /// What the host sends with every round.
    public Object[] inputs() {
        return new Object[] {round, numbers};
    }

    /// What stays on the device.
    public Object[] resident() {
        return new Object[] {largest, sums, limits, lasts, argmax, drawn, accepted, answer};
    }

    /// What the host reads if it has asked.
    public IntArray answer() {
        return answer;
    }

    /// The verdict that the kernels left in [#answer].
    public Verdict verdict(VerdictRequest request) {
        var numbersOfAnswer = new int[VerdictRequest.answerLength(request.rows())];
        MemorySegment.copy(
                answer.getSegment(),
                ValueLayout.JAVA_INT,
                0,
                numbersOfAnswer,
                0,
                numbersOfAnswer.length);
        return request.verdict(numbersOfAnswer);
    }

    /// Asks nothing: the kernels skip every row.
    public void askNothing() {
        round.set(VerdictLayout.ROWS, 0);
    }

    /// Writes a round's question.
    ///
    /// @throws IllegalArgumentException if it has more rows, another vocabulary, or a q that there is no room for
    public void ask(VerdictRequest request) {
        if (request.rows() > rows
                || request.vocabulary() != vocabulary
                || request.draftLaws().size() > SparseLaws.CAPACITY) {
            throw new IllegalArgumentException(
                    "a request of %d rows, %d tokens and %d entries of q is put to arrays for %d rows, %d tokens and %d"
                            .formatted(
                                    request.rows(),
                                    request.vocabulary(),
                                    request.draftLaws().size(),
                                    rows,
                                    vocabulary,
                                    SparseLaws.CAPACITY));
        }
        round.set(VerdictLayout.ROWS, request.rows());
        round.set(VerdictLayout.DRAWS, request.rule() == DeviceRule.GREEDY ? 0 : 1);
        round.set(VerdictLayout.CHAIN, request.rule().alongChain() ? 1 : 0);
        round.set(VerdictLayout.TOP_K, request.truncation().topK());
        put(request.tokens(), VerdictLayout.section(VerdictLayout.TOKEN, rows));
        put(request.parents(), VerdictLayout.section(VerdictLayout.PARENT, rows));
        put(request.candidate(), VerdictLayout.section(VerdictLayout.CANDIDATE, rows));
        put(request.removed(), VerdictLayout.section(VerdictLayout.REMOVED, rows));
        put(request.draftLaws().starts(), VerdictLayout.entryStarts(rows));
        put(request.draftLaws().tokens(), VerdictLayout.entryTokens(rows));
        numbers.set(VerdictLayout.SCALE, request.inverseTemperature());
        numbers.set(VerdictLayout.TOP_P, request.truncation().topP());
        numbers.set(VerdictLayout.REACH, request.truncation().reach());
        put(request.acceptUniforms(), numbers, VerdictLayout.COINS);
        put(request.drawUniforms(), numbers, VerdictLayout.COINS + VerdictLayout.DRAW * rows);
        put(request.drawFractions(), numbers, VerdictLayout.COINS + VerdictLayout.FRACTION * rows);
        put(request.drafted(), numbers, VerdictLayout.COINS + VerdictLayout.DRAFTED * rows);
        put(request.draftLaws().weights(), numbers, VerdictLayout.entryWeights(rows));
    }

    private void put(int[] from, int first) {
        MemorySegment.copy(
                from,
                0,
                round.getSegment(),
                ValueLayout.JAVA_INT,
                (long) first * Integer.BYTES,
                from.length);
    }

    /// Copies numbers to a place in an array.
    static void put(float[] from, FloatArray to, int first) {
        MemorySegment.copy(
                from,
                0,
                to.getSegment(),
                ValueLayout.JAVA_FLOAT,
                (long) first * Float.BYTES,
                from.length);
    }
}
