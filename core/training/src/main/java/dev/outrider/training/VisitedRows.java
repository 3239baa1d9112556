package dev.outrider.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import dev.outrider.training.VisitedText.VerifiedText;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// A batch of rows that texts with guesses are laid into, one behind the other. A node sees its ancestors and itself, at the position
/// of its depth.
///
/// @param rows  the texts of each row
/// @param width nodes of a row, T; what texts do not fill is not learned
public record VisitedRows(List<List<VisitedText>> rows, int width) {
    public VisitedRows {
        rows = rows.stream().map(List::copyOf).toList();
        for (var row : rows) {
            int nodes = row.stream().mapToInt(VisitedText::size).sum();
            if (nodes > width) {
                throw new IllegalArgumentException(
                        "%d nodes in a row of %d".formatted(nodes, width));
            }
        }
    }

    /// All texts, row by row.
    List<VisitedText> texts() {
        return rows.stream().flatMap(List::stream).toList();
    }

    /// How many nodes are learned.
    public long learned() {
        return texts().stream().mapToLong(text -> text.visited().cardinality()).sum();
    }

    /// Tokens, shape `[B, T]`, 64-bit integers; the manager owns it.
    NDArray tokens(NDManager manager) {
        var tokens = new long[rows.size() * width];
        forEach((text, node, at) -> tokens[at] = text.tree().token(node));
        return manager.create(tokens, new Shape(rows.size(), width));
    }

    /// Positions, shape `[B*T]`, 64-bit integers; the manager owns it.
    NDArray positions(NDManager manager) {
        var positions = new long[rows.size() * width];
        forEach((text, node, at) -> positions[at] = text.tree().depth(node));
        return manager.create(positions);
    }

    /// What every node sees, shape `[B, 1, T, T]`, 0 where it does and negative infinity elsewhere; the manager owns it.
    NDArray mask(NDManager manager) {
        var mask = new float[rows.size() * width * width];
        Arrays.fill(mask, Float.NEGATIVE_INFINITY);
        IntStream.range(0, rows.size() * width).forEach(at -> mask[at * width + at % width] = 0);
        forEach((text, node, at) -> {
            int first = at % width - node;
            for (int ancestor : text.tree().path(node)) {
                mask[at * width + first + ancestor] = 0;
            }
        });
        return manager.create(mask, new Shape(rows.size(), 1, width, width));
    }

    /// The learned nodes' places among all of the batch, 64-bit integers; the manager owns it.
    NDArray learnedPlaces(NDManager manager) {
        var places = LongStream.builder();
        forEach((text, node, at) -> {
            if (text.visited().get(node)) {
                places.add(at);
            }
        });
        return manager.create(places.build().toArray());
    }

    private interface NodeVisitor {
        void visit(VisitedText text, int node, int at);
    }

    private void forEach(NodeVisitor visitor) {
        for (int row = 0; row < rows.size(); row++) {
            int at = row * width;
            for (var text : rows.get(row)) {
                for (int node = 0; node < text.size(); node++) {
                    visitor.visit(text, node, at++);
                }
            }
        }
    }

    /// A batch of texts with guesses that the target has judged already: no teacher runs for it. Every text is a row.
    ///
    /// @param rows   the texts
    /// @param logits the target's, `[V]` each, of the visited nodes of all texts one behind the other
    record VerifiedRows(VisitedRows rows, List<float[]> logits) implements Batch {
        /// @param texts at least one
        static VerifiedRows of(List<VerifiedText> texts) {
            int width = texts.stream().mapToInt(each -> each.text().size()).max().orElseThrow();
            return new VerifiedRows(
                    new VisitedRows(
                            texts.stream().map(each -> List.of(each.text())).toList(), width),
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
}
