package dev.outrider.drafter.medusa;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.drafting.head.HeadJson;
import dev.outrider.torch.TorchScript;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.Parameter;
import dev.outrider.training.head.TokenHeads;
import java.util.ArrayList;
import java.util.List;

/// Medusa's heads in training. Blocks start as the identity, projections of their own as the target's head, so that every
/// head starts as the target's own guess.
///
/// @see "Cai et al. 2024 (Medusa), section 3.1"
final class TrainedMedusa extends TokenHeads {
    TrainedMedusa(FrozenTarget target, FrozenTargetKeys keys, Plan plan) {
        super(target, keys, plan);
    }

    /// Returns TorchScript with the method `heads`.
    static String heads(Plan plan) {
        return TorchScript.resource(TrainedMedusa.class, "medusa") + constants(plan);
    }

    /// Returns the number of parameters of one head.
    static int perHead(Plan plan) {
        return 2 * plan.layers() + (plan.projection() == Projection.OWN ? 1 : 0);
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
                                MedusaLayout.MEDUSA.projection(head, plan().layers()) + ".weight"));
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
