package dev.outrider.drafter.smallmodel;

import dev.outrider.drafting.Drafting;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.DrafterConformance;
import dev.outrider.testkit.LetterTokenizer;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/// Runs the published conformance suite for drafters, for each way of choosing nodes.
class SmallModelConformanceTest {
    private static final int VOCABULARY = 12;

    @Nested
    class SampledChain extends Suite {
        SampledChain() {
            super(new TreePlan.Chain(4));
        }
    }

    @Nested
    class DynamicTree extends Suite {
        DynamicTree() {
            super(new TreePlan.Dynamic(3, 4, 12));
        }
    }

    @Nested
    @Tag("nightly")
    class RankPathTree extends Suite {
        RankPathTree() {
            super(
                    new TreePlan.RankPaths(
                            List.of(List.of(0), List.of(1), List.of(0, 0), List.of(0, 2))));
        }
    }

    @Nested
    @Tag("nightly")
    class IndependentSiblings extends Suite {
        IndependentSiblings() {
            super(new TreePlan.SampledWithReplacement(List.of(3, 2)));
        }
    }

    @Nested
    class DistinctSiblings extends Suite {
        DistinctSiblings() {
            super(new TreePlan.SampledWithoutReplacement(List.of(3, 2, 1)));
        }
    }

    @Nested
    class CoupledSiblings extends Suite {
        CoupledSiblings() {
            super(new TreePlan.Coupled(List.of(2, 2, 1)));
        }
    }

    @Nested
    class ChainInOnePass extends Suite {
        ChainInOnePass() {
            super(pard(new TreePlan.Chain(4)));
        }
    }

    @Nested
    class BestNodesInOnePass extends Suite {
        BestNodesInOnePass() {
            super(pard(new TreePlan.Dynamic(3, 4, 12)));
        }
    }

    @Nested
    @Tag("nightly")
    class DistinctSiblingsInOnePass extends Suite {
        DistinctSiblingsInOnePass() {
            super(pard(new TreePlan.SampledWithoutReplacement(List.of(3, 2, 1))));
        }
    }

    private static Drafter pard(TreePlan plan) {
        return new PardDrafter(Drafting.of(plan), model(), VOCABULARY - 1, VOCABULARY);
    }

    private static DraftModel model() {
        return new DraftModel(
                new TableNetwork(VOCABULARY, 9, 1.5),
                new LetterTokenizer(VOCABULARY),
                VOCABULARY,
                200,
                1,
                "",
                Optional.empty());
    }

    private abstract static class Suite extends DrafterConformance {
        private final TargetModel target =
                TableTarget.of(TableModel.random(VOCABULARY, DistributionStyle.DENSE, 4));
        private final Drafter drafter;

        Suite(TreePlan plan) {
            this(new SmallModelDrafter(Configs.of(plan), model(), VOCABULARY));
        }

        Suite(Drafter drafter) {
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
    }
}
