package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.KernelCheck;
import dev.outrider.treeverify.WeightFormat;
import java.util.ArrayList;
import java.util.List;
import uk.ac.manchester.tornado.api.common.TornadoDevice;

/// Every kernel of a decoder's pass beside its twin, over one random shape and one random pass. What a user's machine
/// is tested with, and what the tests run over many seeds.
public final class KernelChecks {
    /// Such that rows have several chunks, and a chunk more than one step of its group.
    private static final int SHORT_CHUNK = Projections.LANES + 6;

    private KernelChecks() {}

    /// Runs every kernel once.
    ///
    /// @param seed of shapes and numbers
    public static List<KernelCheck> run(TornadoDevice device, long seed) {
        var random = new RandomPass(device, seed);
        var rows = new RowChecks(random);
        var checks = new ArrayList<KernelCheck>();
        for (var format : WeightFormat.values()) {
            var projections = new ProjectionChecks(random, format);
            checks.add(rows.embed(format));
            checks.add(projections.queryKeyValue(1));
            checks.add(projections.residual());
            checks.add(projections.gateUp());
            checks.add(projections.head());
        }
        checks.add(new ProjectionChecks(random, WeightFormat.F32).queryKeyValue(0));
        checks.add(rows.rmsNorm());
        checks.add(rows.normAndRotate());
        checks.add(random.attention(RandomPass.CACHE_ROWS).attend());
        checks.add(random.attention(SHORT_CHUNK).attend());
        checks.add(random.attention(SHORT_CHUNK).reduce());
        checks.add(rows.compact());
        return List.copyOf(checks);
    }
}
