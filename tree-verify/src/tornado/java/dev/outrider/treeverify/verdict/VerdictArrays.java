package dev.outrider.treeverify.verdict;

import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/// The arrays the verdict's kernels read and write, for the most rows a pass can have. Confined to one thread.
///
/// @param rows           most rows of a round
/// @param vocabulary     number of tokens V
/// @param round          see [VerdictKernels.Round]
/// @param policy         the inverse temperature
/// @param tokens         `[rows]`, as the others where nothing else is said
/// @param acceptUniforms for the test of node i + 1 at index i
/// @param drawUniforms   for the token after each node
/// @param draftLaw       q, `[rows, V]`, or one element where drafts come without
/// @param answer         see [VerdictRequest#verdict]
record VerdictArrays(
        int rows,
        int vocabulary,
        IntArray round,
        FloatArray policy,
        IntArray tokens,
        IntArray parents,
        IntArray candidate,
        IntArray removed,
        FloatArray acceptUniforms,
        FloatArray drawUniforms,
        FloatArray draftLaw,
        FloatArray largest,
        FloatArray sums,
        IntArray argmax,
        IntArray drawn,
        IntArray accepted,
        IntArray answer) {

    VerdictArrays(int rows, int vocabulary, boolean sampled) {
        this(
                rows,
                vocabulary,
                new IntArray(VerdictKernels.Round.LENGTH),
                new FloatArray(1),
                new IntArray(rows),
                new IntArray(rows),
                new IntArray(rows),
                new IntArray(rows),
                new FloatArray(rows),
                new FloatArray(rows),
                new FloatArray(sampled ? Math.multiplyExact(rows, vocabulary) : 1),
                new FloatArray(rows),
                new FloatArray(rows),
                new IntArray(rows),
                new IntArray(rows),
                new IntArray(rows),
                new IntArray(VerdictRequest.answerLength(rows)));
    }

    /// What the host sends with every round.
    Object[] inputs() {
        return new Object[] {
            round,
            policy,
            tokens,
            parents,
            candidate,
            removed,
            acceptUniforms,
            drawUniforms,
            draftLaw,
            largest,
            sums,
            argmax,
            drawn,
            accepted,
            answer
        };
    }

    /// Writes a round's question.
    ///
    /// @throws IllegalArgumentException if it has more rows, another vocabulary, or a q that there is no room for
    void ask(VerdictRequest request) {
        if (request.rows() > rows
                || request.vocabulary() != vocabulary
                || request.draftLaw().length > draftLaw.getSize()) {
            throw new IllegalArgumentException(
                    "a request of %d rows, %d tokens and %d numbers of q is put to arrays for %d rows, %d tokens and %d"
                            .formatted(
                                    request.rows(),
                                    request.vocabulary(),
                                    request.draftLaw().length,
                                    rows,
                                    vocabulary,
                                    draftLaw.getSize()));
        }
        round.set(VerdictKernels.Round.ROWS, request.rows());
        round.set(VerdictKernels.Round.DRAWS, request.rule() == DeviceRule.GREEDY ? 0 : 1);
        round.set(VerdictKernels.Round.SAMPLED, request.rule() == DeviceRule.CHAIN_SAMPLED ? 1 : 0);
        round.set(VerdictKernels.Round.CHAIN, request.rule().alongChain() ? 1 : 0);
        policy.set(0, request.inverseTemperature());
        copy(request.tokens(), tokens);
        copy(request.parents(), parents);
        copy(request.candidate(), candidate);
        copy(request.removed(), removed);
        VerdictGraph.copy(request.acceptUniforms(), acceptUniforms);
        VerdictGraph.copy(request.drawUniforms(), drawUniforms);
        VerdictGraph.copy(request.draftLaw(), draftLaw);
    }

    private static void copy(int[] from, IntArray to) {
        for (int index = 0; index < from.length; index++) {
            to.set(index, from[index]);
        }
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
