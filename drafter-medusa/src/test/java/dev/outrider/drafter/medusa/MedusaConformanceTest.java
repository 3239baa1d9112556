package dev.outrider.drafter.medusa;

import dev.outrider.drafting.TinyTarget;
import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.HeadFile;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.DrafterConformance;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// The published suite for drafters, on a real decoder: greedy output equals plain decoding, whatever the tree.
class MedusaConformanceTest {
    @Nested
    class Chain extends Suite {
        Chain(@TempDir Path folder) {
            super(folder, new TreePlan.Chain(4));
        }
    }

    @Nested
    @Tag("nightly")
    class Widths extends Suite {
        Widths(@TempDir Path folder) {
            super(folder, new TreePlan.LevelWidths(List.of(3, 2, 2)));
        }
    }

    @Nested
    class RankPaths extends Suite {
        RankPaths(@TempDir Path folder) {
            super(
                    folder,
                    new TreePlan.RankPaths(
                            List.of(
                                    List.of(0),
                                    List.of(1),
                                    List.of(5),
                                    List.of(0, 0),
                                    List.of(0, 3),
                                    List.of(5, 0),
                                    List.of(0, 0, 0),
                                    List.of(0, 0, 0, 1))));
        }
    }

    @Nested
    @Tag("nightly")
    class MostProbable extends Suite {
        MostProbable(@TempDir Path folder) {
            super(folder, new TreePlan.Dynamic(4, 4, 12));
        }
    }

    @Nested
    class OnAnEncoderDecoder extends Suite {
        OnAnEncoderDecoder(@TempDir Path folder) {
            super(
                    folder,
                    new TreePlan.LevelWidths(List.of(3, 2)),
                    TinyTarget.SHALLOW.encoderDecoder());
        }
    }

    /// Four random heads that borrow the target's projection.
    ///
    /// @param folder an empty one, for their checkpoint
    private static Drafter heads(TargetModel target, TreePlan plan, Path folder) {
        int size = TinyTarget.HIDDEN;
        var tensors = new HeadFile(9);
        for (int head = 0; head < 4; head++) {
            tensors.linear(head + ".0.linear", size, size);
        }
        var config =
                new MedusaConfig(
                        tensors.write(folder),
                        Optional.empty(),
                        BackendKey.VECTOR,
                        Optional.empty(),
                        Optional.of(plan));
        return MedusaPlugin.MEDUSA.create(config, () -> target);
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    abstract static class Suite extends DrafterConformance {
        private final TargetModel target;
        private final Drafter drafter;

        Suite(Path folder, TreePlan plan) {
            this(folder, plan, TinyTarget.SHALLOW.open());
        }

        Suite(Path folder, TreePlan plan, TargetModel target) {
            this.target = target;
            drafter = heads(target, plan, folder);
        }

        @AfterAll
        void close() {
            drafter.close();
            target.close();
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
