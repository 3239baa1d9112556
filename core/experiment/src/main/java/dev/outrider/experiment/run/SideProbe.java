package dev.outrider.experiment.run;

import dev.outrider.common.Ticker;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.run.DecodeListener;
import java.util.List;

/// How fast a side is, from a few tokens of one prompt.
public final class SideProbe {
    private static final int TOKENS = 16;

    /// The fastest counts: the first ones run code that is not compiled yet.
    private static final int PROBES = 4;

    private static final double NANOS_PER_SECOND = 1e9;

    private SideProbe() {}

    /// Seconds for each token, prefill included.
    ///
    /// @throws dev.outrider.spi.error.OutriderException what decoding throws
    public static double secondsPerToken(Side side, Prompt prompt, Ticker ticker) {
        double token = Double.POSITIVE_INFINITY;
        var request = prompt.request(TOKENS, side.policy(), List.of(), true);
        for (int i = 0; i < PROBES; i++) {
            long begin = ticker.nanos();
            var generation =
                    side.generate(
                            request,
                            RandomnessSource.of(new KeyedRandomStreams(0, 0)),
                            DecodeListener.none(),
                            () -> false);
            side.learn();
            double seconds = (ticker.nanos() - begin) / NANOS_PER_SECOND;
            token = Math.min(token, seconds / Math.max(1, generation.tokens().length));
        }
        return token;
    }
}
