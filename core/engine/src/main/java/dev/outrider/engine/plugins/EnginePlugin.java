package dev.outrider.engine.plugins;

import dev.outrider.engine.acceptance.BuiltInRules;
import dev.outrider.engine.length.BuiltInLengths;
import dev.outrider.engine.length.bandit.BanditLengths;
import dev.outrider.engine.length.gain.ExpectedGainFactory;
import dev.outrider.engine.length.tree.RefittedTreeFactory;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DraftLengthPolicy;
import java.util.ArrayList;
import java.util.List;

/// The engine's own acceptance rules and draft-length policies, offered like anybody else's.
public final class EnginePlugin implements OutriderPlugin {
    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<AcceptanceRule.Factory<?>> acceptanceRules() {
        return BuiltInRules.factories();
    }

    @Override
    public List<DraftLengthPolicy.Factory<?>> draftLengthPolicies() {
        var factories = new ArrayList<>(BuiltInLengths.factories());
        factories.add(new ExpectedGainFactory());
        factories.add(new RefittedTreeFactory());
        factories.addAll(BanditLengths.factories());
        return List.copyOf(factories);
    }
}
