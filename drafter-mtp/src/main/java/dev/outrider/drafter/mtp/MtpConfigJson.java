package dev.outrider.drafter.mtp;

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

/// The `config.json` of a checkpoint with multi-token prediction modules: the decoder's, the number of modules, and which
/// states they read, `pre` or `post` the final norm.
final class MtpConfigJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private MtpConfigJson() {}

    /// The configuration of modules alone: the target's sizes, a plain Llama's layer.
    static String ofModules(
            DecoderConfig target, MtpModules modules, int endOfText, TrainingPlan.Storage storage) {
        var plain =
                DecoderConfig.builder()
                        .vocabularySize(target.vocabularySize())
                        .hiddenSize(target.hiddenSize())
                        .intermediateSize(target.intermediateSize())
                        .layers(target.layers())
                        .heads(target.heads())
                        .keyValueHeads(target.keyValueHeads())
                        .headSize(target.headSize())
                        .maxPositions(target.maxPositions())
                        .normEpsilon(target.normEpsilon())
                        .tiedHead(target.tiedHead())
                        .ropeTheta(target.ropeTheta())
                        .ropeScaling(target.ropeScaling())
                        .build();
        var config =
                new ModelConfig(
                        Family.LLAMA,
                        plain,
                        List.of(endOfText),
                        List.of(endOfText),
                        Optional.of(storage.type()));
        return with(modules, ModelConfigWriter.toJson(config));
    }

    /// A decoder's configuration with what its modules need.
    static String with(MtpModules modules, String configJson) {
        try {
            var root = (ObjectNode) JSON.readTree(configJson);
            root.put("num_nextn_predict_layers", modules.modules());
            var state = modules.normed() ? "post" : "pre";
            root.put("mtp_feed_norm", state);
            root.put("mtp_recycle", state);
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no configuration: " + configJson, e);
        }
    }
}
