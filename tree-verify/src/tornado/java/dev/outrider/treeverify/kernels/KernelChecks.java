package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.KernelCheck;
import java.util.List;
import uk.ac.manchester.tornado.api.common.TornadoDevice;

/// Every kernel of a decoder's pass beside its twin, over one random shape and one random pass. What a user's machine
/// is tested with, and what the tests run over many seeds.
public final class KernelChecks {
    private KernelChecks() {}

    /// Runs every kernel once.
    ///
    /// @param seed of shapes and numbers
    public static List<KernelCheck> run(TornadoDevice device, long seed) {
        var random = new RandomPass(device, seed);
        var rows = new RowChecks(random);
        var projections = new ProjectionChecks(random);
        return List.of(
                rows.embed(),
                rows.rmsNorm(),
                projections.queryKeyValue(1),
                projections.queryKeyValue(0),
                rows.normAndRotate(),
                rows.attend(),
                projections.residual(),
                projections.gateUp(),
                projections.head(),
                rows.compact());
    }
}
