package dev.outrider.nn.train;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// The `config.json` of a trained decoder: a Llama in the Hugging Face layout.
final class HfConfigJson {
    private HfConfigJson() {}

    static ObjectNode of(DecoderShape shape, TensorFile.Storage storage, int endOfText) {
        var json = new ObjectMapper().createObjectNode();
        json.putArray("architectures").add("LlamaForCausalLM");
        json.put("model_type", "llama");
        json.put("vocab_size", shape.vocabularySize());
        json.put("hidden_size", shape.hiddenSize());
        json.put("intermediate_size", shape.feedForwardSize());
        json.put("num_hidden_layers", shape.layers());
        json.put("num_attention_heads", shape.heads());
        json.put("num_key_value_heads", shape.keyValueHeads());
        json.put("head_dim", shape.headDimension());
        json.put("max_position_embeddings", shape.maxPositions());
        json.put("rope_theta", shape.ropeTheta());
        json.putNull("rope_scaling");
        json.put("rms_norm_eps", shape.normEpsilon());
        json.put("hidden_act", "silu");
        json.put("attention_bias", false);
        json.put("mlp_bias", false);
        json.put("tie_word_embeddings", shape.tiedEmbeddings());
        json.put("bos_token_id", endOfText);
        json.put("eos_token_id", endOfText);
        json.put("torch_dtype", dtype(storage));
        return json;
    }

    static DecoderShape shape(JsonNode json) {
        return new DecoderShape(
                json.get("vocab_size").asInt(),
                json.get("hidden_size").asInt(),
                json.get("num_hidden_layers").asInt(),
                json.get("num_attention_heads").asInt(),
                json.get("num_key_value_heads").asInt(),
                json.get("head_dim").asInt(),
                json.get("intermediate_size").asInt(),
                json.get("max_position_embeddings").asInt(),
                json.get("rope_theta").asDouble(),
                json.get("rms_norm_eps").asDouble(),
                json.get("tie_word_embeddings").asBoolean());
    }

    private static String dtype(TensorFile.Storage storage) {
        return switch (storage) {
            case F32 -> "float32";
            case BF16 -> "bfloat16";
        };
    }
}
