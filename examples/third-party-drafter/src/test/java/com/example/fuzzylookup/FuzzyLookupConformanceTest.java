package com.example.fuzzylookup;

import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.DrafterConformance;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;

/// Everything Outrider promises about any drafter, put to the test on this one.
class FuzzyLookupConformanceTest extends DrafterConformance {
    private static final TargetModel TARGET =
            TableTarget.of(TableModel.random(7, DistributionStyle.DENSE, 5));
    private static final FuzzyLookupConfig CONFIG = new FuzzyLookupConfig(3, 1, 4);

    @Override
    protected TargetModel target() {
        return TARGET;
    }

    @Override
    protected Drafter drafter() {
        return new FuzzyLookupFactory().create(CONFIG, () -> TARGET);
    }
}
