package dev.outrider.nn.tokenizer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.outrider.common.FailureReason;
import dev.outrider.nn.checkpoint.CheckpointJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Checkpoints whose tokenizer was published as a SentencePiece model: T5 and mT5 as
/// `spiece.model`, Marian as one model per language and a `vocab.json` that numbers the pieces of
/// both. The content is converted to a `tokenizer.json`.
///
/// Texts are divided by the model of Marian's source language. Its target language is only decoded,
/// for which the ids suffice.
final class SentencePieceFiles {
    private static final String T5 = "spiece.model";
    private static final String MARIAN = "source.spm";
    private static final String MARIAN_IDS = "vocab.json";

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String END = "</s>";

    /// T5's default number of extra tokens.
    private static final int USUAL_EXTRA_IDS = 100;

    private static final int MAX_EXTRA_IDS = 10_000;

    /// The score of a piece that only the other language has, as a multiple of the lowest score.
    private static final float FOREIGN = 100;

    private SentencePieceFiles() {}

    /// Returns the `tokenizer.json` of a directory without one, if its tokenizer was published in
    /// such files.
    ///
    /// @return the path that was read, and the content
    static Optional<Map.Entry<Path, ObjectNode>> in(Path directory) {
        var t5 = directory.resolve(T5);
        var marian = directory.resolve(MARIAN);
        var ids = directory.resolve(MARIAN_IDS);
        if (Files.isRegularFile(marian) && Files.isRegularFile(ids)) {
            return Optional.of(Map.entry(marian, marian(model(marian), json(ids))));
        }
        if (Files.isRegularFile(t5)) {
            var settings = directory.resolve("tokenizer_config.json");
            int extra = Files.isRegularFile(settings) ? extraIds(settings) : USUAL_EXTRA_IDS;
            return Optional.of(Map.entry(t5, t5(model(t5), extra)));
        }
        return Optional.empty();
    }

    private static SentencePieceModel model(Path path) {
        var model = SentencePieceModel.read(path);
        if (model.kind() != SentencePieceModel.UNIGRAM) {
            throw VocabularyFile.invalid(
                    path,
                    "is a SentencePiece model of kind %d; expected %d, which is Unigram"
                            .formatted(model.kind(), SentencePieceModel.UNIGRAM));
        }
        return model;
    }

