package dev.outrider.nn.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.network.BlockForm.BoundedGate;
import dev.outrider.nn.network.BlockForm.LayerKind;
import dev.outrider.nn.network.Experts;
import dev.outrider.nn.network.RopeScaling;
import dev.outrider.nn.network.Weight;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Configurations of decoders as they were published, including configurations with missing keys.
class FamilyConfigTest extends ConfigFiles {
    private static final String PYTHIA_70M =
            """
            {"architectures":["GPTNeoXForCausalLM"],"bos_token_id":0,"eos_token_id":0,"hidden_act":"gelu","hidden_size":512,
             "initializer_range":0.02,"intermediate_size":2048,"layer_norm_eps":1e-05,"max_position_embeddings":2048,
             "model_type":"gpt_neox","num_attention_heads":8,"num_hidden_layers":6,"rotary_emb_base":10000,"rotary_pct":0.25,
             "tie_word_embeddings":false,"torch_dtype":"float16","use_cache":true,"use_parallel_residual":true,"vocab_size":50304}
            """;
    private static final String GPT2 =
            """
            {"activation_function":"gelu_new","architectures":["GPT2LMHeadModel"],"bos_token_id":50256,"eos_token_id":50256,
             "layer_norm_epsilon":1e-05,"model_type":"gpt2","n_ctx":1024,"n_embd":768,"n_head":12,"n_layer":12,"n_positions":1024,
             "vocab_size":50257}
            """;

    /// Of the multimodal checkpoint with four thousand million parameters.
    private static final String GEMMA3 =
            """
            {"architectures":["Gemma3ForConditionalGeneration"],"model_type":"gemma3","eos_token_id":[1,106],
             "text_config":{"hidden_size":2560,"intermediate_size":10240,"model_type":"gemma3_text","num_hidden_layers":34,
               "rope_scaling":{"factor":8.0,"rope_type":"linear"},"sliding_window":1024}}
            """;

    private static final String GEMMA2 =
            """
            {"model_type":"gemma2","hidden_size":2304,"intermediate_size":9216,"num_hidden_layers":26,"num_attention_heads":8,
             "num_key_value_heads":4,"head_dim":256,"query_pre_attn_scalar":256,"sliding_window":4096,"vocab_size":256000}
            """;

    /// Jiang et al. 2024: 46.7 thousand million parameters, 12.9 of them for a token.
    private static final String MIXTRAL_8X7B =
            """
            {"architectures":["MixtralForCausalLM"],"attention_dropout":0.0,"bos_token_id":1,"eos_token_id":2,"hidden_act":"silu",
             "hidden_size":4096,"initializer_range":0.02,"intermediate_size":14336,"max_position_embeddings":32768,
             "model_type":"mixtral","num_attention_heads":32,"num_experts_per_tok":2,"num_hidden_layers":32,"num_key_value_heads":8,
             "num_local_experts":8,"output_router_logits":false,"rms_norm_eps":1e-05,"rope_theta":1000000.0,
             "router_aux_loss_coef":0.02,"sliding_window":null,"tie_word_embeddings":false,"torch_dtype":"bfloat16","vocab_size":32000}
            """;

    /// Its model card: 30.5 thousand million parameters, 3.3 of them for a token.
    private static final String QWEN3_30B_A3B =
            """
            {"architectures":["Qwen3MoeForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"bos_token_id":151643,
             "decoder_sparse_step":1,"eos_token_id":151645,"head_dim":128,"hidden_act":"silu","hidden_size":2048,
             "initializer_range":0.02,"intermediate_size":6144,"max_position_embeddings":40960,"max_window_layers":48,
             "mlp_only_layers":[],"model_type":"qwen3_moe","moe_intermediate_size":768,"norm_topk_prob":true,"num_attention_heads":32,
             "num_experts":128,"num_experts_per_tok":8,"num_hidden_layers":48,"num_key_value_heads":4,"output_router_logits":false,
             "rms_norm_eps":1e-06,"rope_scaling":null,"rope_theta":1000000.0,"router_aux_loss_coef":0.001,"sliding_window":null,
             "tie_word_embeddings":false,"torch_dtype":"bfloat16","use_cache":true,"use_sliding_window":false,"vocab_size":151936}
            """;

