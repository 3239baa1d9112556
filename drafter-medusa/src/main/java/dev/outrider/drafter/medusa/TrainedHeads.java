package dev.outrider.drafter.medusa;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.Parameter;
import java.util.List;
import java.util.Map;

/// A kind of heads that [HeadLearner] trains: what is learned and how guesses are computed from it. Loss, measures and data are
/// the same for all.
public interface TrainedHeads {
    /// Heads, labels and loss.
    HeadPlan plan();

    /// What `training.json` says of them, and a resumed run must have again.
    Map<String, String> facts();

    /// What is learned, in the order in which the program counts it.
    ///
    /// @throws IllegalArgumentException if heads of these sizes do not fit the target
    List<Parameter> parameters(FrozenTarget target);

    /// What the program reads and does not learn.
    ///
    /// @param manager owner of the result
    List<NDArray> constants(FrozenTarget target, PtNDManager manager);

    /// TorchScript with the method `heads(self, p, x, c) -> List[Tensor]`: of every head the logits for the places that
    /// [HeadProgram#learned] leaves, `[n, V]`. It may use the methods of [dev.outrider.training.TrainingScripts#linear] and
    /// [dev.outrider.training.TrainingScripts#learned].
    ///
    /// @param decoder the target's architecture
    String program(DecoderConfig decoder);

    /// The values of the finished checkpoint's parameters, which may be other multiples of those that were learned.
    ///
    /// @param values one array a parameter; not changed
    default List<float[]> finished(FrozenTarget target, List<float[]> values) {
        return values;
    }

    /// The checkpoint's `config.json`.
    ///
    /// @param decoder the target's architecture
    /// @param target  its name
    String configJson(DecoderConfig decoder, String target);
}
