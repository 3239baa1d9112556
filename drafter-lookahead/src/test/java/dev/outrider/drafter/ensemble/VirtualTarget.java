package dev.outrider.drafter.ensemble;

import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.target.Tokenizer;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.testkit.LetterTokenizer;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Always predicts token 0, and spends the machine's time for it.
record VirtualTarget(VirtualMachine machine) implements TargetModel {
    static final int RIGHT = 0;
    static final int WRONG = 1;
    private static final int VOCABULARY = 2;
    private static final MemorySegment LOGITS = MemorySegment.ofArray(new float[] {0, -50});

    @Override
    public TargetDescription description() {
        return new TargetDescription(
                "virtual", "virtual", VOCABULARY, 1, 1, 4096, 0, Set.of(), "00", Optional.empty());
    }

    @Override
    public Tokenizer tokenizer() {
        return new LetterTokenizer(VOCABULARY);
    }

    @Override
    public TargetSession open(SessionRequest request) {
        machine.begin();
        return new Session(machine, request.capacity());
    }

    @Override
    public List<TargetScores> scoreAll(List<ScoreRequest> requests) {
        return requests.stream().map(request -> request.session().score(request.tree())).toList();
    }

    @Override
    public <T> Optional<T> capability(Class<T> type) {
        return Optional.empty();
    }

    @Override
    public void close() {}

    private static final class Session implements TargetSession {
        private final VirtualMachine machine;
        private final int capacity;
        private int length;

        Session(VirtualMachine machine, int capacity) {
            this.machine = machine;
            this.capacity = capacity;
        }

        @Override
        public int length() {
            return length;
        }

        @Override
        public int capacity() {
            return capacity;
        }

        @Override
        public HiddenStates prefill(int[] tokens) {
            length = tokens.length;
            return new Scores(0);
        }

        @Override
        public TargetScores score(TokenTree tree) {
            machine.pass(tree.size());
            return new Scores(tree.size());
        }

        @Override
        public void commit(Verdict verdict) {
            length += verdict.acceptedLength() + 1;
            machine.commit(verdict.acceptedLength() + 1);
        }

        @Override
        public void close() {}
    }

    private record Scores(int size) implements TargetScores {
        @Override
        public int vocabularySize() {
            return VOCABULARY;
        }

        @Override
        public MemorySegment logits(int node) {
            return LOGITS;
        }

        @Override
        public int argmax(int node) {
            return RIGHT;
        }

        @Override
        public MemorySegment hidden(HiddenState which, int index) {
            throw new AssertionError("nothing reads hidden states here");
        }

        @Override
        public void close() {}
    }
}