    static JsonNode json(Path path) {
        try {
            return CheckpointJson.read(path);
        } catch (JsonProcessingException e) {
            throw VocabularyFile.invalid(path, "is not valid JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw VocabularyFile.invalid(path, "cannot be read: " + FailureReason.of(e), e);
        }
    }

    private static int extraIds(Path path) {
        var value = json(path).path("extra_ids");
        if (value.isMissingNode() || value.isNull()) {
            return USUAL_EXTRA_IDS;
        }
        if (!value.isInt() || value.intValue() < 0 || value.intValue() > MAX_EXTRA_IDS) {
            throw VocabularyFile.invalid(
                    path,
                    "has extra_ids = %s; expected an integer from 0 to %d"
                            .formatted(value, MAX_EXTRA_IDS));
        }
        return value.intValue();
    }

    private static ObjectNode t5(SentencePieceModel model, int extra) {
        var scores = new LinkedHashMap<String, Float>();
        var special = new ArrayList<String>();
        for (var piece : model.pieces()) {
            if (scores.put(piece.text(), piece.score()) != null) {
                throw VocabularyFile.invalid(
                        model.path(), "has the piece '%s' twice".formatted(piece.text()));
            }
            if (piece.type() == SentencePieceModel.Piece.UNKNOWN
                    || piece.type() == SentencePieceModel.Piece.CONTROL) {
                special.add(piece.text());
            }
        }
        for (int number = extra - 1; number >= 0; number--) {
            var name = "<extra_id_%d>".formatted(number);
            if (scores.put(name, 0f) != null) {
                throw VocabularyFile.invalid(
                        model.path(),
                        "has the piece '%s', which its extra_ids add".formatted(name));
            }
            special.add(name);
        }
        return tokenizer(model, scores, special);
    }

    private static ObjectNode marian(SentencePieceModel model, JsonNode ids) {
        var names = byId(model, ids);
        var own = new HashMap<String, Float>();
        float worst = -1;
        for (var piece : model.pieces()) {
            if (piece.inTexts()) {
                own.put(piece.text(), piece.score());
                worst = Math.min(worst, piece.score());
            }
        }
        var scores = new LinkedHashMap<String, Float>();
        var special = new ArrayList<String>();
        for (var name : names) {
            scores.put(name, own.getOrDefault(name, FOREIGN * worst));
            if (List.of(END, "<unk>", "<pad>").contains(name)) {
                special.add(name);
            }
        }
        return tokenizer(model, scores, special);
    }

    /// Returns the pieces in the order of their ids, which have no gaps.
    private static List<String> byId(SentencePieceModel model, JsonNode ids) {
        if (!ids.isObject()) {
            throw VocabularyFile.invalid(
                    model.path().resolveSibling(MARIAN_IDS),
                    "is not a JSON object of pieces and their numbers");
        }
        var names = new String[ids.size()];
        for (var entry : ids.properties()) {
            var id = entry.getValue();
            if (!id.isInt()
                    || id.intValue() < 0
                    || id.intValue() >= names.length
                    || names[id.intValue()] != null) {
                throw VocabularyFile.invalid(
                        model.path().resolveSibling(MARIAN_IDS),
                        "gives the piece '%s' the number %s; expected every number from 0 to %d once"
                                .formatted(entry.getKey(), id, names.length - 1));
            }
            names[id.intValue()] = entry.getKey();
        }
        return List.of(names);
    }

    private static ObjectNode tokenizer(
            SentencePieceModel model, Map<String, Float> scores, List<String> special) {
        var ids = new HashMap<String, Integer>();
        scores.keySet().forEach(name -> ids.put(name, ids.size()));
        var root = JSON.objectNode().put("version", "1.0");
        var added = root.putArray("added_tokens");
        special.forEach(name -> TokenizerTree.added(added, ids.getOrDefault(name, 0), name, true));
        if (model.characters().length > 0) {
            root.putObject("normalizer")
                    .put("type", "Precompiled")
                    .put(
                            "precompiled_charsmap",
                            Base64.getEncoder().encodeToString(model.characters()));
        }
        var words = root.putObject("pre_tokenizer").put("type", "Sequence");
        var steps = words.putArray("pretokenizers");
        steps.addObject().put("type", "WhitespaceSplit");
        metaspace(steps.addObject());
        ending(root, ids, model);
        boolean bytes =
                model.pieces().stream()
                        .anyMatch(piece -> piece.type() == SentencePieceModel.Piece.BYTE);
        decoder(root, bytes);
        var pieces = root.putObject("model").put("type", "Unigram");
        pieces.put("unk_id", unknown(ids, model)).put("byte_fallback", bytes);
        var vocab = pieces.putArray("vocab");
        scores.forEach((name, score) -> vocab.addArray().add(name).add(score.doubleValue()));
        return root;
    }

    private static void decoder(ObjectNode root, boolean bytes) {
        if (bytes) {
            var steps = root.putObject("decoder").put("type", "Sequence").putArray("decoders");
            steps.addObject().put("type", "ByteFallback");
            metaspace(steps.addObject());
        } else {
            metaspace(root.putObject("decoder"));
        }
    }

    private static int unknown(Map<String, Integer> ids, SentencePieceModel model) {
        return model.pieces().stream()
                .filter(piece ->
                        piece.type() == SentencePieceModel.Piece.UNKNOWN
                                && ids.containsKey(piece.text()))
                .map(piece -> ids.get(piece.text()))
                .findFirst()
                .orElseThrow(
                        () -> VocabularyFile.invalid(model.path(), "has no piece for the unknown"));
    }

    private static void metaspace(ObjectNode node) {
        node.put("type", "Metaspace").put("replacement", "▁").put("add_prefix_space", true);
    }

    /// Adds the end token after every text.
    private static void ending(
            ObjectNode root, Map<String, Integer> ids, SentencePieceModel model) {
        int end =
                Optional.ofNullable(ids.get(END))
                        .orElseThrow(() ->
                                VocabularyFile.invalid(
                                        model.path(), "has no piece '%s'".formatted(END)));
        TokenizerTree.addSpecialTokens(root, Optional.empty(), Optional.of(Map.entry(END, end)));
    }

    /// A SentencePiece model: pieces with scores, and the normalisation of texts. Only what a
    /// Unigram tokenizer needs is read.
    ///
    /// @param path       where it was read, for messages
    /// @param kind       kind of model: 1 is Unigram, 2 is BPE
    /// @param pieces     by id
    /// @param characters replacements of characters, see [CharacterMap]; may be empty
    /// @see "Kudo and Richardson 2018; sentencepiece_model.proto of their repository"
    record SentencePieceModel(Path path, int kind, List<Piece> pieces, byte[] characters) {
        static final int UNIGRAM = 1;

        private static final int LARGEST = 1 << 27;

        // Fields of the message ModelProto and of its parts.
        private static final int PIECES = 1;
        private static final int TRAINER = 2;
        private static final int NORMALIZER = 3;
        private static final int PIECE = 1;
        private static final int SCORE = 2;
        private static final int TYPE = 3;
        private static final int MODEL_TYPE = 3;
        private static final int CHARACTERS = 2;
        private static final int DUMMY_PREFIX = 3;
        private static final int EXTRA_SPACES = 4;
        private static final int ESCAPED_SPACES = 5;

        /// @param text  spelling, with `▁` for a space
        /// @param score logarithm of its probability
        /// @param type  1 normal, 2 unknown, 3 control, 4 defined by the user, 5 unused, 6 byte
        record Piece(String text, float score, int type) {
            static final int NORMAL = 1;
            static final int UNKNOWN = 2;
            static final int CONTROL = 3;
            static final int USER_DEFINED = 4;
            static final int BYTE = 6;

            /// Returns whether a text may be divided into such pieces.
            boolean inTexts() {
                return type == NORMAL || type == USER_DEFINED;
            }
        }

        SentencePieceModel {
            pieces = List.copyOf(pieces);
        }

        /// @throws dev.outrider.spi.error.OutriderException `TOKENIZER_INVALID`
        static SentencePieceModel read(Path path) {
            try {
                if (Files.size(path) > LARGEST) {
                    throw VocabularyFile.invalid(
                            path,
                            "has %d bytes; expected at most %d"
                                    .formatted(Files.size(path), LARGEST));
                }
                return new Reader(path)
                        .read(CodedInputStream.newInstance(Files.readAllBytes(path)));
            } catch (IOException e) {
                throw VocabularyFile.invalid(
                        path, "is no SentencePiece model: " + FailureReason.of(e), e);
            }
        }

        /// Reads the messages field by field; unknown fields are skipped.
        private static final class Reader {
            private final Path path;
            private final List<Piece> pieces = new ArrayList<>();
            private int kind = UNIGRAM;
            private byte[] characters = new byte[0];

            Reader(Path path) {
                this.path = path;
            }

            SentencePieceModel read(CodedInputStream in) throws IOException {
                for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                    switch (WireFormat.getTagFieldNumber(tag)) {
                        case PIECES -> pieces.add(piece(part(in)));
                        case TRAINER -> trainer(part(in));
                        case NORMALIZER -> normalizer(part(in));
                        default -> in.skipField(tag);
                    }
                }
                return new SentencePieceModel(path, kind, pieces, characters);
            }

            private static CodedInputStream part(CodedInputStream in) throws IOException {
                return CodedInputStream.newInstance(in.readByteArray());
            }

            private void requireTrue(CodedInputStream in, String name) throws IOException {
                if (!in.readBool()) {
                    throw VocabularyFile.invalid(
                            path,
                            "has %s = false; expected it as T5 and Marian have it".formatted(name));
                }
            }

            private static Piece piece(CodedInputStream in) throws IOException {
                var text = "";
                float score = 0;
                int type = Piece.NORMAL;
                for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                    switch (WireFormat.getTagFieldNumber(tag)) {
                        case PIECE -> text = in.readStringRequireUtf8();
                        case SCORE -> score = in.readFloat();
                        case TYPE -> type = in.readEnum();
                        default -> in.skipField(tag);
                    }
                }
                return new Piece(text, score, type);
            }

            private void trainer(CodedInputStream in) throws IOException {
                for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                    if (WireFormat.getTagFieldNumber(tag) == MODEL_TYPE) {
                        kind = in.readEnum();
                    } else {
                        in.skipField(tag);
                    }
                }
            }

            private void normalizer(CodedInputStream in) throws IOException {
                for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                    switch (WireFormat.getTagFieldNumber(tag)) {
                        case CHARACTERS -> characters = in.readByteArray();
                        case DUMMY_PREFIX -> requireTrue(in, "add_dummy_prefix");
                        case EXTRA_SPACES -> requireTrue(in, "remove_extra_whitespaces");
                        case ESCAPED_SPACES -> requireTrue(in, "escape_whitespaces");
                        default -> in.skipField(tag);
                    }
                }
            }
        }
    }
}
