package dev.outrider.drafter.eagle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.drafter.eagle.LayoutOverrides.LayerOverrides;
import dev.outrider.drafting.TinyTarget;
import dev.outrider.drafting.export.HeadFolders;
import dev.outrider.drafting.feature.FeatureDrafter;
import dev.outrider.nn.architecture.Family;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.architecture.ModelConfigWriter;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests the conversion of heads between layouts: numbers are equal bit by bit; names, shapes and keys are as published; a head
/// that a layout cannot represent is refused.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExportTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, Integer> SIZES =
            Map.of(
                    "h",
                    TinyTarget.HIDDEN,
                    "t",
                    TinyTarget.HIDDEN,
                    "a",
                    3,
                    "V",
                    TinyTarget.VOCABULARY,
                    "D",
                    Heads.DRAFT_VOCABULARY,
                    "q",
                    32,
                    "k",
                    16,
                    "m",
                    48);

    private static final String EMBEDDING = "model.embed_tokens.weight";

    @TempDir private static Path directory = Path.of("");
    private final TargetModel target = TinyTarget.DEEP.open();
    private int written;

    @BeforeAll
    void writeTheTarget() throws IOException {
        Files.createDirectories(targetFolder());
        ModelConfigWriter.write(
                new ModelConfig(
                        Family.of(TinyTarget.DEEP.config()),
                        TinyTarget.DEEP.config(),
                        List.of(0),
                        List.of(1, 2),
                        Optional.empty()),
                targetFolder());
        var embedding = new float[TinyTarget.VOCABULARY * TinyTarget.HIDDEN];
        for (int index = 0; index < embedding.length; index++) {
            embedding[index] = (float) Math.sin(index);
        }
        SafetensorsWriter.write(
                targetFolder().resolve("model.safetensors"),
                List.of(
                        StoredTensor.ofFloats(
                                EMBEDDING, embedding, TinyTarget.VOCABULARY, TinyTarget.HIDDEN)),
                Map.of());
    }

    @AfterAll
    void close() {
        target.close();
    }

    @ParameterizedTest
    @EnumSource(PublishedLayout.class)
    void whatIsWrittenIsWhatIsPublished(PublishedLayout layout) throws IOException {
        for (var head : heads()) {
            var out = export(layout, head);
            assertThat(layout.problems(config(out))).isEmpty();
            try (var tensors = tensors(out)) {
                assertThat(layout.problems(tensors, SIZES)).isEmpty();
            }
        }
    }

    /// The table finds mistakes: it rejects files with a mistake.
    @ParameterizedTest
    @EnumSource(PublishedLayout.class)
    void aKeyOrTensorThatIsMissingOrWrongIsSeen(PublishedLayout layout) throws IOException {
        var out = export(layout, heads().getFirst());
        for (var path : layout.requiredKeys()) {
            var config = config(out);
            int at = path.lastIndexOf('.');
            var parent = at < 0 ? config : config.at("/" + path.substring(0, at).replace('.', '/'));
            ((ObjectNode) parent).remove(path.substring(at + 1));
            assertThat(layout.problems(config)).as(path).hasSize(1);
            ((ObjectNode) parent).putObject(path.substring(at + 1)).put("x", 1);
            assertThat(layout.problems(config)).as(path).hasSize(2);
        }
        try (var tensors = tensors(out)) {
            for (var size : SIZES.keySet()) {
                var wrong = new HashMap<>(SIZES);
                wrong.merge(size, 1, Integer::sum);
                assertThat(layout.problems(tensors, wrong)).as(size).isNotEmpty();
            }
        }
        var other =
                layout == PublishedLayout.SPECFORGE
                        ? PublishedLayout.SPECULATORS
                        : PublishedLayout.SPECFORGE;
        try (var tensors = tensors(export(other, heads().getFirst()))) {
            assertThat(layout.problems(tensors, SIZES)).isNotEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(PublishedLayout.class)
    void readBackItIsTheSameHeadBitByBit(PublishedLayout layout) {
        for (var head : heads()) {
            var source = head.write(fresh());
            var out = export(layout, source);
            try (var before = load(source);
                    var after = load(out);
                    var old = tensors(source);
                    var now = tensors(out);
                    var targets = tensors(targetFolder())) {
                var draft = after;
                assertThat(draft.captured()).isEqualTo(before.captured());
                assertThat(draft.recycling()).isEqualTo(before.recycling());
                assertThat(withOwnEmbedding(draft)).isEqualTo(withOwnEmbedding(before));
                for (int id = 0; id < draft.vocabulary().width(); id++) {
                    assertThat(draft.vocabulary().token(id))
                            .isEqualTo(before.vocabulary().token(id));
                }
                var embedding =
                        old.find("embed_tokens.weight").orElseGet(() -> targets.tensor(EMBEDDING));
                assertThat(now.tensor("embed_tokens.weight").data().mismatch(embedding.data()))
                        .isEqualTo(-1);
                for (var name : old.names()) {
                    var renamed =
                            layout == PublishedLayout.SPECULATORS
                                    ? name.replace("midlayer.", "layers.0.")
                                    : name.replace("layers.0.", "midlayer.");
                    assertThat(now.tensor(renamed).type()).isEqualTo(old.tensor(name).type());
                    assertThat(now.tensor(renamed).data().mismatch(old.tensor(name).data()))
                            .as(name)
                            .isEqualTo(-1);
                }
            }
        }
    }

    /// Converts from one layout to the other and back to the first.
    @Test
    void goesThroughBothLayouts() throws IOException {
        var first = export(PublishedLayout.SPECULATORS, heads().getFirst());
        var second = export(PublishedLayout.SPECFORGE, first);
        var third = export(PublishedLayout.SPECULATORS, second);
        assertThat(
                        Files.mismatch(
                                first.resolve("model.safetensors"),
                                third.resolve("model.safetensors")))
                .isEqualTo(-1);
        assertThat(config(third)).isEqualTo(config(first));
    }

    @Test
    void theSwitchesAreSaid() throws IOException {
        var head = Heads.specForge();
        head.config.put("norm_output", "true");
        for (int state = 0; state < 3; state++) {
            head.vector("fc_norm.%d.weight".formatted(state), TinyTarget.HIDDEN, 1);
        }
        head.config.put("fc_norm", "true");
        for (var layout : PublishedLayout.values()) {
            var config = config(export(layout, head));
            assertThat(config.path("fc_norm").booleanValue()).isTrue();
            assertThat(config.path("norm_output").booleanValue()).isTrue();
        }
        // Values that the drafter's configuration would overrule are overruled in the file.
        var overruled =
                new LayoutOverrides(
                        new LayerOverrides(
                                Optional.of(List.of(2, 3, 5)), Optional.empty(), Optional.empty()),
                        Optional.of(false));
        var out = fresh();
        new SpecForgeExport.Export()
                .write(
                        new SpecForgeExport(
                                new HeadFolders(head.write(fresh()), targetFolder(), out),
                                overruled));
        assertThat(config(out).path("norm_output").booleanValue()).isFalse();
        assertThat(config(out).at("/eagle_config/eagle_aux_hidden_state_layer_ids").toString())
                .isEqualTo("[1,2,4]");
    }

    @Test
    void theVerifierIsNamed() throws IOException {
        var verifier = "/speculators_config/verifier";
        var config = config(export(PublishedLayout.SPECULATORS, Heads.specForge()));
        assertThat(config.at(verifier).toString())
                .isEqualTo("{\"name_or_path\":\"tiny\",\"architectures\":[\"LlamaForCausalLM\"]}");
        var out = fresh();
        new SpeculatorsExport.Export()
                .write(
                        new SpeculatorsExport(
                                new HeadFolders(
                                        Heads.specForge().write(fresh()), targetFolder(), out),
                                Optional.of("acme/tiny"),
                                7,
                                LayoutOverrides.NONE));
        assertThat(config(out).at(verifier + "/name_or_path").asText()).isEqualTo("acme/tiny");
        assertThat(
                        config(out)
                                .at("/speculators_config/proposal_methods/0/speculative_tokens")
                                .intValue())
                .isEqualTo(7);
    }

    @Test
    void whatALayoutCannotSayIsRefusedAndNothingIsWritten() {
        refuses(
                PublishedLayout.SPECFORGE,
                head ->
                        head.config.put(
                                "eagle_config",
                                "{\"eagle_aux_hidden_state_layer_ids\": [3, 4, 5]}"),
                "the head has states after [3, 4, 5] layers; it has three, the first after 2, which the layout of SpecForge cannot say");
        refuses(
                PublishedLayout.SPECFORGE,
                head -> head.config.put("norm_before_residual", "true"),
                "a residual stream that begins normed, which the layout of SpecForge cannot say");
        refuses(
                PublishedLayout.SPECFORGE,
                head -> {
                    head.config.put("norm_before_fc", "true");
                    head.vector("input_norm.weight", 3 * TinyTarget.HIDDEN, 1);
                },
                "one norm over all captured states (norm_before_fc), which the layout of SpecForge cannot say");
        refuses(
                PublishedLayout.SPECULATORS,
                head -> {
                    head.config.put("model_type", "\"qwen2\"");
                    for (var part : List.of("q", "k", "v")) {
                        head.vector(
                                "midlayer.self_attn.%s_proj.bias".formatted(part),
                                part.equals("q") ? 32 : 16,
                                0);
                    }
                },
                "the head has a layer of the family 'qwen2', which the layout of speculators cannot say");
    }

    @Test
    void aHeadForAnotherTargetIsRefused() {
        var head = Heads.specForge();
        head.config.put("vocab_size", "41");
        assertThatThrownBy(() -> export(PublishedLayout.SPECULATORS, head))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("was trained for 41 tokens, but target 'tiny' has 40.");
    }

    @Test
    void aFolderWithFilesIsLeftAlone() throws IOException {
        var out = fresh();
        Files.createDirectories(out);
        Files.writeString(out.resolve("mine"), "");
        assertThatThrownBy(() ->
                        new SpecForgeExport.Export()
                                .write(
                                        new SpecForgeExport(
                                                new HeadFolders(
                                                        Heads.specForge().write(fresh()),
                                                        targetFolder(),
                                                        out),
                                                LayoutOverrides.NONE)))
                .hasMessageStartingWith(
                        "CONFIG_INVALID: '%s' is there already and not empty".formatted(out));
    }

    /// Heads that both layouts can represent: with a draft vocabulary, the plainest head and EAGLE-3.1's.
    private static List<Heads> heads() {
        var newer = Heads.specForge();
        newer.config.put("norm_output", "true");
        newer.config.put("fc_norm", "true");
        for (int state = 0; state < 3; state++) {
            newer.vector("fc_norm.%d.weight".formatted(state), TinyTarget.HIDDEN, 1);
        }
        var own = Heads.specForge();
        own.matrix("embed_tokens.weight", TinyTarget.VOCABULARY, TinyTarget.HIDDEN);
        return List.of(Heads.specForge(), newer, own);
    }

    private static DecoderConfig withOwnEmbedding(FeatureDrafter draft) {
        var config = draft.network().config();
        return config.fused(
                config.fusion().orElseThrow().with(true, FusionConfig.Switch.OWN_EMBEDDING));
    }

    @Test
    void aTargetWithoutAPlainEmbeddingIsRefused() throws IOException {
        var bare = fresh();
        Files.createDirectories(bare);
        Files.copy(targetFolder().resolve("config.json"), bare.resolve("config.json"));
        SafetensorsWriter.write(
                bare.resolve("model.safetensors"),
                List.of(StoredTensor.ofFloats("model.norm.weight", new float[32], 32)),
                Map.of());
        var folders = new HeadFolders(Heads.specForge().write(fresh()), bare, fresh());
        assertThatThrownBy(() ->
                        new SpecForgeExport.Export()
                                .write(new SpecForgeExport(folders, LayoutOverrides.NONE)))
                .hasMessageStartingWith(
                        "CHECKPOINT_UNSUPPORTED: '%s' has no embedding in F32, F16 or BF16"
                                .formatted(bare));
    }

    private void refuses(PublishedLayout layout, Consumer<Heads> change, String message) {
        var head = Heads.specForge();
        change.accept(head);
        var source = head.write(fresh());
        var out = fresh();
        assertThatThrownBy(() -> export(layout, source, out))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining(message);
        assertThat(out.resolve("config.json")).doesNotExist();
        assertThat(out.resolve("model.safetensors")).doesNotExist();
    }

    private Path export(PublishedLayout layout, Heads head) {
        return export(layout, head.write(fresh()));
    }

    private Path export(PublishedLayout layout, Path source) {
        var out = fresh();
        export(layout, source, out);
        return out;
    }

    private void export(PublishedLayout layout, Path source, Path out) {
        var folders = new HeadFolders(source, targetFolder(), out);
        switch (layout) {
            case SPECULATORS ->
                    new SpeculatorsExport.Export()
                            .write(
                                    new SpeculatorsExport(
                                            folders, Optional.empty(), 5, LayoutOverrides.NONE));
            case SPECFORGE ->
                    new SpecForgeExport.Export()
                            .write(new SpecForgeExport(folders, LayoutOverrides.NONE));
        }
    }

    private static JsonNode config(Path folder) throws IOException {
        return JSON.readTree(folder.resolve("config.json").toFile());
    }

    private static CheckpointTensors tensors(Path folder) {
        return CheckpointTensors.ofFile(folder.resolve("model.safetensors"));
    }

    private FeatureDrafter load(Path path) {
        return (FeatureDrafter)
                EaglePlugin.EAGLE_3.create(Configs.eagle3(path, Configs.CHAIN), () -> target);
    }

    private Path targetFolder() {
        return directory.resolve("tiny");
    }

    private Path fresh() {
        return directory.resolve("folder" + written++);
    }
}
