package dev.outrider.drafter.medusa.sequence;

import dev.outrider.nn.network.Precision;
import dev.outrider.nn.vector.VectorMachine;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.target.TargetModel;
import java.util.List;
import java.util.Optional;

/// Loaded heads that read the tokens drafted before as a *state*: an array, whose size the heads choose, that a token turns
/// into another. Thread-safe.
interface SequenceHeads extends AutoCloseable {
    /// Returns the most guesses in a row.
    int guesses();

    /// Returns the numbers in a row of logits.
    int vocabulary();

    /// Returns the state before the root.
    ///
    /// @param hidden the target's hidden state after the final norm at the token before the root, `[d]`
    float[] start(float[] hidden);

    /// Returns states with one more token each.
    ///
    /// @param states of one length
    /// @param tokens as many, of the target's vocabulary
    List<float[]> after(List<float[]> states, int[] tokens);

    /// Computes the logits of the next token.
    ///
    /// @param guess  which guess in a row it is, below [#guesses]; 0 follows the root
    /// @param states after the tokens before
    /// @param logits gets `[states.size(), vocabulary()]`
    void logits(int guess, List<float[]> states, float[] logits);

    /// Releases the weights. Idempotent.
    @Override
    void close();

    /// Returns the number format of the heads' weights: the one that was asked for, else the target's if Java's vector code
    /// runs it, else f32.
    ///
    /// @throws dev.outrider.spi.error.OutriderException `BACKEND_UNAVAILABLE` if this process has no vector code, which computes the heads whatever
    ///                           runs the target
    static Precision precision(Optional<Precision> wanted, TargetModel target) {
        VectorMachine.require();
        return wanted.or(() -> target.capability(VectorNetwork.class).map(VectorNetwork::precision))
                .orElse(Precision.F32);
    }
}
