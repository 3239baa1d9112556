package dev.outrider.engine.check;

import static dev.outrider.engine.check.Contract.require;

import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;

/// States and scores of the target, as far as a drafter declares that it reads them, and only during the call that hands them over.
final class DeclaredReads implements TargetScores {
    private final HiddenStates states;
    private final Optional<TargetScores> scores;
    private final Set<HiddenState> declared;
    private final IntPredicate readable;
    private final String reader;
    private boolean over;

    private DeclaredReads(
            HiddenStates states,
            Optional<TargetScores> scores,
            Set<HiddenState> declared,
            IntPredicate readable,
            String reader) {
        this.states = states;
        this.scores = scores;
        this.declared = declared;
        this.readable = readable;
        this.reader = reader;
    }

    /// Returns states of the prompt.
    ///
    /// @param declared hidden states that the drafter asked for
    /// @param reader   names the drafter and the round
    static DeclaredReads ofPrompt(HiddenStates states, Set<HiddenState> declared, String reader) {
        return new DeclaredReads(states, Optional.empty(), declared, _ -> true, reader);
    }

    /// Returns scores of the root and of the accepted nodes, and those of other nodes if the drafter declares that it reads them.
    ///
    /// @param readsRejected whether nodes that were not accepted may be read
    static DeclaredReads ofRound(
            TargetScores scores,
            Verdict verdict,
            Set<HiddenState> declared,
            boolean readsRejected,
            String reader) {
        var accepted = new HashSet<>(verdict.acceptedNodes());
        accepted.add(0);
        return new DeclaredReads(
                scores,
                Optional.of(scores),
                declared,
                node -> readsRejected || accepted.contains(node),
                reader);
    }

    @Override
    public int size() {
        return states.size();
    }

    @Override
    public int vocabularySize() {
        return scores.orElseThrow().vocabularySize();
    }

    @Override
    public MemorySegment logits(int node) {
        requireReadable(node, "the logits");
        return scores.orElseThrow().logits(node);
    }

    @Override
    public int argmax(int node) {
        requireReadable(node, "the argmax");
        return scores.orElseThrow().argmax(node);
    }

    @Override
    public MemorySegment hidden(HiddenState which, int index) {
        requireReadable(index, "the hidden state");
        require(
                declared.contains(which),
                reader,
                "read %s of node %d, expected one of %s, which it asked for",
                which,
                index,
                declared);
        return states.hidden(which, index);
    }

    /// Ends the call: nothing may be read after it.
    @Override
    public void close() {
        over = true;
    }

    private void requireReadable(int index, String what) {
        require(
                !over,
                reader,
                "read %s of node %d after the call that handed it over, expected a copy of its own",
                what,
                index);
        require(
                readable.test(index),
                reader,
                "read %s of node %d, which was not accepted, expected readsRejectedNodes in its traits",
                what,
                index);
    }
}
