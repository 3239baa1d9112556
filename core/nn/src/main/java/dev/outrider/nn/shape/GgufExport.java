package dev.outrider.nn.shape;

import dev.outrider.chat.ChatTemplate;
import dev.outrider.common.AtomicFile;
import dev.outrider.common.FailureReason;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.gguf.GgufType;
import dev.outrider.nn.gguf.GgufWriter;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.TensorPart;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightNaming;
import dev.outrider.nn.tokenizer.GgufVocabulary;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;

/// Writes a decoder of Llama's form as one GGUF file, with unchanged numbers.
///
/// @see "llama.cpp, gguf-py/gguf/constants.py and conversion/llama.py"
public final class GgufExport {
    private static final String ARCHITECTURE = "llama";
    private static final String TEMPLATE = "tokenizer.chat_template";
    private static final String OTHER_FORM = "Choose a decoder of Llama's form.";
    private static final String OTHER_WEIGHTS =
            "Choose a checkpoint of the model with weights in F32, F16 or BF16.";

    private static final List<String> END_KEYS =
            List.of(
                    "tokenizer.ggml.eos_token_id",
                    "tokenizer.ggml.eot_token_id",
                    "tokenizer.ggml.eom_token_id");

    private final Checkpoint source;
    private final ModelConfig model;
    private final DecoderConfig config;
    private final CheckpointTensors tensors;

    private GgufExport(Checkpoint source, ModelConfig model, CheckpointTensors tensors) {
        this.source = source;
        this.model = model;
        this.tensors = tensors;
        config = model.decoder();
    }

    /// Writes a file atomically.
    ///
    /// @param source a folder with safetensors
    /// @param file   must not exist
    /// @throws OutriderException `CONFIG_INVALID` if the file exists, `CHECKPOINT_UNSUPPORTED` if the model has another form,
    ///     `TOKENIZER_INVALID` if the tokenizer has, `IO_FAILED`, or the errors of reading a checkpoint
    public static void write(Checkpoint source, Path file) {
        if (Files.exists(file)) {
            throw ErrorCode.CONFIG_INVALID.error(
                    "'%s' is there already; expected the name of a new file".formatted(file),
                    "Choose another name with --out, or remove it.");
        }
        if (source.gguf().isPresent()) {
            throw unsupported(
                    source,
                    "the GGUF format already",
                    "Use it as it is, or choose a folder with safetensors.");
        }
        var model = ModelConfig.read(source);
        PlainForm.obstacle(model, PlainForm.differencesOfModel(model.decoder()))
                .ifPresent(what -> {
                    throw unsupported(
                            source,
                            what,
                            model.quantisation().isPresent() ? OTHER_WEIGHTS : OTHER_FORM);
                });
        if (Weight.QUERY_NORM.present(model.decoder())) {
            throw unsupported(source, "norms of queries and keys", OTHER_FORM);
        }
        try (var tensors = source.openTensors()) {
            CheckpointWeights.of(model.decoder(), tensors, model.quantisation());
            AtomicFile.write(file, new GgufExport(source, model, tensors).writer()::write);
        } catch (IOException e) {
            throw FailureReason.writing("the GGUF file", file, e);
        }
    }

    private GgufWriter writer() throws IOException {
        var writer =
                new GgufWriter()
                        .text("general.architecture", ARCHITECTURE)
                        .text("general.name", source.name())
                        .number("llama.vocab_size", config.vocabularySize())
                        .number("llama.context_length", config.maxPositions())
                        .number("llama.embedding_length", config.hiddenSize())
                        .number("llama.block_count", config.layers())
                        .number("llama.feed_forward_length", config.intermediateSize())
                        .number("llama.attention.head_count", config.heads())
                        .number("llama.attention.head_count_kv", config.keyValueHeads())
                        .number("llama.attention.key_length", config.headSize())
                        .number("llama.attention.value_length", config.headSize())
                        .number("llama.rope.dimension_count", config.headSize())
                        .real("llama.rope.freq_base", (float) config.ropeTheta())
                        .real(
                                "llama.attention.layer_norm_rms_epsilon",
                                (float) config.normEpsilon());
        tokens(writer);
        var from = WeightNaming.of(config, tensors.names());
        var to = WeightNaming.ofGguf(config, ARCHITECTURE);
        for (var weight : Weight.values()) {
            for (int layer = 0; layer < weight.copies(config); layer++) {
                if (weight.present(config, layer)) {
                    add(
                            writer,
                            from.parts(weight, layer).getFirst(),
                            to.parts(weight, layer).getFirst(),
                            weight.shape(config, layer));
                }
            }
        }
        return writer;
    }

    private void tokens(GgufWriter writer) throws IOException {
        var framing = GgufVocabulary.write(source.tokenizer(), config.vocabularySize(), writer);
        framing.first()
                .or(() -> model.beginOfSequence().stream().findFirst())
                .ifPresent(id -> writer.number("tokenizer.ggml.bos_token_id", id));
        var ends = new LinkedHashSet<>(model.endOfSequence());
        ends.retainAll(model.endTokensWithRow());
        framing.last().ifPresent(ends::addFirst);
        if (ends.size() > END_KEYS.size()) {
            throw unsupported(
                    source,
                    "the end tokens %s, and the format names at most %d"
                            .formatted(ends, END_KEYS.size()),
                    "List fewer in eos_token_id of its config.json and generation_config.json.");
        }
        var keys = END_KEYS.iterator();
        ends.forEach(id -> writer.number(keys.next(), id));
        ChatTemplate.texts(source.path())
                .forEach((name, text) ->
                        writer.text(
                                name.equals("default") ? TEMPLATE : TEMPLATE + "." + name, text));
    }

    /// Vectors are stored in 32 bits, as other engines require.
    private void add(GgufWriter writer, TensorPart from, TensorPart to, long... shape) {
        if (!from.whole()) {
            throw unsupported(
                    source, "several projections in one tensor, '%s'".formatted(from), OTHER_FORM);
        }
        var tensor = tensors.tensor(from.name(), shape);
        if (shape.length == 1) {
            writer.floats(to.name(), rows(tensor, to).toFloats(), shape);
            return;
        }
        var type =
                switch (tensor.type()) {
                    case F32 -> GgufType.F32;
                    case F16 -> GgufType.F16;
                    case BF16 -> GgufType.BF16;
                    default ->
                            throw unsupported(
                                    source,
                                    "tensor '%s' of type %s".formatted(from, tensor.type()),
                                    OTHER_WEIGHTS);
                };
        writer.tensor(to.name(), type, () -> rows(tensor, to).data(), shape);
    }

    /// Returns a tensor with its rows in the file's order.
    private static StoredTensor rows(StoredTensor tensor, TensorPart to) {
        if (to.whole()) {
            return tensor;
        }
        long rows = tensor.shape().getFirst();
        long bytes = tensor.data().byteSize() / rows;
        var moved = Arena.ofAuto().allocate(tensor.data().byteSize(), Long.BYTES);
        for (long row = 0; row < rows; row++) {
            MemorySegment.copy(tensor.data(), row * bytes, moved, to.row(row) * bytes, bytes);
        }
        return new StoredTensor(tensor.name(), tensor.type(), tensor.shape(), moved);
    }

    private static OutriderException unsupported(Checkpoint source, String what, String remedy) {
        return ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                "'%s' cannot be written as a GGUF file: it has %s".formatted(source.path(), what),
                remedy);
    }
}
