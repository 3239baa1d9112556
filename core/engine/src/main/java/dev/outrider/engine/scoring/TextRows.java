package dev.outrider.engine.scoring;

import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// Reads the target's logits at the places of a text, a few rows in each pass. A row does not depend on the others of its pass, so these
/// are the logits that decoding had.
///
/// @param target confined to the thread that reads
/// @param source token ids for the encoder; empty for a target without one
public record TextRows(TargetModel target, List<Integer> source) {
    private static final int ROWS = 32;

    /// Receives a row.
    @FunctionalInterface
    public interface Reader {
        /// @param place  of the token that the row is about, in the text
        /// @param logits shape `[V]` 32-bit floats, valid during the call
        void row(int place, MemorySegment logits);
    }

    /// Reads the rows of some tokens in turn.
    ///
    /// @param text  token ids
    /// @param first place of the first token whose row is read, at least 1
    /// @throws dev.outrider.spi.error.OutriderException what the target throws
    public void read(int[] text, int first, Reader reader) {
        int capacity = Math.min(text.length + 1, target.description().maxPositions());
        try (var session = target.open(new SessionRequest(capacity, Set.of(), source))) {
            session.prefill(Arrays.copyOf(text, first - 1)).close();
            for (int from = first; from < text.length; from += ROWS) {
                int rows = Math.min(ROWS, text.length - from);
                var tree =
                        TokenTree.chain(
                                text[from - 1], Arrays.copyOfRange(text, from, from + rows - 1));
                try (var scores = session.score(tree)) {
                    for (int row = 0; row < rows; row++) {
                        reader.row(from + row, scores.logits(row));
                    }
                    var path = IntStream.range(1, rows).boxed().toList();
                    session.commit(
                            new Verdict(path, text[from + rows - 1], Verdict.Origin.CORRECTION));
                }
            }
        }
    }
}
