package dev.outrider.training.head;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.training.Parameter;
import dev.outrider.training.TokenRows;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The mathematics of a head in training: its parameters, a program with its forward pass and loss, and the inputs of
/// that program. [HeadLearner] adds everything else.
public interface TrainedHead {
    /// Returns the settings, by name, that a resumed run must have too.
    Map<String, String> facts();

    /// Returns the parameters with their initial values, in the names and the order of the file.
    ///
    /// @throws IllegalArgumentException if the settings do not fit the target
    List<Parameter> parameters();

    /// Returns TorchScript with the methods `loss` and `measures`, see `Learner.program`.
    String program();

    /// Returns the names of the measures after the loss.
    List<String> measures();

    /// Returns the tensors that all batches share.
    List<NDArray> constants(PtNDManager manager);

    /// Returns the inputs of a batch.
    List<NDArray> inputs(TokenRows rows, PtNDManager manager);

    /// Returns the values in the form of the file.
    ///
    /// @param values of the parameters, in order
    default List<float[]> finished(List<float[]> values) {
        return values;
    }

    /// Returns tensors of the file that are not learned.
    default List<StoredTensor> fixed() {
        return List.of();
    }

    /// Returns the file's `config.json`.
    String configJson(int endOfText);

    /// Returns the tokenizer of the result, if the result is a separate model.
    default Optional<Path> tokenizer() {
        return Optional.empty();
    }
}
