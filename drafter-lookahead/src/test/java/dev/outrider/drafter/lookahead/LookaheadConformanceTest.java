package dev.outrider.drafter.lookahead;

import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.DrafterConformance;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.util.Set;
import org.junit.jupiter.api.Nested;

/// The published suite for drafters.
class LookaheadConformanceTest {
    @Nested
    class SmallWindow extends Suite {
        SmallWindow() {
            super(Toys.chaos(), new LookaheadConfig(2, 4, 2, false, 1));
        }
    }

    @Nested
    class PoolFromText extends Suite {
        PoolFromText() {
            super(Toys.circle(), new LookaheadConfig(3, 3, 4, true, 1));
        }
    }

    @Nested
    class PairsOnly extends Suite {
        PairsOnly() {
            super(Toys.pairs(), new LookaheadConfig(6, 2, 3, true, 1));
        }
    }

    @Nested
    class Jacobi extends Suite {
        Jacobi() {
            super(Toys.circle(), JacobiSession.drafter(new JacobiConfig(5, false, 1), Set.of()));
        }
    }

    abstract static class Suite extends DrafterConformance {
        private final TargetModel target;
        private final Drafter drafter;

        Suite(TableModel table, LookaheadConfig config) {
            this(table, LookaheadSession.drafter(config, Set.of()));
        }

        Suite(TableModel table, Drafter drafter) {
            this.target = TableTarget.of(table);
            this.drafter = drafter;
        }

        @Override
        protected TargetModel target() {
            return target;
        }

        @Override
        protected Drafter drafter() {
            return drafter;
        }

        @Override
        protected boolean dependsOnHistoryOnly() {
            return false;
        }
    }
}
