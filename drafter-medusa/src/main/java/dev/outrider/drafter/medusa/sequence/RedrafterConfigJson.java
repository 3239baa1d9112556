package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafter.medusa.HeadPlan;
import dev.outrider.nn.network.DecoderConfig;

/// The `config.json` of a trained recurrent head, with the keys of the original checkpoints.
final class RedrafterConfigJson {
    private RedrafterConfigJson() {}

    static String of(HeadPlan plan, RecurrencePlan recurrence, DecoderConfig decoder) {
        return """
        {
          "model_type" : "recurrent_drafting_drafter",
          "vocab_size" : %d,
          "hidden_size" : %d,
          "exit_dim" : %d,
          "num_draft_layers" : %d,
          "rnn" : %s
        }
        """
                .formatted(
                        decoder.vocabularySize(),
                        decoder.hiddenSize(),
                        recurrence.exit(decoder.hiddenSize()),
                        plan.layers(),
                        recurrence.rnn());
    }
}
