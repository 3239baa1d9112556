package dev.outrider.drafter.lookahead;

import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.draft.Drafter;
import java.util.List;

/// Adds the drafters `lookahead` and `jacobi`.
public final class LookaheadPlugin implements OutriderPlugin {
    /// Lookahead decoding.
    public static final Drafter.Factory<LookaheadConfig> LOOKAHEAD =
            Drafter.Factory.of(
                    "lookahead",
                    LookaheadConfig.class,
                    LookaheadConfig::traits,
                    (config, context) ->
                            LookaheadSession.drafter(
                                    config, context.target().description().endOfSequence()));

    /// Jacobi decoding.
    public static final Drafter.Factory<JacobiConfig> JACOBI =
            Drafter.Factory.of(
                    "jacobi",
                    JacobiConfig.class,
                    JacobiConfig::traits,
                    (config, context) ->
                            JacobiSession.drafter(
                                    config, context.target().description().endOfSequence()));

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<Drafter.Factory<?>> drafters() {
        return List.of(LOOKAHEAD, JACOBI);
    }
}
