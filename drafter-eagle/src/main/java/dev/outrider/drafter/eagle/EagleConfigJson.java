package dev.outrider.drafter.eagle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.nn.architecture.Family;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.architecture.ModelConfigWriter;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.training.TrainingPlan;
import java.util.List;
import java.util.Optional;

/// The `config.json` of trained heads, with the keys of the original checkpoints.
final class EagleConfigJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private EagleConfigJson() {}

    /// One plain layer of a target's sizes, rotation and vocabulary.
    static DecoderConfig layer(DecoderConfig target) {
        return DecoderConfig.builder()
                .vocabularySize(target.vocabularySize())
                .hiddenSize(target.hiddenSize())
                .intermediateSize(target.intermediateSize())
                .layers(1)
                .heads(target.heads())
                .keyValueHeads(target.keyValueHeads())
                .headSize(target.headSize())
                .maxPositions(target.maxPositions())
                .normEpsilon(target.normEpsilon())
                .ropeTheta(target.ropeTheta())
                .ropeScaling(target.ropeScaling())
                .build();
    }

    /// @param draftVocabulary tokens that the head of EAGLE-3 has
    static String of(
            EaglePlan plan,
            DecoderConfig layer,
            int draftVocabulary,
            TrainingPlan.Storage storage,
            int endOfText) {
        var model =
                new ModelConfig(
                        Family.of(layer),
                        layer,
                        List.of(endOfText),
                        List.of(endOfText),
                        Optional.of(storage.type()));
        try {
            var json = (ObjectNode) JSON.readTree(ModelConfigWriter.toJson(model));
            if (plan.generation() == 1) {
                json.put("bias", false);
            } else {
                json.putArray("architectures").add("LlamaForCausalLMEagle3");
                json.put("draft_vocab_size", draftVocabulary);
                if (plan.form().fcNorm()) {
                    json.put("fc_norm", true);
                }
                if (plan.form().normOutput()) {
                    json.put("norm_output", true);
                }
                var ids =
                        json.putObject("eagle_config").putArray("eagle_aux_hidden_state_layer_ids");
                plan.capturedLayers().forEach(ids::add);
            }
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a configuration just written cannot be read", e);
        }
    }
}
