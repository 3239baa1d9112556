package dev.outrider.drafter.medusa;

import com.fasterxml.jackson.databind.node.ObjectNode;
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
import dev.outrider.training.head.TokenHeads;
import dev.outrider.training.head.TrainedHead;
import java.util.ArrayList;
import java.util.List;

/// The configuration of `train medusa`.
public record MedusaTraining(
        @Inline FrozenTargetKeys keys, @Doc("The heads.") TokenHeads.Plan heads)
        implements HeadTraining {
    @Override
    public TrainedHead head(FrozenTarget target, RowSource rows) {
        return new TrainedMedusa(target, keys, heads);
    }

    /// `train medusa`.
    public static final class Trainer extends HeadTrainer<MedusaTraining> {
        public Trainer() {
            super(
                    "medusa",
                    MedusaTraining.class,
                    "Trains Medusa heads on a target that stays as it is.",
                    "The heads learn from text what follows the target's hidden states.",
                    "train medusa --config configs/training/medusa.yaml",
                    "train medusa --config configs/training/medusa.yaml --set heads.projection=target");
        }
    }

    /// Medusa's heads in training. Blocks are initialised with the identity, and own projections with the target's head, so that every
    /// head starts with the target's own guess.
    ///
    /// @see "Cai et al. 2024 (Medusa), section 3.1"
    static final class TrainedMedusa extends TokenHeads {
        TrainedMedusa(FrozenTarget target, FrozenTargetKeys keys, Plan plan) {
            super(target, keys, plan);
        }

        /// Returns TorchScript with the method `heads`.
        static String heads(Plan plan) {
            return TorchScript.resource(TrainedMedusa.class, "medusa") + constants(plan);
        }

        @Override
        protected String heads() {
            return heads(plan());
        }

        @Override
        public List<Parameter> parameters() {
            var list = new ArrayList<Parameter>();
            for (int head = 0; head < plan().count(); head++) {
                for (int layer = 0; layer < plan().layers(); layer++) {
                    addZeros(list, "%d.%d.linear".formatted(head, layer), hidden(), hidden());
                }
                if (plan().projection() == Projection.OWN) {
                    list.add(
                            copiedHead(
                                    MedusaLayout.MEDUSA.projection(head, plan().layers())
                                            + ".weight"));
                }
            }
            return list;
        }

        @Override
        public String configJson(int endOfText) {
            var version =
                    switch (plan().projection()) {
                        case OWN -> "1";
                        case TARGET -> "2";
                    };
            return HeadJson.text(describe(json(version, plan().count(), plan().layers())));
        }

        /// Returns the keys that describe heads of Medusa.
        static ObjectNode json(String version, int heads, int layers) {
            var json = HeadJson.object();
            json.put("model_type", "medusa");
            json.put("version", version);
            json.put("medusa_num_heads", heads);
            json.put("medusa_num_layers", layers);
            return json;
        }
    }
}
