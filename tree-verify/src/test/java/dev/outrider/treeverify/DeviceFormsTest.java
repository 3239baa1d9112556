package dev.outrider.treeverify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.gguf.GgufType;
import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.BlockForm.Activation;
import dev.outrider.nn.network.BlockForm.NormPlace;
import dev.outrider.nn.network.BlockForm.Norms;
import dev.outrider.nn.network.BlockForm.Scales;
import dev.outrider.nn.network.BlockWeights;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Experts;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.FusionConfig.CapturedNorm;
import dev.outrider.nn.network.FusionConfig.Join;
import dev.outrider.nn.network.FusionConfig.Switch;
import dev.outrider.nn.network.Part;
import dev.outrider.nn.network.Positions;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.Weight;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import dev.outrider.treeverify.pass.LevelFiles;
import dev.outrider.treeverify.pass.QuantizedLayout;
import dev.outrider.treeverify.pass.RandomLayers;
import dev.outrider.treeverify.pass.WeightForms;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// A device refuses the parts of a decoder that its kernels do not compute, by name. No device is needed.
class DeviceFormsTest {
    private static final Path ROOT = Path.of(System.getProperty("outrider.root", ".."));
    private static final Path DECODERS = ROOT.resolve("core/nn/src/test/resources/decoders");

    /// The device's passes would ignore a new component of a description without an error. A kernel must compute it, or
    /// [TornadoTargetConfig#requireForm] must refuse it, before it is added here.
    @Test
    void everyPieceOfADescriptionIsComputedOrRefused() {
        assertThat(pieces(BlockForm.class))
                .containsExactly(
                        "norms",
                        "feedForward",
                        "parallel",
                        "positions",
                        "kinds",
                        "scores",
                        "scales");
        assertThat(pieces(Norms.class))
                .containsExactly(
                        "kind", "place", "zeroCentred", "embedding", "last", "wholeQueries");
        assertThat(pieces(BlockForm.FeedForward.class))
                .containsExactly("activation", "gated", "boundedGate", "experts");
        assertThat(pieces(BlockForm.Scores.class)).containsExactly("scale", "cap", "sinks");
        assertThat(pieces(Scales.class))
                .containsExactly("embedding", "residual", "head", "headBias", "logitCap");
        assertThat(pieces(DecoderConfig.Attention.class))
                .containsExactly(
                        "heads",
                        "keyValueHeads",
                        "headSize",
                        "queryKeyValueBias",
                        "outputBias",
                        "queryKeyNorm",
                        "slidingWindow",
                        "firstWindowLayer");
        assertThat(BlockForm.NormKind.values())
                .extracting(Enum::name)
                .containsExactly("RMS", "LAYER");
        assertThat(BlockForm.LayerKind.values())
                .extracting(Enum::name)
                .containsExactly("GLOBAL", "LOCAL", "UNROTATED");
        assertThat(Positions.class.getPermittedSubclasses())
                .extracting(Class::getSimpleName)
                .containsExactlyInAnyOrder("Rotary", "Learned", "Sinusoidal", "Relative");
        assertThat(pieces(Experts.class))
                .containsExactly(
                        "count",
                        "chosen",
                        "intermediateSize",
                        "normalised",
                        "biases",
                        "sharedSize",
                        "every",
                        "denseLayers");
        assertThat(pieces(FusionConfig.class))
                .containsExactly(
                        "join",
                        "captured",
                        "targetHiddenSize",
                        "capturedNorm",
                        "headSize",
                        "switches");
        assertThat(Join.values())
                .containsExactly(
                        Join.EMBEDDING_FIRST,
                        Join.FEATURE_FIRST,
                        Join.WIDE_FIRST_LAYER,
                        Join.WIDE_EVERY_LAYER,
                        Join.FEATURE_ALONE,
                        Join.CONTEXT);
        assertThat(CapturedNorm.values())
                .containsExactly(CapturedNorm.NONE, CapturedNorm.JOINED, CapturedNorm.EACH);
        // MUTUAL_WINDOWS is refused with its join.
        assertThat(Switch.values())
                .containsExactly(
                        Switch.JOIN_BIAS,
                        Switch.REDUCTION,
                        Switch.EMBEDDING_NORM,
                        Switch.FEATURE_NORM,
                        Switch.FIRST_INPUT_NORM,
                        Switch.NORMED_RESIDUAL,
                        Switch.OUTPUT_NORM,
                        Switch.ZERO_CENTRED_NORMS,
                        Switch.GATED_QUERIES,
                        Switch.MASK_FIRST_POSITION,
                        Switch.MUTUAL_WINDOWS,
                        Switch.OWN_EMBEDDING,
                        Switch.OWN_HEAD);
    }

    /// Kernels get the ordinal of a function; for an unknown number they compute the last one.
    @Test
    void kernelsCountFunctionsAsTheDescriptionDoes() {
        assertThat(Activation.values())
                .containsExactly(
                        Activation.SILU, Activation.GELU, Activation.GELU_TANH, Activation.RELU);
    }

    @ParameterizedTest
    @MethodSource
    void aFormIsRefusedByWhatIsMissing(BlockForm form, String missing) throws IOException {
        assertRefused(with(decoder("gemma"), form), missing);
    }

    @Test
    void attentionToASourceAndOddHeadsAreRefused() throws IOException {
        // Without rotation, which takes pairs.
        var decoder = decoder("opt");

        assertRefused(
                decoder.toBuilder().part(Part.CROSS_DECODER).build(), "attention to a source");
        assertRefused(decoder.toBuilder().headSize(5).build(), "heads of an odd size");
    }

