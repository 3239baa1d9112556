package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafting.head.HeadJson;
import dev.outrider.torch.TorchScript;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.Parameter;
import dev.outrider.training.head.HydraTokenHeads;
import java.util.List;

/// Hydra's heads in training, on the target's hidden state.
///
/// @see "Ankner et al. 2024 (Hydra), section 3"
final class TrainedHydra extends HydraTokenHeads {
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
