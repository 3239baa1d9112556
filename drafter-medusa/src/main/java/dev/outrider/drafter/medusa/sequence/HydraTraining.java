package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafting.head.HeadJson;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.torch.TorchScript;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.Parameter;
import dev.outrider.training.RowSource;
import dev.outrider.training.head.HeadTrainer;
import dev.outrider.training.head.HeadTraining;
import dev.outrider.training.head.HydraTokenHeads;
import dev.outrider.training.head.TokenHeads;
import dev.outrider.training.head.TrainedHead;
import java.util.List;

/// The configuration of `train hydra`.
public record HydraTraining(@Inline FrozenTargetKeys keys, @Doc("The heads.") TokenHeads.Plan heads)
        implements HeadTraining {
    @Override
    public TrainedHead head(FrozenTarget target, RowSource rows) {
        return new TrainedHydra(target, keys, heads);
    }

    /// `train hydra`.
    public static final class Trainer extends HeadTrainer<HydraTraining> {
        public Trainer() {
            super(
                    "hydra",
                    HydraTraining.class,
                    "Trains Hydra heads on a target that stays as it is.",
                    "As train medusa, but each head also reads the tokens between the hidden state and its guess; in training they are the text's.",
                    "train hydra --config configs/training/hydra.yaml");
        }
    }

    /// Hydra's heads in training, on the target's hidden state.
    ///
    /// @see "Ankner et al. 2024 (Hydra), section 3"
    static final class TrainedHydra extends HydraTokenHeads {
        private static final Names NAMES =
                new Names(
                        HydraCheckpoint.NAMES::block,
                        HydraCheckpoint.NAMES::residual,
                        HydraCheckpoint.NAMES::projection);

        TrainedHydra(FrozenTarget target, FrozenTargetKeys keys, Plan plan) {
            super(target, keys, plan, NAMES);
        }

        @Override
        public List<Parameter> parameters() {
            return headParameters();
        }

        @Override
        public String configJson(int endOfText) {
            var json = HeadJson.object();
            json.put("model_type", "hydra");
            return HeadJson.text(describeHydra(json));
        }

        @Override
        protected String heads() {
            return hydraHeads() + TorchScript.resource(TrainedHydra.class, "hydra");
        }

        @Override
        protected int storedBlocks() {
            return plan().layers();
        }

        @Override
        protected String architecture() {
            return "mlp";
        }
    }
}
