package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.TinyTarget;
import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.HeadFile;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.DrafterConformance;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Tests both kinds of heads, loaded from files, on targets of the tensor engine and of Java's vector code.
class SequenceConformanceTest {
    private static final int HIDDEN = TinyTarget.HIDDEN;

    @Nested
    class HydraChain extends Suite {
        HydraChain(@TempDir Path folder) {
            super(
                    TinyTarget.SHALLOW.open(),
                    target -> hydra(target, folder, new TreePlan.Chain(3)));
        }
    }

    @Nested
    class HydraDistinctTree extends Suite {
        HydraDistinctTree(@TempDir Path folder) {
            super(
                    TinyTarget.SHALLOW.encoderDecoder(),
                    target ->
                            hydra(
                                    target,
                                    folder,
                                    new TreePlan.SampledWithoutReplacement(List.of(2, 2, 1))));
        }
    }

    @Nested
    class RedrafterDynamicTree extends Suite {
        RedrafterDynamicTree(@TempDir Path folder) {
            super(
                    TinyTarget.SHALLOW.open(),
                    target ->
                            redrafter(
                                    target,
                                    folder,
                                    Drafting.of(new TreePlan.Dynamic(3, 4, 10)),
                                    Optional.empty()));
        }
    }

    @Nested
    class RedrafterBeam extends Suite {
        RedrafterBeam(@TempDir Path folder) {
            super(
                    TinyTarget.SHALLOW.encoderDecoder(),
                    target ->
                            redrafter(
                                    target,
                                    folder,
                                    new Drafting(
                                            Optional.empty(),
                                            Optional.empty(),
                                            Optional.empty(),
                                            0,
                                            Optional.empty()),
                                    Optional.of(new RedrafterConfig.Beam(3, 4))));
        }
    }

    private static Drafter hydra(TargetModel target, Path folder, TreePlan plan) {
        var tensors = new HeadFile(7);
        for (int head = 0; head < 4; head++) {
            int read = (head + 2) * HIDDEN;
            for (var name :
                    List.of(
                            HydraCheckpoint.NAMES.block(head, 0),
                            HydraCheckpoint.NAMES.residual(head))) {
                tensors.random(name + ".weight", HIDDEN, read).random(name + ".bias", HIDDEN);
            }
        }
        tensors.write(folder);
        return SequencePlugin.HYDRA.create(
                new HydraConfig(
                        new HeadKeys(folder, Drafting.of(plan), Optional.empty()),
                        BackendKey.VECTOR),
                () -> target);
    }

    private static Drafter redrafter(
            TargetModel target,
            Path folder,
            Drafting drafting,
            Optional<RedrafterConfig.Beam> beam) {
        new HeadFile(7)
                .random("lm_head.0.linear.weight", 2 * HIDDEN, 2 * HIDDEN)
                .random("lm_head.0.linear.bias", 2 * HIDDEN)
                .random("lm_head.1.weight", TinyTarget.VOCABULARY, 2 * HIDDEN)
                .random("rnn_u.weight", HIDDEN, HIDDEN)
                .random("rnn_u.bias", HIDDEN)
                .random("rnn_w.weight", HIDDEN, HIDDEN)
                .write(folder);
        HeadFile.config(
                folder,
                "{\"exit_dim\": %d, \"num_draft_layers\": 1, \"rnn\": true}".formatted(2 * HIDDEN));
        return SequencePlugin.REDRAFTER.create(
                new RedrafterConfig(new HeadKeys(folder, drafting, Optional.empty()), beam),
                () -> target);
    }

    private interface Loading {
        Drafter on(TargetModel target);
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    abstract static class Suite extends DrafterConformance {
        private final TargetModel target;
        private final Drafter drafter;

        Suite(TargetModel target, Loading loading) {
            this.target = target;
            drafter = loading.on(target);
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
