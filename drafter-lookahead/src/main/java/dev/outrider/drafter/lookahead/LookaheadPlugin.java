package dev.outrider.drafter.lookahead;

import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.draft.Drafter;
import java.util.List;

/// Adds the drafters `lookahead` and `jacobi`.
public final class LookaheadPlugin implements OutriderPlugin {
    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<Drafter.Factory<?>> drafters() {
        return List.of(new LookaheadDrafterFactory(), new JacobiDrafterFactory());
    }
}
