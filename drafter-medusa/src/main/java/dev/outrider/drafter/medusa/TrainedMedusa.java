package dev.outrider.drafter.medusa;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.drafting.head.HeadJson;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.Parameter;
import java.util.ArrayList;
import java.util.List;

/// Medusa's heads in training. Blocks start as the identity, projections of their own as the target's head, so that every
/// head starts as the target's own guess.
///
/// Parameters: per head a weight `[d, d]` and a bias `[d]` of each block, then a projection `[V, d]` if it has one of its
/// own. Constants: the target's head `[V, d]` otherwise. Inputs as [HeadProgram] has them.
///
/// @see "Cai et al. 2024 (Medusa), section 3.1"
final class TrainedMedusa extends TrainedHeads {
    TrainedMedusa(FrozenTarget target, FrozenTargetKeys keys, HeadPlan plan) {
        super(target, keys, plan);
    }

    /// Returns the method `heads`.
    static String heads(HeadPlan plan) {
        var text = new StringBuilder(HeadProgram.BEGIN);
        for (int head = 0; head < plan.count(); head++) {
            int first = head * perHead(plan);
            text.append(
                    """
                        s = torch.slice(x[0], 1, 0, torch.sub(torch.size(x[0], 1), %d))
                        y = %s
                    """
                            .formatted(
                                    head + 2,
                                    HeadProgram.learned(
                                            "torch.reshape(s, [-1, torch.size(s, 2)])", head)));
            for (int layer = 0; layer < plan.layers(); layer++) {
                text.append(HeadProgram.block("y", first + 2 * layer));
            }
            var projection =
                    switch (plan.projection()) {
                        case OWN -> "p[%d]".formatted(first + 2 * plan.layers());
                        case TARGET -> "c[0]";
                    };
            text.append(HeadProgram.guess("self.linear(y, %s)".formatted(projection)));
        }
        return text + HeadProgram.END;
    }

    /// Returns the number of parameters of one head.
    static int perHead(HeadPlan plan) {
        return 2 * plan.layers() + (plan.projection() == HeadPlan.Projection.OWN ? 1 : 0);
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
            if (plan().projection() == HeadPlan.Projection.OWN) {
                list.add(
                        copiedHead(HeadCheckpoint.Layout.MEDUSA.projection(head, plan().layers())));
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