    /// Its model card: 20.9 thousand million parameters, 3.6 of them for a token.
    private static final String GPT_OSS_20B =
            """
            {"architectures":["GptOssForCausalLM"],"attention_bias":true,"attention_dropout":0.0,"eos_token_id":200002,
             "experts_per_token":4,"head_dim":64,"hidden_act":"silu","hidden_size":2880,"initial_context_length":4096,
             "initializer_range":0.02,"intermediate_size":2880,"max_position_embeddings":131072,"model_type":"gpt_oss",
             "num_attention_heads":64,"num_experts_per_tok":4,"num_hidden_layers":24,"num_key_value_heads":8,"num_local_experts":32,
             "output_router_logits":false,"pad_token_id":199999,
             "quantization_config":{"modules_to_not_convert":["model.layers.*.self_attn","model.layers.*.mlp.router",
               "model.embed_tokens","lm_head"],"quant_method":"mxfp4"},
             "rms_norm_eps":1e-05,"rope_scaling":{"beta_fast":32.0,"beta_slow":1.0,"factor":32.0,
               "original_max_position_embeddings":4096,"rope_type":"yarn","truncate":false},"rope_theta":150000,
             "router_aux_loss_coef":0.9,"sliding_window":128,"swiglu_limit":7.0,"tie_word_embeddings":false,"use_cache":true,
             "vocab_size":201088}
            """;

    @Test
    void readsGptOss() throws IOException {
        var decoder = read(GPT_OSS_20B).decoder();
        assertThat(Weight.parameters(decoder)).isEqualTo(20_914_757_184L);
        assertThat(decoder.form().scores().sinks()).isTrue();
        assertThat(decoder.form().feedForward().boundedGate()).contains(new BoundedGate(1.702, 7));
        assertThat(decoder.window(0)).isEqualTo(OptionalInt.of(128));
        assertThat(decoder.window(1)).isEmpty();
        assertThat(decoder.ropeScaling())
                .isEqualTo(new RopeScaling.Yarn(32, 32, 1, 4096, 0.1 * Math.log(32) + 1, false));
        assertThat(read(GPT_OSS_20B).quantisation().orElseThrow()).hasToString("mxfp4");
    }

    @Test
    void whatGptOssMayLeaveOutIsAsPublished() throws IOException {
        var short20b =
                GPT_OSS_20B
                        .replace("\"swiglu_limit\":7.0,", "")
                        .replace("\"rope_theta\":150000,", "")
                        .replace("\"sliding_window\":128,", "")
                        .replace("\"num_experts_per_tok\":4,", "");
        assertThat(read(short20b).decoder()).isEqualTo(read(GPT_OSS_20B).decoder());
    }

    @Test
    void refusesOtherGatesThanItKnows() {
        assertRefused(
                GPT_OSS_20B.replace("\"swiglu_limit\":7.0", "\"swiglu_limit\":0"),
                "has swiglu_limit = 0; expected a positive number");
        assertRefused(
                GPT_OSS_20B.replace("\"hidden_act\":\"silu\"", "\"hidden_act\":\"gelu\""),
                "hidden_act 'gelu'");
        assertRefused(
                GPT_OSS_20B.replace("\"quant_method\":\"mxfp4\"", "\"quant_method\":\"nvfp4\""),
                "quantization_config.quant_method = \"nvfp4\"");
    }

    @Test
    void readsMixtral() throws IOException {
        var decoder = read(MIXTRAL_8X7B).decoder();
        assertThat(decoder.form().feedForward().experts()).contains(new Experts(8, 2, 14336));
        assertThat(read(MIXTRAL_8X7B.replace("\"num_local_experts\":8,", "")).decoder())
                .isEqualTo(decoder);
        assertThat(Weight.parameters(decoder)).isEqualTo(46_702_792_704L);
    }

    @Test
    void readsQwen3WithExperts() throws IOException {
        var decoder = read(QWEN3_30B_A3B).decoder();
        assertThat(decoder.form().feedForward().experts()).contains(new Experts(128, 8, 768));
        assertThat(decoder.queryKeyNorm()).isTrue();
        assertThat(decoder.slidingWindow()).isEmpty();
        assertThat(Weight.parameters(decoder)).isEqualTo(30_532_122_624L);
    }

    @Test
    void readsWhichLayersHaveExperts() throws IOException {
        var some =
                QWEN3_30B_A3B
                        .replace("\"decoder_sparse_step\":1", "\"decoder_sparse_step\":2")
                        .replace("\"mlp_only_layers\":[]", "\"mlp_only_layers\":[5]");
        var decoder = read(some).decoder();
        assertThat(IntStream.range(0, 8).filter(decoder::sparse)).containsExactly(1, 3, 7);
        assertThat(decoder.form().feedForward().experts().orElseThrow().sparseLayers(8))
                .isEqualTo(3);
    }

    @Test
    void refusesExpertsThatCannotBeChosen() {
        assertRefused(
                MIXTRAL_8X7B.replace("\"num_experts_per_tok\":2", "\"num_experts_per_tok\":9"),
                "describes no decoder: a row cannot wake 9 of 8 experts");
        assertRefused(
                QWEN3_30B_A3B.replace("\"num_experts\":128", "\"num_experts\":0"),
                "has num_experts = 0; expected a positive integer");
        assertRefused(
                QWEN3_30B_A3B.replace("\"num_experts\":128", "\"num_experts\":100000000"),
                "describes no decoder: 48 layers of 100000000 experts are too many");
    }

