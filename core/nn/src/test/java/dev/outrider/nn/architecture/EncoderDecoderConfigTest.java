package dev.outrider.nn.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.BlockForm.Activation;
import dev.outrider.nn.network.Part;
import dev.outrider.nn.network.Positions;
import dev.outrider.nn.network.Weight;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Configurations of encoder-decoders as they were published.
class EncoderDecoderConfigTest extends ConfigFiles {
    private static final String T5_SMALL =
            """
            {"architectures":["T5ForConditionalGeneration"],"d_ff":2048,"d_kv":64,"d_model":512,"decoder_start_token_id":0,
             "dropout_rate":0.1,"eos_token_id":1,"initializer_factor":1.0,"is_encoder_decoder":true,"layer_norm_epsilon":1e-06,
             "model_type":"t5","n_positions":512,"num_heads":8,"num_layers":6,"output_past":true,"pad_token_id":0,
             "relative_attention_num_buckets":32,"vocab_size":32128}
            """;
    private static final String FLAN_SMALL =
            """
            {"architectures":["T5ForConditionalGeneration"],"d_ff":1024,"d_kv":64,"d_model":512,"decoder_start_token_id":0,
             "eos_token_id":1,"feed_forward_proj":"gated-gelu","is_encoder_decoder":true,"layer_norm_epsilon":1e-06,
             "model_type":"t5","n_positions":512,"num_decoder_layers":8,"num_heads":6,"num_layers":8,"pad_token_id":0,
             "relative_attention_max_distance":128,"relative_attention_num_buckets":32,"tie_word_embeddings":false,
             "vocab_size":32128}
            """;
    private static final String BART_BASE =
            """
            {"activation_dropout":0.1,"activation_function":"gelu","add_bias_logits":false,"add_final_layer_norm":false,
             "architectures":["BartModel"],"bos_token_id":0,"d_model":768,"decoder_attention_heads":12,"decoder_ffn_dim":3072,
             "decoder_layers":6,"decoder_start_token_id":2,"encoder_attention_heads":12,"encoder_ffn_dim":3072,"encoder_layers":6,
             "eos_token_id":2,"forced_bos_token_id":0,"forced_eos_token_id":2,"is_encoder_decoder":true,
             "max_position_embeddings":1024,"model_type":"bart","normalize_before":false,"normalize_embedding":true,
             "num_hidden_layers":6,"pad_token_id":1,"scale_embedding":false,"vocab_size":50265}
            """;
    private static final String OPUS_MT =
            """
            {"activation_function":"swish","add_bias_logits":false,"add_final_layer_norm":false,"architectures":["MarianMTModel"],
             "bad_words_ids":[[58100]],"bos_token_id":0,"d_model":512,"decoder_attention_heads":8,"decoder_ffn_dim":2048,
             "decoder_layers":6,"decoder_start_token_id":58100,"decoder_vocab_size":58101,"encoder_attention_heads":8,
             "encoder_ffn_dim":2048,"encoder_layers":6,"eos_token_id":0,"extra_pos_embeddings":58101,"is_encoder_decoder":true,
             "max_position_embeddings":512,"model_type":"marian","normalize_before":false,"normalize_embedding":false,
             "num_hidden_layers":6,"pad_token_id":58100,"scale_embedding":true,"share_encoder_decoder_embeddings":true,
             "static_position_embeddings":true,"vocab_size":58101}
            """;

    @Test
    void readsTheFirstT5() throws IOException {
        var model = read(T5_SMALL);
        var decoder = model.decoder();
        var encoder = model.encoder().orElseThrow();
        assertThat(decoder.part()).isEqualTo(Part.CROSS_DECODER);
        assertThat(encoder.stack().part()).isEqualTo(Part.ENCODER);
        assertThat(encoder.start()).containsExactly(0);
        assertThat(decoder.form())
                .isEqualTo(
                        BlockForm.t5(
                                Activation.RELU,
                                false,
                                new Positions.Relative(32, 128),
                                1 / Math.sqrt(512)));
        assertThat(decoder.tiedHead()).isTrue();
        assertThat(Weight.parameters(decoder) + Weight.parameters(encoder.stack()))
                .as("what its authors count")
                .isEqualTo(60_506_624);
    }

