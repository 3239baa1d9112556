package dev.outrider.testkit;

import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.TargetModel;
import java.util.List;
import org.junit.jupiter.api.Nested;

/// The table models pass the suites that third parties extend.
class ConformanceOfOurOwnTest {
    private static final TableTarget TARGET =
            TableTarget.of(TableModel.random(7, DistributionStyle.DENSE, 5));
    private static final TableTarget READING =
            TableTarget.reading(TableModel.random(7, DistributionStyle.DENSE, 5));
    private static final TableModel DRAFT = TableModel.random(7, DistributionStyle.DENSE, 6);

    @Nested
    class Tables extends TargetConformance {
        @Override
        protected TargetModel target() {
            return TARGET;
        }
    }

    @Nested
    class TablesThatReadSources extends TargetConformance {
        @Override
        protected TargetModel target() {
            return READING;
        }
    }

    @Nested
    class ChainsAfterASource extends TableDrafts {
        ChainsAfterASource() {
            super(new TreePlan.Chain(4));
        }

        @Override
        protected TargetModel target() {
            return READING;
        }
    }

    @Nested
    class Chains extends TableDrafts {
        Chains() {
            super(new TreePlan.Chain(4));
        }
    }

    @Nested
    class TopKTrees extends TableDrafts {
        TopKTrees() {
            super(new TreePlan.LevelWidths(List.of(3, 2, 1)));
        }
    }

    @Nested
    class SampledTrees extends TableDrafts {
        SampledTrees() {
            super(new TreePlan.SampledWithoutReplacement(List.of(3, 2)));
        }
    }

    abstract static class TableDrafts extends DrafterConformance {
        private final TreePlan plan;

        TableDrafts(TreePlan plan) {
            this.plan = plan;
        }

        @Override
        protected TargetModel target() {
            return TARGET;
        }

        @Override
        protected Drafter drafter() {
            return new TableDrafter(DRAFT, plan, Toy.PLAIN);
        }
    }
}
