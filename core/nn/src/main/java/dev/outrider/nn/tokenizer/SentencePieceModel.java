package dev.outrider.nn.tokenizer;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.outrider.common.FailureReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A model of SentencePiece: pieces with scores, and how a text is made ready. Only what a tokenizer of the kind Unigram needs is read.
///
/// @param path       where it was read, for messages
/// @param kind       kind of model: 1 is Unigram, 2 is BPE
/// @param pieces     by id
/// @param characters what replaces characters, see [CharacterMap]; empty if nothing does
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

        /// Whether a text may be cut into such pieces.
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
                        "has %d bytes; expected at most %d".formatted(Files.size(path), LARGEST));
            }
            return new Reader(path).read(CodedInputStream.newInstance(Files.readAllBytes(path)));
        } catch (IOException e) {
            throw VocabularyFile.invalid(
                    path, "is no SentencePiece model: " + FailureReason.of(e), e);
        }
    }

    /// Reads the messages field by field; what it does not know it passes over.
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
