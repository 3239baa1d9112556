package dev.outrider.drafter.medusa;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Weight;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Medusa's heads. Blocks start as the identity, projections of their own as the target's head, so that training starts from the
/// target's own next guess.
///
/// @see "Cai et al. 2024 (Medusa), section 3.3.1"
record TrainedMedusa(HeadPlan plan) implements TrainedHeads {
    @Override
    public Map<String, String> facts() {
        return Map.of("heads", plan.toString());
    }

    @Override
    public List<Parameter> parameters(FrozenTarget target) {
        int hidden = target.config().hiddenSize();
        int vocabulary = target.config().vocabularySize();
        var zero = new Parameter.Initial.Constant(0);
        var list = new ArrayList<Parameter>();
        try (var manager = TensorRuntime.newManager()) {
            for (int head = 0; head < plan.count(); head++) {
                for (int layer = 0; layer < plan.layers(); layer++) {
                    var name = MedusaNames.block(head, layer);
                    list.add(Parameter.of(name + ".weight", zero, hidden, hidden));
                    list.add(Parameter.of(name + ".bias", zero, hidden));
                }
                if (plan.projection() == HeadPlan.Projection.OWN) {
                    var own =
                            new Parameter.Initial.Given(
                                    target.weight(Weight.HEAD, 0, manager).toFloatArray());
                    list.add(
                            Parameter.of(
                                    MedusaNames.projection(head, plan.layers()),
                                    own,
                                    vocabulary,
                                    hidden));
                }
            }
        }
        return list;
    }

    @Override
    public List<NDArray> constants(FrozenTarget target, PtNDManager manager) {
        return switch (plan.projection()) {
            case OWN -> List.of();
            case TARGET -> List.of(target.weight(Weight.HEAD, 0, manager));
        };
    }

    @Override
    public String program(DecoderConfig decoder) {
        return MedusaProgram.heads(plan);
    }

    @Override
    public String configJson(DecoderConfig decoder, String target) {
        var version =
                switch (plan.projection()) {
                    case OWN -> "1";
                    case TARGET -> "2";
                };
        return MedusaConfigJson.of(
                version, new HeadLayout.Size(plan.count(), plan.layers()), decoder, target);
    }
}