    @Test
    void readsPythia() throws IOException {
        var decoder = read(PYTHIA_70M).decoder();
        assertThat(decoder.rotarySize()).isEqualTo(16);
        assertThat(decoder.form().parallel()).isTrue();
        assertThat(Weight.parameters(decoder)).isEqualTo(70_426_624);
    }

    @Test
    void readsGpt2() throws IOException {
        var decoder = read(GPT2).decoder();
        assertThat(decoder.intermediateSize()).isEqualTo(3072);
        assertThat(Weight.parameters(decoder)).isEqualTo(124_439_808);
    }

    @Test
    void gemma3HasItsFamilysDefaults() throws IOException {
        var decoder = read(GEMMA3).decoder();
        assertThat(decoder.ropeTheta()).isEqualTo(1e6);
        assertThat(decoder.ropeScaling()).isEqualTo(new RopeScaling.Linear(8));
        assertThat(decoder.localRopeTheta()).hasValue(10_000);
        assertThat(decoder.heads()).isEqualTo(8);
        assertThat(decoder.keyValueHeads()).isEqualTo(4);
        assertThat(decoder.vocabularySize()).isEqualTo(262_208);
        assertThat(decoder.kind(4)).isEqualTo(LayerKind.LOCAL);
        assertThat(decoder.kind(5)).isEqualTo(LayerKind.GLOBAL);
        assertThat(decoder.window(4)).isEqualTo(OptionalInt.of(1024));
        assertThat(decoder.form().scales().logitCap()).isEmpty();
    }

    /// As Transformers 5 writes it.
    @Test
    void gemma3MayHaveTheRotationOfBothKindsOfLayersInOnePlace() throws IOException {
        var newer =
                GEMMA3.replace(
                        "\"rope_scaling\":{\"factor\":8.0,\"rope_type\":\"linear\"}",
                        "\"rope_parameters\":{\"full_attention\":{\"factor\":8.0,\"rope_theta\":1000000.0,\"rope_type\":\"linear\"},"
                                + "\"sliding_attention\":{\"rope_theta\":10000.0,\"rope_type\":\"default\"}}");
        assertThat(newer).isNotEqualTo(GEMMA3);
        assertThat(read(newer).decoder()).isEqualTo(read(GEMMA3).decoder());
        assertThatThrownBy(() ->
                        read(
                                newer.replace(
                                        "\"rope_type\":\"default\"",
                                        "\"type\":\"linear\",\"factor\":8.0")))
                .hasMessageContaining("rope_parameters that differ between layers");
    }

    /// As Phi-4-mini, written by Transformers 5.
    @Test
    void phiRotatesThePartThatTheRotationNames() throws IOException {
        var part =
                "{\"rope_type\":\"default\",\"rope_theta\":10000.0,\"partial_rotary_factor\":0.75}";
        var phi =
                SMALL.replace("llama", "phi3")
                        .replace(
                                "\"num_attention_heads\":8",
                                "\"num_attention_heads\":4,\"rope_parameters\":" + part);
        assertThat(read(phi).decoder().rotarySize()).isEqualTo(12);
    }

    @Test
    void gemma2CapsUnlessToldNotTo() throws IOException {
        assertThat(read(GEMMA2).decoder().form().scores().cap()).hasValue(50);
        assertThat(read(GEMMA2).decoder().form().scales().logitCap()).hasValue(30);
        var uncapped =
                GEMMA2.replace(
                        "{\"model_type\"", "{\"final_logit_softcapping\":null,\"model_type\"");
        assertThat(read(uncapped).decoder().form().scales().logitCap()).isEmpty();
    }

    @Test
    void refusesWhatWouldOtherwiseBeIgnored() {
        assertRefused(
                GEMMA2.replace(
                        "{\"model_type\"", "{\"use_bidirectional_attention\":true,\"model_type\""),
                "use_bidirectional_attention = true");
        assertRefused(
                GEMMA2.replace("gemma2", "smollm3")
                        .replace("{\"model_type\"", "{\"use_sliding_window\":true,\"model_type\""),
                "use_sliding_window = true");
        assertRefused(
                GPT2.replace("\"n_head\":12", "\"n_head\":13"), "is not divisible by 13 heads");
        assertRefused(
                PYTHIA_70M.replace("0.25", "0.2").replace("512", "520"),
                "headSize 13 is odd, but rotation takes pairs");
    }

    private void assertRefused(String json, String message) {
        assertThatThrownBy(() -> read(json))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining(message);
    }
}
