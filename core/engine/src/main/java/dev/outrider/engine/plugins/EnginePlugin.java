package dev.outrider.engine.plugins;

import dev.outrider.engine.acceptance.BuiltInRules;
import dev.outrider.engine.length.BuiltInLengths;
import dev.outrider.engine.length.SharedLengths;
import dev.outrider.engine.length.bandit.Exp3Length;
import dev.outrider.engine.length.bandit.UcbLength;
import dev.outrider.engine.length.gain.ExpectedGainLength;
import dev.outrider.engine.length.tree.RefittedTree;
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
        factories.add(
                new SharedLengths<>(
                        "expected-gain", ExpectedGainLength.class, ExpectedGainLength::shared));
        factories.add(
                new SharedLengths<>("refitted-tree", RefittedTree.class, RefittedTree::shared));
        factories.add(new SharedLengths<>("ucb", UcbLength.class, UcbLength::shared));
        factories.add(new SharedLengths<>("exp3", Exp3Length.class, Exp3Length::shared));
        return List.copyOf(factories);
    }
}
