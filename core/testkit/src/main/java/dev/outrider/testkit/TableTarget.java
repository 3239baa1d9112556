package dev.outrider.testkit;

import dev.outrider.common.HeldTree;
import dev.outrider.common.Require;
import dev.outrider.engine.decode.RequestLimits;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.ForestSession;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetDescription.SourceReading;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.target.Tokenizer;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A target whose distribution is a [TableModel]: the real decode loop runs over it. It has no hidden states. With sources, its
/// distribution after a text is the table's after source and text ([TableModel#after]).
///
/// @param model         the table
/// @param maxPositions  longest sequence
/// @param endOfSequence tokens that end a sequence
/// @param sources       its reading of sources, if it has one
public record TableTarget(
        TableModel model,
        int maxPositions,
        Set<Integer> endOfSequence,
        Optional<SourceReading> sources)
        implements TargetModel {
    private static final int AMPLE = 256;

    /// Copies the tokens.
    public TableTarget {
        endOfSequence = Set.copyOf(endOfSequence);
    }

    /// A target that reads no sources.
    ///
    /// @param model         the table
    /// @param maxPositions  longest sequence
    /// @param endOfSequence tokens that end a sequence
    public TableTarget(TableModel model, int maxPositions, Set<Integer> endOfSequence) {
        this(model, maxPositions, endOfSequence, Optional.empty());
    }

    /// {@return a target that reads sources as an encoder-decoder does, with ample positions and no end-of-sequence token}
    ///
    /// @param model the table, of source and text as one prefix
    public static TableTarget reading(TableModel model) {
        return new TableTarget(
                model, AMPLE, Set.of(), Optional.of(new SourceReading(AMPLE, List.of(0))));
    }

    /// {@return a target with ample positions and no end-of-sequence token}
    ///
    /// @param model the table
    public static TableTarget of(TableModel model) {
        return new TableTarget(model, AMPLE, Set.of());
    }

    @Override
    public TargetDescription description() {
        return new TargetDescription(
                "table",
                "table",
                model.vocabulary(),
                1,
                1,
                maxPositions,
                0,
                endOfSequence,
                "00",
                sources);
    }

    @Override
    public Tokenizer tokenizer() {
        return new LetterTokenizer(model.vocabulary());
    }

    @Override
    public TargetSession open(SessionRequest request) {
        if (request.capacity() > maxPositions) {
            throw new OutriderException(
                    ErrorCode.CONTEXT_EXCEEDED,
                    "capacity %d exceeds the %d positions of target 'table'"
                            .formatted(request.capacity(), maxPositions),
                    "Ask for fewer positions.");
        }
        if (!request.hiddenStates().isEmpty()) {
            throw new OutriderException(
                    ErrorCode.CAPABILITY_MISSING,
                    "target 'table' has no hidden states, but %s were asked for"
                            .formatted(request.hiddenStates()),
                    "Choose a drafter that needs none.");
        }
        RequestLimits.requireSource(description(), request.source());
        return new TableSession(model.after(request.source()), request.capacity());
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

    /// One sequence of a [TableTarget]: its "cache" is the list of committed tokens.
    static final class TableSession implements ForestSession {
        private final TableModel model;
        private final HeldTree held = new HeldTree();
        private int[] committed;
        private int length;
        private Optional<TokenTree> undecided = Optional.empty();
        private Optional<TokenTree> grown = Optional.empty();

        TableSession(TableModel model, int capacity) {
            this.model = model;
            this.committed = new int[capacity];
        }

        @Override
        public int length() {
            return length;
        }

        @Override
        public int capacity() {
            return committed.length;
        }

        @Override
        public HiddenStates prefill(int[] tokens) {
            requireRoom(tokens.length);
            for (int token : tokens) {
                requireToken(token);
            }
            for (int token : tokens) {
                committed[length++] = token;
            }
            undecided = Optional.empty();
            held.clear();
            return new Scores(new float[0][]);
        }

        @Override
        public TargetScores score(TokenTree tree) {
            var rows = rows(tree, 0);
            undecided = Optional.of(tree);
            held.clear();
            return rows;
        }

        @Override
        public TargetScores grow(TokenTree tree) {
            var rows = rows(tree, held.check(tree));
            undecided = Optional.empty();
            held.grow(tree);
            grown = Optional.of(tree);
            return rows;
        }

        @Override
        public void hold(List<Integer> nodes) {
            var rows = held.hold(nodes);
            var tree = grown.orElseThrow();
            for (int node : rows.nodes().subList(0, rows.committed())) {
                committed[length++] = tree.token(node);
            }
        }

        private Scores rows(TokenTree tree, int first) {
            requireRoom(tree.size());
            var rows = new float[tree.size() - first][];
            for (int node = 0; node < tree.size(); node++) {
                requireToken(tree.token(node));
            }
            for (int node = first; node < tree.size(); node++) {
                int[] path = tree.path(node);
                var prefix = Arrays.copyOf(committed, length + path.length);
                for (int index = 0; index < path.length; index++) {
                    prefix[length + index] = tree.token(path[index]);
                }
                rows[node - first] = model.logits(prefix);
            }
            return new Scores(rows);
        }

        @Override
        public void commit(Verdict verdict) {
            var tree =
                    undecided.orElseThrow(() ->
                            new IllegalStateException("no tree was scored since the last commit"));
            int parent = 0;
            for (int node : verdict.acceptedNodes()) {
                Require.that(
                        node > 0 && node < tree.size() && tree.parent(node) == parent,
                        "accepted nodes %s are not a path from the root",
                        verdict.acceptedNodes());
                parent = node;
            }
            for (int node : tree.path(verdict.lastNode())) {
                committed[length++] = tree.token(node);
            }
            undecided = Optional.empty();
        }

        @Override
        public void close() {
            committed = new int[0];
        }

        private void requireRoom(int rows) {
            if (length + rows > committed.length) {
                throw new OutriderException(
                        ErrorCode.CONTEXT_EXCEEDED,
                        "%d committed tokens and %d new rows exceed the session's capacity %d"
                                .formatted(length, rows, committed.length),
                        "Open the session with a larger capacity, or propose fewer nodes.");
            }
        }

        private void requireToken(int token) {
            if (token < 0 || token >= model.vocabulary()) {
                throw new OutriderException(
                        ErrorCode.TOKEN_OUT_OF_RANGE,
                        "token %d is outside the vocabulary, expected 0 to %d"
                                .formatted(token, model.vocabulary() - 1),
                        "Encode the text with the target's own tokenizer.");
            }
        }

        /// Rows of logits, which cannot be read after they are closed.
        private final class Scores implements TargetScores {
            private final float[][] rows;
            private boolean closed;

            Scores(float[][] rows) {
                this.rows = rows;
            }

            @Override
            public int vocabularySize() {
                return model.vocabulary();
            }

            @Override
            public MemorySegment logits(int node) {
                if (closed) {
                    throw new IllegalStateException("these scores are closed");
                }
                return MemorySegment.ofArray(rows[node]).asReadOnly();
            }

            @Override
            public int size() {
                return rows.length;
            }

            @Override
            public MemorySegment hidden(HiddenState which, int index) {
                throw new IllegalArgumentException(
                        "hidden state %s was not asked for".formatted(which));
            }

            @Override
            public void close() {
                closed = true;
            }
        }
    }
}
