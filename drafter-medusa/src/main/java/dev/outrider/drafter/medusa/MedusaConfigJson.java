package dev.outrider.drafter.medusa;

import dev.outrider.nn.network.DecoderConfig;

/// The `config.json` of trained heads, with the keys of the original checkpoints.
final class MedusaConfigJson {
    private MedusaConfigJson() {}

    /// @param version of Medusa; in the second, heads use the target's projection
    /// @param target  what the heads were trained on; a name without quotes or backslashes
    static String of(String version, HeadLayout.Size size, DecoderConfig decoder, String target) {
        return """
        {
          "model_type" : "medusa",
          "version" : "%s",
          "medusa_num_heads" : %d,
          "medusa_num_layers" : %d,
          "hidden_size" : %d,
          "vocab_size" : %d,
          "base_model_name_or_path" : "%s"
        }
        """
                .formatted(
                        version,
                        size.heads(),
                        size.layers(),
                        decoder.hiddenSize(),
                        decoder.vocabularySize(),
                        target.replaceAll("[\"\\\\\\p{Cntrl}]", "_"));
    }
}
