package dev.outrider.drafter.block;

import dev.outrider.common.Require;
import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;

/// Configuration of the drafter `dspark`.
@Doc(
        "DSpark: DFlash's block, of which every guess also depends on the one before it (Markov head); a confidence head can end a draft.")
public record DSparkConfig(
        @Inline HeadKeys head,
        @Inline BackendKey engine,
        @Doc(
                        "Stop guessing where the confidence head expects a guess to be accepted with less than this probability, 0 (off) to 1; it"
                                + " sees the tokens before the guess and not the guess, so the output is not affected.")
                @Default("0")
                double acceptanceThreshold,
        @Inline BlockOverrides overrides) {
    public DSparkConfig {
        engine.backend().require(head.precision());
        Require.share("'acceptanceThreshold'", acceptanceThreshold);
    }
}
