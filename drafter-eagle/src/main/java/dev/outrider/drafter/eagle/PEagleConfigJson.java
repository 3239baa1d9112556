package dev.outrider.drafter.eagle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.nn.architecture.Family;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.architecture.ModelConfigWriter;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.training.TrainingPlan;
import java.util.List;
import java.util.Optional;

/// The `config.json` of trained P-EAGLE heads, in the layout of speculators.
///
/// @see "vllm-project/speculators c05b95b3, config.py and models/peagle/config.py"
final class PEagleConfigJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private PEagleConfigJson() {}

    /// @param layers     the draft layers as a model of their own
    /// @param targetName what the target is called there
    static String of(
            PEaglePlan plan,
            DecoderConfig layers,
            String targetName,
            TrainingPlan.Storage storage,
            int endOfText) {
        var model =
                new ModelConfig(
                        Family.of(layers),
                        layers,
                        List.of(endOfText),
                        List.of(endOfText),
                        Optional.of(storage.type()));
        try {
            var layer = (ObjectNode) JSON.readTree(ModelConfigWriter.toJson(model));
            var root = JsonNodeFactory.instance.objectNode();
            root.putArray("architectures").add("PEagleSpeculator");
            root.put("speculators_model_type", "peagle");
            root.set("speculators_config", method(plan, targetName));
            root.set("transformer_layer_config", layer);
            root.put("draft_vocab_size", layers.vocabularySize());
            var ids = root.putArray("eagle_aux_hidden_state_layer_ids");
            plan.capturedLayers().forEach(ids::add);
            root.put("mask_token_id", plan.depths().maskToken());
            root.put("norm_before_residual", false);
            root.put("norm_before_fc", false);
            root.put("fc_norm", false);
            root.put("tie_word_embeddings", false);
            root.set("torch_dtype", layer.path("torch_dtype"));
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a configuration just written cannot be read", e);
        }
    }

    private static ObjectNode method(PEaglePlan plan, String targetName) {
        var section = JsonNodeFactory.instance.objectNode();
        section.put("algorithm", "peagle");
        section.putArray("proposal_methods")
                .addObject()
                .put("proposal_type", "greedy")
                .put("speculative_tokens", plan.depths().depths());
        section.put("default_proposal_method", "greedy");
        section.putObject("verifier").put("name_or_path", targetName);
        return section;
    }
}
