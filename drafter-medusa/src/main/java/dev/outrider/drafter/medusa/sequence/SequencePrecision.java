package dev.outrider.drafter.medusa.sequence;

import dev.outrider.nn.network.Precision;
import dev.outrider.nn.vector.VectorMachine;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetModel;
import java.util.Optional;

/// In which numbers heads are kept.
final class SequencePrecision {
    private SequencePrecision() {}

    /// What was asked for, else the target's if Java's vector code runs it, else f32.
    ///
    /// @throws OutriderException `BACKEND_UNAVAILABLE` if this process has no vector code, in which heads are computed whatever runs
    ///                           the target
    static Precision of(Optional<Precision> wanted, TargetModel target) {
        VectorMachine.require();
        return wanted.or(() -> target.capability(VectorNetwork.class).map(VectorNetwork::precision))
                .orElse(Precision.F32);
    }
}
