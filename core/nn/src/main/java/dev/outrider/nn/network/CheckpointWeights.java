package dev.outrider.nn.network;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.nn.runtime.TensorOps;
import java.lang.foreign.MemorySegment;

/// The weights of a checkpoint in the Hugging Face layout of the Llama family.
///
/// @param config  the architecture; shapes are checked against it
/// @param tensors the files; must stay open while weights are loaded
public record CheckpointWeights(DecoderConfig config, CheckpointTensors tensors)
        implements WeightSource {
    private static final int ALIGNMENT = 4;

    @Override
    public Tensor load(Weight weight, int layer, ElementType type, PtNDManager manager) {
        var stored = tensors.tensor(name(weight, layer), weight.shape(config));
        try (var raw = view(stored, weight.shape(config), manager)) {
            return TensorOps.get().convert(raw, type, manager);
        }
    }

    /// The file's name of a weight.
    static String name(Weight weight, int layer) {
        return switch (weight) {
            case EMBEDDING -> "model.embed_tokens.weight";
            case FINAL_NORM -> "model.norm.weight";
            case HEAD -> "lm_head.weight";
            case INPUT_NORM -> inLayer(layer, "input_layernorm.weight");
            case QUERY -> inLayer(layer, "self_attn.q_proj.weight");
            case KEY -> inLayer(layer, "self_attn.k_proj.weight");
            case VALUE -> inLayer(layer, "self_attn.v_proj.weight");
            case QUERY_BIAS -> inLayer(layer, "self_attn.q_proj.bias");
            case KEY_BIAS -> inLayer(layer, "self_attn.k_proj.bias");
            case VALUE_BIAS -> inLayer(layer, "self_attn.v_proj.bias");
            case QUERY_NORM -> inLayer(layer, "self_attn.q_norm.weight");
            case KEY_NORM -> inLayer(layer, "self_attn.k_norm.weight");
            case OUTPUT -> inLayer(layer, "self_attn.o_proj.weight");
            case OUTPUT_BIAS -> inLayer(layer, "self_attn.o_proj.bias");
            case FEED_FORWARD_NORM -> inLayer(layer, "post_attention_layernorm.weight");
            case GATE -> inLayer(layer, "mlp.gate_proj.weight");
            case UP -> inLayer(layer, "mlp.up_proj.weight");
            case DOWN -> inLayer(layer, "mlp.down_proj.weight");
            case GATE_BIAS -> inLayer(layer, "mlp.gate_proj.bias");
            case UP_BIAS -> inLayer(layer, "mlp.up_proj.bias");
            case DOWN_BIAS -> inLayer(layer, "mlp.down_proj.bias");
        };
    }

    private static String inLayer(int layer, String name) {
        return "model.layers.%d.%s".formatted(layer, name);
    }

    /// The stored numbers as a tensor: in place where the engine can read them, else copied.
    private static Tensor view(StoredTensor stored, long[] shape, PtNDManager manager) {
        if (stored.type() == TensorType.BF16) {
            return Tensor.ofBfloat16Bits(manager, stored.data(), shape);
        }
        if (stored.type() == TensorType.F32 && aligned(stored.data())) {
            return Tensor.ofFloats(manager, stored.data(), shape);
        }
        return Tensor.of(manager.create(stored.toFloats(), new Shape(shape)));
    }

    private static boolean aligned(MemorySegment data) {
        return data.isNative() && data.address() % ALIGNMENT == 0;
    }
}
