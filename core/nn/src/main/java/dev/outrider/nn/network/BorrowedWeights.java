package dev.outrider.nn.network;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.runtime.PrepackedLinear;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.nn.runtime.TensorOps;
import java.util.stream.IntStream;

/// A network's embedding and head as the own weights of another stack, a draft layer or an encoder: the same memory where both store
/// them alike, otherwise copies.
///
/// @param lender whose they are
record BorrowedWeights(SharedWeights lender) {
    /// The kind of linear layers a draft network must have to read the lender's memory, if it has `wanted` types.
    LinearKind fitted(LinearKind wanted) {
        return lender instanceof ScriptedNetwork scripted && scripted.kind().type() == wanted.type()
                ? new LinearKind(wanted.type(), wanted.prepacked(), scripted.kind().headPrepacked())
                : wanted;
    }

    /// The embedding, `[V, h]`.
    Tensor embedding(LinearKind kind, PtNDManager manager) {
        if (lender instanceof ScriptedNetwork scripted && scripted.type() == kind.type()) {
            return shared(ScriptText.Shared.EMBEDDING, manager);
        }
        int[] all = IntStream.range(0, lender.vocabularySize()).toArray();
        return TensorOps.get().convert(lender.embed(all, manager), kind.type(), manager);
    }

    /// The head, `[V, h]`, prepacked if `kind` says so.
    Tensor head(LinearKind kind, PtNDManager manager) {
        if (stores(kind)) {
            return shared(ScriptText.Shared.HEAD, manager);
        }
        // The head of the unit vectors is the head itself, turned.
        int size = lender.hiddenSize();
        var identity = manager.create(identity(size), new Shape(size, size));
        var turned = lender.head(Tensor.of(identity), manager);
        var head =
                TensorOps.get()
                        .convert(TensorOps.get().transpose(turned, manager), kind.type(), manager);
        return kind.headPrepacked() ? PrepackedLinear.pack(head, manager) : head;
    }

    private boolean stores(LinearKind kind) {
        return lender instanceof ScriptedNetwork scripted
                && scripted.kind().type() == kind.type()
                && scripted.kind().headPrepacked() == kind.headPrepacked();
    }

    private Tensor shared(ScriptText.Shared which, PtNDManager manager) {
        return ((ScriptedNetwork) lender).shared(which, manager);
    }

    private static float[] identity(int size) {
        var identity = new float[size * size];
        for (int index = 0; index < size; index++) {
            identity[index * size + index] = 1;
        }
        return identity;
    }
}
