package dev.outrider.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import dev.outrider.training.VisitedText.VerifiedText;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// A batch of texts with guesses that the target has judged, each a row. A node sees its ancestors and itself, at the position of its
/// depth.
///
/// @param texts at least one
record VisitedRows(List<VerifiedText> texts) {
    VisitedRows {
        texts = List.copyOf(texts);
    }

    /// Nodes of a row, T; what a text does not fill is not learned.
    private int width() {
        return texts.stream().mapToInt(each -> each.text().size()).max().orElseThrow();
    }

    /// How many nodes are learned, n.
    long learned() {
        return texts.stream().mapToLong(each -> each.logits().size()).sum();
    }

    /// What `visits.torchscript` reads; the manager owns it.
    List<NDArray> inputs(NDManager manager) {
        return List.of(
                tokens(manager),
                positions(manager),
                mask(manager),
                learnedPlaces(manager),
                labels(manager));
    }

    /// Shape `[B, T]`, 64-bit integers.
    private NDArray tokens(NDManager manager) {
        int width = width();
        var tokens = new long[texts.size() * width];
        forEach((text, node, at) -> tokens[at] = text.tree().token(node));
        return manager.create(tokens, new Shape(texts.size(), width));
    }

    /// Shape `[B*T]`, 64-bit integers.
    private NDArray positions(NDManager manager) {
        var positions = new long[texts.size() * width()];
        forEach((text, node, at) -> positions[at] = text.tree().depth(node));
        return manager.create(positions);
    }

    /// What every node sees, shape `[B, 1, T, T]`, 0 where it does and negative infinity elsewhere.
    private NDArray mask(NDManager manager) {
        int width = width();
        var mask = new float[texts.size() * width * width];
        Arrays.fill(mask, Float.NEGATIVE_INFINITY);
        IntStream.range(0, texts.size() * width).forEach(at -> mask[at * width + at % width] = 0);
        forEach((text, node, at) -> {
            for (int ancestor : text.tree().path(node)) {
                mask[at * width + ancestor] = 0;
            }
        });
        return manager.create(mask, new Shape(texts.size(), 1, width, width));
    }

    /// The learned nodes' places among all of the batch, `[n]`, 64-bit integers.
    private NDArray learnedPlaces(NDManager manager) {
        var places = LongStream.builder();
        forEach((text, node, at) -> {
            if (text.visited().get(node)) {
                places.add(at);
            }
        });
        return manager.create(places.build().toArray());
    }

    /// The target's logits there, `[n, V]`.
    private NDArray labels(NDManager manager) {
        var rows = texts.stream().flatMap(each -> each.logits().stream()).toList();
        int width = rows.getFirst().length;
        var all = FloatBuffer.allocate(Math.multiplyExact(rows.size(), width));
        rows.forEach(all::put);
        return manager.create(all.flip(), new Shape(rows.size(), width));
    }

    private interface NodeVisitor {
        void visit(VisitedText text, int node, int at);
    }

    private void forEach(NodeVisitor visitor) {
        int width = width();
        for (int row = 0; row < texts.size(); row++) {
            var text = texts.get(row).text();
            for (int node = 0; node < text.size(); node++) {
                visitor.visit(text, node, row * width + node);
            }
        }
    }
}
