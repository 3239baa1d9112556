package dev.outrider.nn.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.checkpoint.Quantisation;
import dev.outrider.nn.checkpoint.Quantisation.Layout;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests which models are refused, and the messages.
class ModelConfigRefusalsTest extends ConfigFiles {
    private static final String QUANTISED =
            """
            {"quant_method": "compressed-tensors", "format": "pack-quantized", "quantization_status": "compressed", "ignore": [],
             "kv_cache_scheme": null, "config_groups": {"group_0": {"targets": ["Linear"], "input_activations": null, "weights":
               {"num_bits": 4, "type": "int", "symmetric": true, "strategy": "group", "group_size": 32, "dynamic": false}}}}
            """;

    @Test
    void refusesAnUnknownModelAndListsTheKnownOnes() throws IOException {
        Files.writeString(directory.resolve("config.json"), "{\"model_type\":\"bloom\"}");
        assertThatThrownBy(() -> ModelConfig.read(new Checkpoint(directory)))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        """
                        CHECKPOINT_UNSUPPORTED: '%s' has model_type 'bloom'; Outrider runs %s
                          Use another checkpoint, or add the missing part to core/nn.\
                        """
                                .formatted(
                                        directory.resolve("config.json"),
                                        String.join(", ", Family.names())));
        assertThat(refusal("model_type", "null"))
                .contains("has model_type '(none)'; Outrider runs");
    }

    @Test
    void refusesPartsTheNetworkDoesNotHave() throws IOException {
        assertThat(refusal("num_local_experts", "8"))
                .contains(
                        "has a mixture of experts (num_local_experts); Outrider runs dense decoders, and the experts of mixtral, qwen2_moe, qwen3_moe, gpt_oss");
        assertThat(refusal("n_routed_experts", "64"))
                .contains("has a mixture of experts (n_routed_experts);");
        assertThat(refusal("kv_lora_rank", "512")).contains("has latent attention (kv_lora_rank);");
        assertThat(refusal("quantization_config", "{\"bits\":4}"))
                .contains("has quantised weights (quantization_config.quant_method = nothing);");
        assertThat(refusal("hidden_act", "\"gelu\""))
                .contains("has hidden_act 'gelu'; Outrider runs silu");
        assertThat(small("num_local_experts", "0", "kv_lora_rank", "null").decoder().layers())
                .isEqualTo(4);
    }

    @Test
    void readsTheFormThatIsWrittenHere() throws IOException {
        assertThat(small("quantization_config", QUANTISED).quantisation())
                .contains(new Quantisation(Layout.PACKED, 4, 1, 32, false));
        var eight = QUANTISED.replace(": 4", ": 8");
        assertThat(small("quantization_config", eight).quantisation().flatMap(Quantisation::levels))
                .contains(Levels.EIGHT_BITS);
        assertThat(small("quantization_config", "null").quantisation()).isEmpty();
    }

    /// Keys and values of published files that change no number.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"compressed\" = \"frozen\"",
                "\"quantization_status\": \"compressed\", = ",
                "\"dynamic\": false = \"observer\": \"minmax\", \"observer_kwargs\": {}, \"block_structure\": null",
                "\"ignore\": [] = \"ignore\": [\"lm_head\"], \"global_compression_ratio\": 1.8, \"transform_config\": {}, \"sparsity_config\": {}",
                "\"ignore\": [] = \"sparsity_config\": {\"format\": \"dense\", \"global_sparsity\": 0.14, \"sparsity_structure\": \"unstructured\"}"
            })
    void readsFormsThatSayTheSame(String change) throws IOException {
        var parts = change.split(" = ", 2);
        assertThat(QUANTISED).contains(parts[0]);
        assertThat(
                        small("quantization_config", QUANTISED.replace(parts[0], parts[1]))
                                .quantisation())
                .contains(new Quantisation(Layout.PACKED, 4, 1, 32, false));
    }

    @Test
    void readsTheOldNameOfIntegersAndFloats() throws IOException {
        var naive =
                QUANTISED
                        .replace("pack-quantized", "naive-quantized")
                        .replace("\"num_bits\": 4", "\"num_bits\": 8")
                        .replace(
                                "\"strategy\": \"group\", \"group_size\": 32",
                                "\"strategy\": \"channel\"");
        assertThat(small("quantization_config", naive).quantisation().orElseThrow().layout())
                .isEqualTo(Layout.INTEGERS);
        assertThat(
                        small("quantization_config", naive.replace("\"int\"", "\"float\""))
                                .quantisation()
                                .orElseThrow()
                                .layout())
                .isEqualTo(Layout.FLOATS);
    }

    /// As AutoGPTQ, GPTQModel, Optimum and AutoAWQ write it.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'bits':4,'damp_percent':0.1,'desc_act':true,'group_size':128,'model_file_base_name':'model','model_name_or_path':null,'quant_method':'gptq','static_groups':true,'sym':true,'true_sequential':true}",
                "{'bits':4,'checkpoint_format':'gptq','desc_act':false,'dynamic':null,'group_size':128,'lm_head':false,'meta':{'damp_percent':0.05,'quantizer':['gptqmodel:2.0.0'],'static_groups':false},'pack_dtype':'int32','quant_method':'gptq','sym':true}",
                "{'batch_size':1,'bits':4,'block_name_to_quantize':null,'cache_block_outputs':true,'damp_percent':0.01,'dataset':null,'desc_act':false,'exllama_config':{'version':1},'group_size':128,'max_input_length':null,'model_seqlen':null,'module_name_preceding_first_block':null,'modules_in_block_to_quantize':null,'pad_token_id':null,'quant_method':'gptq','sym':true,'tokenizer':null,'true_sequential':true,'use_cuda_fp16':false,'use_exllama':true}",
                "{'bits':4,'group_size':128,'modules_to_not_convert':null,'quant_method':'awq','version':'GEMM','zero_point':true}",
                "{'backend':'autoawq','bits':4,'do_fuse':false,'exllama_config':null,'fuse_max_seq_len':null,'group_size':128,'modules_to_fuse':null,'modules_to_not_convert':['gate'],'quant_method':'awq','version':'gemm','zero_point':true}"
            })
    void readsPublishedFormsOfGptqAndAwq(String form) throws IOException {
        assertThat(
                        small("quantization_config", form.replace('\'', '"'))
                                .quantisation()
                                .orElseThrow()
                                .group())
                .isEqualTo(128);
    }

    @ParameterizedTest
    @CsvSource({
        "true, false, 128, true",
        "true, true, 128, false",
        "false, false, 128, false",
        "true, false, -1, false"
    })
    void inputsInAnyOrderMustBeListed(
            boolean ordered, boolean fixedGroups, int group, boolean groupIndexRequired)
            throws IOException {
        var form =
                "{'bits':4,'quant_method':'gptq','sym':true,'desc_act':%s,'static_groups':%s,'group_size':%d}"
                        .formatted(ordered, fixedGroups, group)
                        .replace('\'', '"');
        assertThat(
                        small("quantization_config", form)
                                .quantisation()
                                .orElseThrow()
                                .groupIndexRequired())
                .isEqualTo(groupIndexRequired);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "compressed-tensors | bitsandbytes | quant_method = \"bitsandbytes\"",
                "pack-quantized | marlin-24 | format = \"marlin-24\"",
                "\"compressed\" | \"initialized\" | quantization_status = \"initialized\"",
                "[\"Linear\"] | [\"Linear\", \"Embedding\"] | config_groups.group_0.targets = [\"Linear\",\"Embedding\"]",
                "\"num_bits\": 4 | \"num_bits\": 3 | config_groups.group_0.weights.num_bits = 3",
                "\"num_bits\": 4 | \"num_bits\": 4.5 | config_groups.group_0.weights.num_bits = 4.5",
                "\"num_bits\": 4 | \"bits\": 4 | config_groups.group_0.weights.num_bits = nothing",
                "\"int\" | \"float\" | config_groups.group_0.weights.type = \"float\"",
                "\"symmetric\": true | \"symmetric\": null | config_groups.group_0.weights.symmetric = null",
                "\"input_activations\": null | \"input_activations\": {\"dynamic\": true} | config_groups.group_0.input_activations = {\"dynamic\":true}",
                "\"ignore\": [] | \"ignore\": [], \"rotation\": \"hadamard\" | rotation = \"hadamard\"",
                "\"strategy\": \"group\" | \"strategy\": \"tensor\" | config_groups.group_0.weights.strategy = \"tensor\"",
                "\"group_size\": 32 | \"group_size\": 48 | config_groups.group_0.weights.group_size = 48",
                "\"dynamic\": false | \"dynamic\": true | config_groups.group_0.weights.dynamic = true",
                "\"dynamic\": false | \"dynamic\": false, \"actorder\": \"group\" | config_groups.group_0.weights.actorder = \"group\"",
                "\"kv_cache_scheme\": null | \"sparsity_config\": {\"format\": \"sparse-24-bitmask\"} | sparsity_config = {\"format\":\"sparse-24-bitmask\"}",
                "\"kv_cache_scheme\": null | \"kv_cache_scheme\": {\"num_bits\": 8} | kv_cache_scheme = {\"num_bits\":8}",
                "\"group_0\": {\"targets\" | \"a\": {}, \"group_0\": {\"targets\" | config_groups = {\"a\":{}"
            })
    void refusesOtherFormsOfQuantisation(String from, String to, String named) throws IOException {
        assertThat(QUANTISED).contains(from);
        assertThat(refusal("quantization_config", QUANTISED.replace(from, to)))
                .startsWith(
                        "CHECKPOINT_UNSUPPORTED: '%s' has quantised weights (quantization_config.")
                .contains("(quantization_config." + named)
                .contains(
                        "; Outrider runs dense decoders with plain weights, or with those that 'outrider quantise' writes");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'quant_method': 'gptq', 'bits': 3, 'group_size': 128} | bits = 3",
                "{'quant_method': 'gptq', 'bits': 4, 'group_size': 100} | group_size = 100",
                "{'quant_method': 'gptq', 'bits': 4, 'group_size': 0} | group_size = 0",
                "{'quant_method': 'gptq', 'bits': 4, 'group_size': 128, 'checkpoint_format': 'marlin'} | checkpoint_format = 'marlin'",
                "{'quant_method': 'gptq', 'bits': 4, 'group_size': 128, 'dynamic': {'-:x': {}}} | dynamic = {'-:x':{}}",
                "{'quant_method': 'awq', 'bits': 8, 'group_size': 128, 'version': 'gemm', 'zero_point': true} | bits = 8",
                "{'quant_method': 'awq', 'bits': 4, 'group_size': 128, 'version': 'gemv', 'zero_point': true} | version = 'gemv'",
                "{'quant_method': 'awq', 'bits': 4, 'group_size': 128, 'version': 'gemm', 'zero_point': false} | zero_point = false",
                "{'quant_method': 'fp8', 'weight_block_size': [128, 100]} | weight_block_size = [128,100]",
                "{'quant_method': 'fp8', 'weight_block_size': [0, 128]} | weight_block_size = [0,128]",
                "{'quant_method': 'fp8', 'weight_block_size': [128, 128], 'activation_scheme': 'none'} | activation_scheme = 'none'",
                "{'quant_method': 'fp8', 'weight_block_size': [128, 128], 'fmt': 'e5m2'} | fmt = 'e5m2'"
            },
            quoteCharacter = '`')
    void refusesOtherFormsByOtherMethods(String form, String named) throws IOException {
        assertThat(refusal("quantization_config", form.replace('\'', '"')))
                .startsWith("CHECKPOINT_UNSUPPORTED: ")
                .contains("(quantization_config." + named.replace('\'', '"') + ")");
    }

    @Test
    void saysWhichValueIsWrong() throws IOException {
        assertThat(refusal("hidden_size", "null"))
                .isEqualTo("MODEL_CONFIG_INVALID: '%s' has no hidden_size");
        assertThat(refusal("hidden_size", "-1"))
                .isEqualTo(
                        "MODEL_CONFIG_INVALID: '%s' has hidden_size = -1; expected a positive integer");
        assertThat(refusal("hidden_size", "\"64\""))
                .contains("has hidden_size = \"64\"; expected a positive integer");
        assertThat(refusal("hidden_size", "4294967296")).contains("expected a positive integer");
        assertThat(refusal("rms_norm_eps", "\"small\""))
                .contains("has rms_norm_eps = \"small\"; expected a positive number");
        assertThat(refusal("tie_word_embeddings", "1"))
                .contains("has tie_word_embeddings = 1; expected true or false");
        assertThat(refusal("eos_token_id", "[1,\"2\"]"))
                .contains("expected a token id or a list of token ids");
        assertThat(refusal("rope_scaling", "\"yarn\""))
                .contains("has rope_scaling = \"yarn\"; expected an object");
        assertThat(refusal("rope_scaling", "{\"type\":\"linear\"}"))
                .contains("has no rope_scaling.factor");
        assertThat(refusal("hidden_size", "65"))
                .contains("has no head_dim, and hidden_size 65 is not divisible by 8 heads");
        assertThat(refusal("num_key_value_heads", "3"))
                .contains("describes no decoder: 8 heads cannot share 3 key-value heads");
        assertThat(
                        refusal(
                                "rope_scaling",
                                "{\"type\":\"llama3\",\"factor\":8,\"low_freq_factor\":4,\"high_freq_factor\":1,\"original_max_position_embeddings\":8}"))
                .contains(
                        "has an impossible rope_scaling: high_freq_factor 1.0 is not above low_freq_factor 4.0");
    }

    @Test
    void refusesAFileThatIsNoConfiguration() throws IOException {
        Files.writeString(directory.resolve("config.json"), "[]");
        assertThatThrownBy(() -> ModelConfig.read(new Checkpoint(directory)))
                .hasMessageContaining("config.json' is not a JSON object\n");
        Files.writeString(directory.resolve("config.json"), "{");
        assertThatThrownBy(() -> ModelConfig.read(new Checkpoint(directory)))
                .hasMessageContaining("config.json' is not valid JSON: ");
    }

    @Test
    void meetsRandomDamageWithItsOwnExceptionOnly() throws IOException {
        var original = LLAMA31.getBytes(StandardCharsets.UTF_8);
        var random = new Random(23);
        for (int round = 0; round < 1000; round++) {
            var damaged = original.clone();
            for (int flip = 0; flip <= round % 3; flip++) {
                damaged[random.nextInt(damaged.length)] = (byte) (32 + random.nextInt(96));
            }
            Files.write(directory.resolve("config.json"), damaged);
            try {
                assertThat(ModelConfig.read(new Checkpoint(directory)).decoder().layers())
                        .isPositive();
            } catch (OutriderException e) {
                assertThat(e.code())
                        .as("replay with round %d of seed 23", round)
                        .isIn(ErrorCode.MODEL_CONFIG_INVALID, ErrorCode.CHECKPOINT_UNSUPPORTED);
            }
        }
    }

    @Test
    void refusesJsonThatTwoReadersUnderstandDifferently() {
        assertThatThrownBy(() -> read(SMALL.replace("{", "{\"vocab_size\":7,")))
                .hasMessageContaining("is not valid JSON: Duplicate field 'vocab_size'");
        assertThatThrownBy(() -> read(SMALL + "{}"))
                .hasMessageContaining("is not valid JSON: Trailing token");
        assertThatThrownBy(() -> read("{\"a\":" + "[".repeat(100) + "]".repeat(100) + "}"))
                .hasMessageContaining("is not valid JSON: Document nesting depth");
    }
}