    private static void assertRefused(DecoderConfig decoder, String missing) {
        assertThatThrownBy(() -> TornadoTargetConfig.requireForm(Path.of("model"), decoder))
                .hasMessageContaining(
                        "'model' needs what no kernel of the device computes: " + missing + "\n");
    }

    @ParameterizedTest
    @MethodSource
    void aDraftLayerIsRefusedByWhatIsMissing(DecoderConfig layer, String missing) {
        assertThatThrownBy(() -> TornadoTargetConfig.requireForm("eagle3", layer))
                .hasMessageContaining("'eagle3' needs")
                .hasMessageContaining("computes: " + missing + "\n");
    }

    static List<Arguments> aDraftLayerIsRefusedByWhatIsMissing() {
        var wide = RandomLayers.eagle3();
        int hidden = RandomLayers.layer(1, wide).hiddenSize();
        return List.of(
                Arguments.of(
                        RandomLayers.layer(1, wide.with(Switch.GATED_QUERIES)), "gated queries"),
                Arguments.of(
                        RandomLayers.layer(1, wide.capturing(3, CapturedNorm.EACH)),
                        "norms of each captured state"),
                Arguments.of(
                        RandomLayers.layer(
                                1, FusionConfig.of(Join.CONTEXT, 28, 31).with(Switch.REDUCTION)),
                        "a context without a norm"),
                Arguments.of(
                        RandomLayers.dflash(1).toBuilder().slidingWindow(OptionalInt.of(5)).build(),
                        "windows over a context"),
                Arguments.of(
                        RandomLayers.layer(1, FusionConfig.of(Join.FEATURE_ALONE, hidden, 31)),
                        "rows without an embedding"),
                Arguments.of(RandomLayers.layer(7, wide), "more layers than 6"));
    }

    static List<Arguments> aFormIsRefusedByWhatIsMissing() {
        var llama = BlockForm.llama();
        var norms = llama.norms();
        return List.of(
                Arguments.of(
                        BlockForm.mixture(new Experts(4, 2, 8))
                                .with(new Norms(norms.kind(), NormPlace.RESULT)),
                        "experts without a norm before them"),
                Arguments.of(llama.with(new Positions.Relative(8, 16)), "biases of distances"),
                Arguments.of(
                        llama.with(
                                new Norms(
                                        norms.kind(), NormPlace.AFTER, false, false, true, false)),
                        "norms of the stream behind blocks"),
                Arguments.of(
                        llama.with(
                                new Norms(
                                        norms.kind(), NormPlace.BEFORE, false, true, true, false)),
                        "a norm of the embedding"),
                Arguments.of(
                        llama.with(
                                new Norms(
                                        norms.kind(),
                                        NormPlace.BEFORE,
                                        false,
                                        false,
                                        false,
                                        false)),
                        "a stack without a last norm"),
                Arguments.of(
                        llama.with(new Scales(1, 1, 1, true, OptionalDouble.empty())),
                        "a bias of the head"));
    }

    @ParameterizedTest
    @CsvSource({
        "gpt2",
        "gpt_neox",
        "opt",
        "gemma2",
        "gemma3_text",
        "olmo2",
        "granite",
        "phi3",
        "mixtral",
        "qwen2_moe",
        "qwen3_moe",
        "gpt_oss"
    })
    void aFamilyIsTaken(String family) throws IOException {
        var decoder = decoder(family);

        assertThatCode(() -> TornadoTargetConfig.requireForm(Path.of(family), decoder))
                .doesNotThrowAnyException();
    }

    /// Kernels must compute a new precision, or the configuration must refuse it.
    @Test
    void everyPrecisionIsComputedOrHasNoName() {
        assertThat(Arrays.stream(Precision.values()).map(Enum::name))
                .filteredOn(name ->
                        Arrays.stream(WeightFormat.values())
                                .map(Enum::name)
                                .noneMatch(name::equals))
                .containsExactly("BF16", "W8A8");
    }

    @Test
    void aFilesFormatThatNoKernelReadsBecomesFloats(@TempDir Path folder) throws IOException {
        var file =
                LevelFiles.write(folder.resolve("one.gguf"), false, GgufType.Q8_0, GgufType.BF16);
        try (var tensors = CheckpointTensors.ofGguf(file)) {
            var weights = new CheckpointWeights(LevelFiles.config(false), tensors);
            var forms = WeightForms.ofFile(new BlockWeights(weights));

            assertThat(forms.of(Weight.EMBEDDING, 0))
                    .isEqualTo(QuantizedLayout.form(GgufType.Q8_0).orElseThrow());
            assertThat(forms.of(Weight.HEAD, 0)).isEqualTo(Float.SIZE);
        }
    }

    private static DecoderConfig decoder(String family) throws IOException {
        return ModelConfig.read(new Checkpoint(DECODERS.resolve(family))).decoder();
    }

    private static DecoderConfig with(DecoderConfig like, BlockForm form) {
        return new DecoderConfig(
                like.vocabularySize(),
                like.hiddenSize(),
                like.layers(),
                like.maxPositions(),
                like.normEpsilon(),
                like.tiedHead(),
                like.attention(),
                like.feedForward(),
                like.rotation(),
                like.fusion(),
                form,
                like.part());
    }

    private static List<String> pieces(Class<?> description) {
        return Arrays.stream(description.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
    }
}
