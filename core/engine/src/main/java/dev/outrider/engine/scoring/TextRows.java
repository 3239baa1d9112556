package dev.outrider.engine.scoring;

import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// Reads the logits of targets at the places of a text, a few rows in each pass. A row does not depend on the others of its pass, so these
/// are the logits that decoding had.
///
/// @param targets confined to the thread that reads
/// @param source  token ids for the encoder; empty for a target without one
public record TextRows(List<TargetModel> targets, List<Integer> source) {
    private static final int ROWS = 32;

    /// Rows of one target.
    public TextRows(TargetModel target, List<Integer> source) {
        this(List.of(target), source);
    }

    /// Receives a row.
    @FunctionalInterface
    public interface Reader {
        /// @param place  of the token that the row is about, in the text
        /// @param logits of a target, by its number: shape `[V]` 32-bit floats, valid during the call
        void row(int place, IntFunction<MemorySegment> logits);
    }

    /// Reads the rows of some tokens in turn.
    ///
    /// @param text  token ids
    /// @param first place of the first token whose row is read, at least 1
    /// @throws dev.outrider.spi.error.OutriderException what a target throws
    public void read(int[] text, int first, Reader reader) {
        var sessions = new ArrayList<TargetSession>();
        try {
            for (var target : targets) {
                int capacity = Math.min(text.length + 1, target.description().maxPositions());
                sessions.add(target.open(new SessionRequest(capacity, Set.of(), source)));
                sessions.getLast().prefill(Arrays.copyOf(text, first - 1)).close();
            }
            for (int from = first; from < text.length; from += ROWS) {
                int rows = Math.min(ROWS, text.length - from);
                pass(sessions, text, from, rows, reader);
            }
        } finally {
            sessions.forEach(TargetSession::close);
        }
    }

    private static void pass(
            List<TargetSession> sessions, int[] text, int from, int rows, Reader reader) {
        var tree = TokenTree.chain(text[from - 1], Arrays.copyOfRange(text, from, from + rows - 1));
        var scores = new ArrayList<TargetScores>();
        try {
            sessions.forEach(each -> scores.add(each.score(tree)));
            for (int index = 0; index < rows; index++) {
                int row = index;
                reader.row(from + row, target -> scores.get(target).logits(row));
            }
            var path = IntStream.range(1, rows).boxed().toList();
            var verdict = new Verdict(path, text[from + rows - 1], Verdict.Origin.CORRECTION);
            sessions.forEach(each -> each.commit(verdict));
        } finally {
            scores.forEach(TargetScores::close);
        }
    }
}