    @Test
    void readsFlan() throws IOException {
        var model = read(FLAN_SMALL);
        var decoder = model.decoder();
        assertThat(decoder.form().feedForward().gated()).isTrue();
        assertThat(decoder.form().feedForward().activation()).isEqualTo(Activation.GELU_TANH);
        assertThat(decoder.form().scales().head()).isEqualTo(1);
        assertThat(decoder.headSize() * decoder.heads()).isEqualTo(384);
        assertThat(
                        Weight.parameters(decoder)
                                + Weight.parameters(model.encoder().orElseThrow().stack()))
                .isEqualTo(76_961_152);
    }

    @Test
    void readsBart() throws IOException {
        var model = read(BART_BASE);
        assertThat(model.encoder().orElseThrow().start()).containsExactly(2, 0);
        assertThat(model.decoder().form())
                .isEqualTo(
                        BlockForm.bart(true, Activation.GELU, new Positions.Learned(1026, 2), 1));
        assertThat(
                        Weight.parameters(model.decoder())
                                + Weight.parameters(model.encoder().orElseThrow().stack()))
                .as("139 million and the bias of the logits")
                .isEqualTo(139_420_416 + 50_265);
    }

    @Test
    void readsMarian() throws IOException {
        var model = read(OPUS_MT);
        assertThat(model.encoder().orElseThrow().start()).containsExactly(58_100);
        assertThat(model.decoder().form())
                .isEqualTo(
                        BlockForm.bart(
                                false,
                                Activation.SILU,
                                new Positions.Sinusoidal(),
                                Math.sqrt(512)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"relative_attention_num_buckets\":32 | \"relative_attention_num_buckets\":7 | describes no encoder-decoder: 7 buckets",
                "\"d_kv\":64, | '' | has no d_kv",
                "\"num_layers\":6 | \"num_layers\":0 | has num_layers = 0; expected a positive integer",
                "\"d_model\":512 | \"d_model\":512,\"feed_forward_proj\":\"gated-mish\" | has feed_forward_proj 'gated-mish'; Outrider runs relu",
                "\"decoder_start_token_id\":0 | \"decoder_start_token_id\":32128 | begins the decoder's text with token 32128; expected one of 0 to 32127",
                "\"pad_token_id\":0 | \"pad_token_id\":-1 | has pad_token_id = -1; expected an integer of at least 0",
            })
    void refusesWhatItCannotRunOfT5(String was, String is, String message) {
        assertThatThrownBy(() -> read(T5_SMALL.replace(was, is)))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"normalize_before\":false | \"normalize_before\":true | has normalize_before = true; Outrider runs stacks with a norm after",
                "\"d_model\":512 | \"d_model\":500 | d_model 500 is not divisible by 8 heads",
                "\"decoder_vocab_size\":58101 | \"decoder_vocab_size\":58100 | has vocabularies of its own",
                "\"max_position_embeddings\":512 | \"max_position_embeddings\":2147483647,\"x\":1 | accepted",
                "\"swish\" | \"mish\" | has activation_function 'mish'",
                "\"decoder_start_token_id\":58100,\"decoder_vocab_size\" | \"x\":1,\"decoder_vocab_size\" | accepted",
            })
    void refusesWhatItCannotRunOfMarian(String was, String is, String message) {
        assertThatThrownBy(
                        () -> {
                            var read = read(OPUS_MT.replace(was, is));
                            assertThat(read.encoder().orElseThrow().start())
                                    .containsExactly(58_100);
                            throw new IllegalStateException("accepted");
                        })
                .hasMessageContaining(message);
    }

    @Test
    void bucketsWidenWithTheDistance() {
        var positions = new Positions.Relative(32, 128);
        assertThat(positions.bucket(0, false)).isZero();
        assertThat(positions.bucket(5, false)).as("what lies ahead").isZero();
        assertThat(positions.bucket(-15, false)).isEqualTo(15);
        assertThat(positions.bucket(-16, false)).isEqualTo(16);
        assertThat(positions.bucket(-127, false)).isEqualTo(31);
        assertThat(positions.bucket(-100_000, false)).isEqualTo(31);
        assertThat(positions.bucket(-7, true)).isEqualTo(7);
        assertThat(positions.bucket(7, true)).isEqualTo(23);
        assertThat(positions.bucket(100_000, true)).isEqualTo(31);
    }
}
