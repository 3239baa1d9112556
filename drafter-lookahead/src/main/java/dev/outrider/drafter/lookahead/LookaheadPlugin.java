package dev.outrider.drafter.lookahead;

import dev.outrider.drafting.DrafterPlugin;
import dev.outrider.spi.draft.Drafter;

/// Adds the drafters `lookahead` and `jacobi`.
public final class LookaheadPlugin extends DrafterPlugin {
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

    /// Adds them.
    public LookaheadPlugin() {
        super(LOOKAHEAD, JACOBI);
    }
}
