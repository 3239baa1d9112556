package dev.outrider.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.stream.Stream;

/// A batch of texts with guesses that the target has judged already: no teacher runs for it. Every text is a row.
///
/// @param rows   the texts
/// @param logits the target's, `[V]` each, of the visited nodes of all texts one behind the other
record VerifiedRows(VisitedRows rows, List<float[]> logits) implements Batch {
    /// @param texts at least one
    static VerifiedRows of(List<VerifiedText> texts) {
        int width = texts.stream().mapToInt(each -> each.text().size()).max().orElseThrow();
        return new VerifiedRows(
                new VisitedRows(texts.stream().map(each -> List.of(each.text())).toList(), width),
                texts.stream().flatMap(each -> each.logits().stream()).toList());
    }

    /// What `visited_loss` in `visits.torchscript` reads; the manager owns it.
    List<NDArray> inputs(NDManager manager) {
        return Stream.of(
                        rows.tokens(manager),
                        rows.positions(manager),
                        rows.mask(manager),
                        rows.learnedPlaces(manager),
                        manager.arange(0, logits.size(), 1, DataType.INT64),
                        labels(manager))
                .toList();
    }

    private NDArray labels(NDManager manager) {
        int width = logits.getFirst().length;
        var all = FloatBuffer.allocate(Math.multiplyExact(logits.size(), width));
        logits.forEach(all::put);
        return manager.create(all.flip(), new Shape(logits.size(), width));
    }
}
