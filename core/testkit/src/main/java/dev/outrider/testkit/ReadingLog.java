package dev.outrider.testkit;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;

/// Writes down what a drafter reads of the target. Confined to one thread.
final class ReadingLog {
    private final Set<HiddenState> states = new HashSet<>();
    private boolean readRejected;

    /// The drafter, watched.
    Drafter around(Drafter drafter) {
        return new WrappedDrafter(drafter, Watched::new);
    }

    /// Hidden states that were read.
    Set<HiddenState> states() {
        return states;
    }

    /// Whether anything was read of a node that was not accepted.
    boolean readRejected() {
        return readRejected;
    }

    private final class Watched extends WrappedDrafter.Session {
        Watched(DraftSession session) {
            super(session);
        }

        @Override
        public void begin(int[] prompt, HiddenStates promptStates) {
            super.begin(prompt, new LoggedStates(promptStates));
        }

        @Override
        public void observe(Draft draft, Verdict verdict, TargetScores scores) {
            super.observe(draft, verdict, new LoggedScores(scores, verdict));
        }
    }

    private final class LoggedStates implements HiddenStates {
        private final HiddenStates logged;

        LoggedStates(HiddenStates logged) {
            this.logged = logged;
        }

        @Override
        public int size() {
            return logged.size();
        }

        @Override
        public MemorySegment hidden(HiddenState which, int index) {
            states.add(which);
            return logged.hidden(which, index);
        }

        @Override
        public void close() {}
    }

    private final class LoggedScores implements TargetScores {
        private final TargetScores logged;
        private final Set<Integer> accepted;

        LoggedScores(TargetScores logged, Verdict verdict) {
            this.logged = logged;
            this.accepted = new HashSet<>(verdict.acceptedNodes());
            this.accepted.add(0);
        }

        @Override
        public int size() {
            return logged.size();
        }

        @Override
        public int vocabularySize() {
            return logged.vocabularySize();
        }

        @Override
        public MemorySegment hidden(HiddenState which, int index) {
            states.add(which);
            note(index);
            return logged.hidden(which, index);
        }

        @Override
        public MemorySegment logits(int node) {
            note(node);
            return logged.logits(node);
        }

        @Override
        public int argmax(int node) {
            note(node);
            return logged.argmax(node);
        }

        private void note(int node) {
            readRejected |= !accepted.contains(node);
        }

        @Override
        public void close() {}
    }
}
