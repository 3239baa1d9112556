package dev.outrider.training;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.checkpoint.StoredTensor;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A model that a training run trains: a decoder, or heads on a frozen target. The loop around it ([Trainer]) is the same for all:
/// packing, AdamW, learning rate, clipping, checkpoints, curves.
///
/// A learner states its parameters and a TorchScript program over them, and makes the program's inputs from packed rows.
/// It keeps no state of its own that a step changes. Confined to one thread; the caller closes it.
public interface Learner extends AutoCloseable {
    /// Returns the facts that identify what is trained, apart from the [TrainingConfig]: sizes, the target's digest. They are
    /// written to `training.json`, and a run is resumed only if all of them are the same. In a stable order.
    Map<String, String> facts();

    /// Returns the trainable parameters.
    ParameterSet parameters();

    /// TorchScript methods, indented by two spaces (see [dev.outrider.torch.TorchScript]), two of them being
    ///
    /// ```
    ///   def loss(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor
    ///   def measures(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> List[Tensor]
    /// ```
    ///
    /// with `p` the parameters, `x` the [#inputs] of a batch and `c` the [#constants]. `loss` is a scalar, nats per token,
    /// that depends on every parameter; `measures` are scalars without gradient: first the validation loss, then one for
    /// each name in [#measures]. The name `gradients` is taken.
    String program();

    /// Returns the names of the program's `measures` after the first, which is the validation loss. Means over validation rows are
    /// written to the curve and to `training.json`.
    default List<String> measures() {
        return List.of();
    }

    /// Tensors that all steps read and none changes; without gradient, made once.
    ///
    /// @param manager owner of the result
    List<NDArray> constants(PtNDManager manager);

    /// Makes the program's inputs for a batch, without gradient and by calls that record (inference tensors cannot be saved for
    /// gradients). A frozen target runs here.
    ///
    /// @param rows    as the run's [RowSource] makes them; packed ones have [TrainingConfig#contextTokens()] + 1 tokens each
    /// @param manager owner of the result
    List<NDArray> inputs(TokenRows rows, PtNDManager manager);

    /// The target or teacher whose passes [#inputs] reads, one over each batch, if there is one.
    default Optional<FrozenTarget> frozen() {
        return Optional.empty();
    }

    /// Returns the number of learned tokens of a batch; in packed rows the first token of a row is not learned.
    ///
    /// @param rows as in [#inputs]
    default long predicted(TokenRows rows) {
        return rows.labels().learnedTokens();
    }

    /// The finished model.
    ///
    /// @param values    one array per parameter, row-major
    /// @param endOfText the token that ends a document
    FinishedModel finished(List<float[]> values, int endOfText);

    @Override
    void close();

    /// The files that a finished run writes beside `training.json`.
    ///
    /// @param configJson content of `config.json`
    /// @param tensors    content of `model.safetensors`
    /// @param tokenizer  a `tokenizer.json` to copy beside them
    record FinishedModel(String configJson, List<StoredTensor> tensors, Optional<Path> tokenizer) {
        public FinishedModel {
            tensors = List.copyOf(tensors);
        }
    }
}
