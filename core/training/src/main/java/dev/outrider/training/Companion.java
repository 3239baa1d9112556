package dev.outrider.training;

import dev.outrider.nn.network.DecoderConfig;
import java.util.List;

/// Heads that are trained together with a decoder, whose losses are added to the decoder's own: for example modules for multi-token
/// prediction. A record: a run is resumed only if the record's text is the same.
public interface Companion {
    /// Returns its name in `training.json` and in messages.
    String kind();

    /// Weight of the mean of its losses beside the decoder's own.
    double lossWeight();

    /// Names of its losses, which are validation measures too.
    List<String> losses();

    /// Whether it reads the decoder's states after the final norm rather than before.
    boolean normed();

    /// @throws IllegalArgumentException if rows are too short for it to learn anything
    void requireRoom(int contextTokens);

    /// Returns its trainable parameters.
    List<Parameter> parameters(DecoderConfig decoder);

    /// TorchScript, indented by two spaces, with the method
    ///
    /// ```
    ///   def companion(self: __torch__.M, state: Tensor, tokens: Tensor, mask: Tensor, embedding: Tensor, head: Tensor, p: List[Tensor], cos: Tensor, sin: Tensor) -> List[Tensor]
    /// ```
    ///
    /// that gives its losses, a scalar each, from the decoder's states `[B, T, h]`, the rows' tokens and which of them are learned,
    /// `[B, T+1]` each. It may use the methods of [TrainingScripts#linear], [TrainingScripts#learned] and `layer.torchscript`.
    ///
    /// @param first index in `p` of its first parameter
    String methods(DecoderConfig decoder, int first);

    /// The finished checkpoint's `config.json`.
    ///
    /// @param decoder the decoder's
    String configJson(String decoder);
}
