package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafter.medusa.HeadPlan;
import dev.outrider.nn.network.DecoderConfig;

/// The `config.json` of trained Hydra heads, with the keys of the original checkpoints.
final class HydraConfigJson {
    private HydraConfigJson() {}

    /// @param target what the heads were trained on
    static String of(HeadPlan plan, DecoderConfig decoder, String target) {
        return """
        {
          "model_type" : "hydra",
          "hydra_num_heads" : %d,
          "hydra_num_layers" : %d,
          "hydra_head_arch" : "mlp",
          "grounded_heads" : true,
          "hidden_state_offset" : 0,
          "hidden_size" : %d,
          "vocab_size" : %d,
          "base_model_name_or_path" : "%s"
        }
        """
                .formatted(
                        plan.count(),
                        plan.layers(),
                        decoder.hiddenSize(),
                        decoder.vocabularySize(),
                        target.replaceAll("[\"\\\\\\p{Cntrl}]", "_"));
    }
}
