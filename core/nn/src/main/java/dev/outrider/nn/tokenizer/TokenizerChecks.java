package dev.outrider.nn.tokenizer;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.nn.tokenizer.VocabularyFile.Growth;
import dev.outrider.nn.tokenizer.VocabularyFile.Part;
import dev.outrider.nn.tokenizer.VocabularyFile.Vocabulary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Checks of the components of a stranger's `tokenizer.json`, once, before the native library reads it. The library aborts the process
/// or computes for ever on some files; what is accepted here does neither.
final class TokenizerChecks {
    private TokenizerChecks() {}

    /// Tokens that are found in a text before it is divided into words.
    static final class AddedTokens {
        /// The library compares each one with all earlier ones.
        private static final int MAX = 8192;

        private AddedTokens() {}

        /// Checks them and adds them to the vocabulary of a model.
        ///
        /// The library does not read their ids: a token that the model lacks gets the next free
        /// one, so a file could state another id than the library uses.
        ///
        /// @param normalizers those of the file
        /// @return their ids
        static Set<Integer> check(Part file, Vocabulary vocabulary, Normalizers normalizers) {
            if (!file.has("added_tokens")) {
                file.out().putArray("added_tokens");
                return Set.of();
            }
            var tokens = file.parts("added_tokens");
            if (tokens.size() > MAX) {
                throw file.refused(
                        "has %d added tokens; expected at most %d".formatted(tokens.size(), MAX));
            }
            int modelSize = vocabulary.size();
            int largest = -1;
            var ids = new HashSet<Integer>();
            var contents = new HashSet<String>();
            boolean spaceFirst = false;
            boolean stripsRight = false;
            for (var token : tokens) {
                var content = token.in().path("content").asText();
                var known = vocabulary.id(content);
                vocabulary.add(token.in().path("id"), content);
                if (token.text("content").isEmpty() || !contents.add(content)) {
                    throw token.wrong("content", "a text of its own");
                }
                int id = token.in().path("id").intValue();
                int next = largest < modelSize ? modelSize : largest + 1;
                if (known.isEmpty() && id != next) {
                    throw file.refused(
                            "gives the added token '%s' the id %d, but the next free id, which the library takes, is %d"
                                    .formatted(content, id, next));
                }
                largest = Math.max(largest, id);
                ids.add(id);
                token.out().put("id", id);
                for (var flag : List.of("single_word", "lstrip", "special")) {
                    token.truth(flag);
                }
                boolean strips = token.truth("rstrip");
                if (token.truth("normalized")) {
                    requireNormalizable(
                            token, content, strips && file.has("normalizer"), normalizers);
                }
                spaceFirst |= isSpace(content.codePointAt(0));
                stripsRight |= strips;
            }
            if (spaceFirst && stripsRight) {
                throw file.refused(
                        "has added tokens with rstrip and others that begin with a space; the library cannot keep them apart");
            }
            return ids;
        }

        /// The library searches for the normalised token, even if that is empty.
        private static void requireNormalizable(
                Part token, String content, boolean strips, Normalizers normalizers) {
            if (strips) {
                throw token.wrong("rstrip", "false where normalized is true");
            }
            if (normalizers.mayRemove(content)) {
                throw token.wrong("normalized", "false where the normalizer may remove the token");
            }
        }

        private static boolean isSpace(int character) {
            return Character.isWhitespace(character)
                    || Character.isSpaceChar(character)
                    || character == '\u0085';
        }
    }

    /// The models of the tokenizers library, which divide words into pieces.
    static final class Models {
        private static final List<String> KNOWN =
                List.of("BPE, Unigram, WordLevel, WordPiece".split(", "));

        /// Every position of a text is compared with every piece that begins there.
        private static final int LONGEST_PIECE = 512;

        private static final int MAX_PREFIXES = 64;

        private static final int LONGEST_WORD = 200;

        private Models() {}

        /// Adds the pieces to a vocabulary.
        static void addPieces(Part model, Vocabulary vocabulary) {
            var vocab = model.in().path("vocab");
            if (vocab.isObject()) {
                for (var entry : vocab.properties()) {
                    vocabulary.add(entry.getValue(), entry.getKey());
                }
            } else if (vocab.isArray()) {
                for (int id = 0; id < vocab.size(); id++) {
                    vocabulary.add(id, scoredPiece(model, vocab.path(id)));
                }
            } else {
                throw model.refused("has no model.vocab");
            }
        }

        private static String scoredPiece(Part model, JsonNode piece) {
            if (!piece.isArray()
                    || piece.size() != 2
                    || !piece.path(0).isTextual()
                    || !piece.path(1).isNumber()) {
                throw model.refused(
                        "has the piece %s in model.vocab; expected a string and a number"
                                .formatted(piece));
            }
            return piece.path(0).textValue();
        }

        static void check(Part model, Vocabulary vocabulary) {
            // Files of the first versions do not name the model; all are BPE.
            var type = "BPE";
            if (model.has("type") || !model.has("merges")) {
                type = model.type(KNOWN);
            } else {
                model.out().put("type", type);
            }
            if (type.equals("Unigram") != model.in().path("vocab").isArray()) {
                throw model.refused("has a model.vocab of another kind of model than " + type);
            }
            model.out().set("vocab", model.in().path("vocab"));
            switch (type) {
                case "BPE" -> bpe(model);
                case "Unigram" -> unigram(model);
                case "WordPiece" -> {
                    requireUnknown(model, vocabulary);
                    model.text("continuing_subword_prefix");
                    model.integer("max_input_chars_per_word", 1, LONGEST_WORD);
                }
                case "WordLevel" -> requireUnknown(model, vocabulary);
                default -> throw new IllegalStateException("a kind is not handled");
            }
        }

        private static void bpe(Part model) {
            if (model.has("dropout") && model.in().path("dropout").doubleValue() != 0) {
                throw model.wrong("dropout", "none, since the same text shall give the same ids");
            }
            model.text("unk_token", "");
            model.text("end_of_word_suffix", "");
            var prefix = model.text("continuing_subword_prefix", "");
            for (var key : List.of("fuse_unk", "byte_fallback", "ignore_merges")) {
                model.truth(key, false);
            }
            var merges = model.in().path("merges");
            if (!merges.isArray()) {
                throw model.refused("has no model.merges");
            }
            for (var merge : merges) {
                if (!prefix.isEmpty() && !right(merge).startsWith(prefix)) {
                    throw model.refused(
                            "merges %s, but what follows begins with the continuing_subword_prefix '%s'"
                                    .formatted(merge, prefix));
                }
            }
            model.out().set("merges", merges);
        }

        private static String right(JsonNode merge) {
            return merge.isArray()
                    ? merge.path(1).asText()
                    : merge.asText().substring(merge.asText().indexOf(' ') + 1);
        }

        private static void unigram(Part model) {
            int size = model.in().path("vocab").size();
            if (model.has("unk_id")) {
                model.integer("unk_id", 0, size - 1);
            }
            model.truth("byte_fallback", false);
            var pieces =
                    model.in().path("vocab").valueStream().map(piece -> piece.path(0).textValue());
            var prefixes = new ArrayDeque<String>();
            for (var piece : (Iterable<String>) pieces.sorted()::iterator) {
                while (!prefixes.isEmpty() && !piece.startsWith(prefixes.getLast())) {
                    prefixes.removeLast();
                }
                prefixes.add(piece);
                if (PatternPart.bytes(piece) > LONGEST_PIECE || prefixes.size() > MAX_PREFIXES) {
                    throw model.refused(
                            "has the piece '%s...'; expected at most %d bytes and at most %d pieces that begin one another"
                                    .formatted(
                                            piece.substring(0, Math.min(40, piece.length())),
                                            LONGEST_PIECE,
                                            MAX_PREFIXES));
                }
            }
        }

        private static void requireUnknown(Part model, Vocabulary vocabulary) {
            var unknown = model.text("unk_token");
            if (vocabulary.id(unknown).isEmpty() || !model.in().path("vocab").has(unknown)) {
                throw model.wrong("unk_token", "a piece of model.vocab");
            }
        }
    }

    /// The normalizers of the tokenizers library.
    static final class Normalizers {
        private static final List<String> KNOWN =
                List.of(
                        ("Sequence, BertNormalizer, ByteLevel, Lowercase, NFC, NFD, NFKC, NFKD, Nmt, Precompiled, "
                                        + "Prepend, Replace, Strip, StripAccents")
                                .split(", "));

        private final Growth growth;
        private boolean removes;
        private boolean replaces;

        Normalizers(Growth growth) {
            this.growth = growth;
        }

        /// Returns whether a text may become empty.
        boolean mayRemove(String text) {
            return removes
                    && (replaces
                            || text.chars()
                                    .noneMatch(c -> c < 0x80 && Character.isLetterOrDigit(c)));
        }

        void check(Part part) {
            growth.count(part);
            var type = part.type(KNOWN);
            switch (type) {
                case "Sequence" -> part.parts("normalizers").forEach(this::check);
                case "BertNormalizer" -> {
                    removes = true;
                    part.truth("clean_text");
                    part.truth("handle_chinese_chars");
                    if (part.has("strip_accents")) {
                        part.truth("strip_accents");
                    }
                    part.truth("lowercase");
                    growth.by(part, 6);
                }
                case "Nmt", "StripAccents" -> removes = true;
                case "Strip" -> {
                    removes = true;
                    part.truth("strip_left");
                    part.truth("strip_right");
                }
                case "Precompiled" -> {
                    removes = true;
                    replaces = true;
                    growth.by(part, CharacterMap.check(part, "precompiled_charsmap"));
                }
                case "Prepend" -> {
                    int added = PatternPart.bytes(part.text("prepend"));
                    if (added == 0) {
                        throw part.wrong("prepend", "at least one character");
                    }
                    growth.by(part, 1.0 + added);
                }
                case "Replace" -> {
                    replaces = true;
                    removes |= part.in().path("content").asText().isEmpty();
                    if (PatternPart.checkReplace(part, growth) == 0) {
                        throw part.wrong("pattern", "one that never matches an empty text");
                    }
                }
                // The maximum in the Unicode Standard, Annex 15, and in its table of lower case.
                case "NFC", "NFD" -> growth.by(part, 3);
                case "NFKC", "NFKD" -> growth.by(part, 11);
                case "ByteLevel", "Lowercase" -> growth.by(part, 2);
                default -> throw new IllegalStateException("a kind is not handled");
            }
        }
    }

    /// The pre-tokenizers of the tokenizers library.
    static final class PreTokenizers {
        private static final List<String> KNOWN =
                List.of(
                        ("Sequence, BertPreTokenizer, ByteLevel, CharDelimiterSplit, Digits, FixedLength, "
                                        + "Metaspace, Punctuation, Split, UnicodeScripts, Whitespace, WhitespaceSplit")
                                .split(", "));

        private static final List<String> BEHAVIORS =
                List.of(
                        "Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous"
                                .split(", "));

        private PreTokenizers() {}

        static void check(Part part, Growth growth) {
            growth.count(part);
            var type = part.type(KNOWN);
            switch (type) {
                case "Sequence" -> part.parts("pretokenizers").forEach(each -> check(each, growth));
                case "ByteLevel" -> growth.by(part, checkByteLevel(part) ? 4 : 2);
                case "CharDelimiterSplit" -> part.character("delimiter");
                case "Digits" -> part.truth("individual_digits");
                case "FixedLength" -> {
                    if (part.has("length")) {
                        part.integer("length", 1, Integer.MAX_VALUE);
                    }
                }
                case "Metaspace" -> PatternPart.checkMetaspace(part, growth);
                case "Punctuation" -> {
                    if (part.has("behavior")) {
                        part.oneOf("behavior", BEHAVIORS);
                    }
                }
                case "Split" -> {
                    PatternPart.check(part, growth);
                    part.oneOf("behavior", BEHAVIORS);
                    part.truth("invert");
                }
                default -> {
                    // The others have no settings.
                }
            }
        }

        /// @return whether a space is added before every piece of text
        static boolean checkByteLevel(Part part) {
            part.truth("trim_offsets");
            part.truth("use_regex", true);
            return part.truth("add_prefix_space");
        }
    }

    /// The post-processors of the tokenizers library, which add special tokens around a text.
    /// Templates for pairs of texts are left out, because pairs are never encoded.
    static final class PostProcessors {
        private static final List<String> KNOWN =
                List.of(
                        "Sequence, BertProcessing, ByteLevel, RobertaProcessing, TemplateProcessing"
                                .split(", "));
        private static final int MAX_PIECES = 64;

        private final Vocabulary vocabulary;
        private final Growth growth;
        private boolean framed;

        PostProcessors(Vocabulary vocabulary, Growth growth) {
            this.vocabulary = vocabulary;
            this.growth = growth;
        }

        void check(Part part) {
            growth.count(part);
            switch (part.type(KNOWN)) {
                case "Sequence" -> part.parts("processors").forEach(this::check);
                case "ByteLevel" -> PreTokenizers.checkByteLevel(part);
                case "BertProcessing" -> frame(part);
                case "RobertaProcessing" -> {
                    frame(part);
                    part.truth("trim_offsets");
                    part.truth("add_prefix_space");
                }
                case "TemplateProcessing" -> {
                    once(part);
                    template(part);
                }
                default -> throw new IllegalStateException("a kind is not handled");
            }
        }

        /// The library cannot add special tokens around a text that already has some.
        private void once(Part part) {
            if (framed) {
                throw part.refused(
                        "has a second component that adds special tokens, %s; expected one"
                                .formatted(part.where()));
            }
            framed = true;
        }

        private void frame(Part part) {
            once(part);
            for (var key : List.of("sep", "cls")) {
                var token = part.in().path(key);
                if (!token.isArray() || token.size() != 2) {
                    throw part.wrong(key, "a token and its id");
                }
                requireToken(part, token.path(1), token.path(0));
                part.out().set(key, token);
            }
        }

        private void template(Part part) {
            var known = part.part("special_tokens");
            int texts = 0;
            var pieces = part.parts("single");
            if (pieces.size() > MAX_PIECES) {
                throw part.refused(
                        "has %s.single of %d pieces; expected at most %d"
                                .formatted(part.where(), pieces.size(), MAX_PIECES));
            }
            for (var piece : pieces) {
                if (piece.has("Sequence")) {
                    var sequence = piece.part("Sequence");
                    sequence.oneOf("id", List.of("A"));
                    sequence.out().put("type_id", 0);
                    texts++;
                } else {
                    var special = piece.part("SpecialToken");
                    specialToken(known, special.text("id"));
                    special.out().put("type_id", 0);
                }
            }
            if (texts != 1) {
                throw part.refused(
                        "has %s.single with the text %d times; expected once"
                                .formatted(part.where(), texts));
            }
            part.out().putArray("pair");
        }

        private void specialToken(Part known, String name) {
            if (known.out().has(name)) {
                return;
            }
            var token = known.part(name);
            var ids = token.in().path("ids");
            var tokens = token.in().path("tokens");
            if (!ids.isArray()
                    || !tokens.isArray()
                    || ids.size() != tokens.size()
                    || ids.size() > MAX_PIECES) {
                throw known.wrong(name, "as many ids as tokens");
            }
            for (int i = 0; i < ids.size(); i++) {
                requireToken(token, ids.path(i), tokens.path(i));
            }
            token.out().put("id", name);
            token.out().set("ids", ids);
            token.out().set("tokens", tokens);
        }

        private void requireToken(Part part, JsonNode id, JsonNode token) {
            if (!id.isInt()
                    || !token.isTextual()
                    || !vocabulary.is(id.intValue(), token.textValue())) {
                throw part.refused(
                        "has in %s the token %s with the id %s, which its vocabulary has not"
                                .formatted(part.where(), token, id));
            }
        }
    }

    /// The decoders of the tokenizers library.
    static final class Decoders {
        private static final List<String> KNOWN =
                List.of(
                        ("Sequence, BPEDecoder, ByteFallback, ByteLevel, CTC, Fuse, Metaspace, Replace, Strip, "
                                        + "WordPiece")
                                .split(", "));

        private Decoders() {}

        static void check(Part part, Growth growth) {
            growth.count(part);
            var type = part.type(KNOWN);
            switch (type) {
                case "Sequence" -> part.parts("decoders").forEach(each -> check(each, growth));
                case "BPEDecoder" -> {
                    if (part.text("suffix").isEmpty()) {
                        growth.by(part, 2);
                    }
                }
                case "ByteLevel" -> PreTokenizers.checkByteLevel(part);
                case "CTC" -> {
                    part.text("pad_token");
                    if (part.text("word_delimiter_token").isEmpty()) {
                        growth.by(part, 2);
                    }
                    part.truth("cleanup");
                }
                case "Metaspace" -> PatternPart.checkMetaspace(part, growth);
                case "Replace" -> PatternPart.checkReplace(part, growth);
                case "Strip" -> {
                    part.character("content");
                    part.integer("start", 0, Integer.MAX_VALUE);
                    // The library searches for what to strip even before the beginning, and fails
                    // there.
                    part.integer("stop", 0, 0);
                }
                case "WordPiece" -> {
                    part.text("prefix");
                    part.truth("cleanup");
                    growth.by(part, 2);
                }
                default -> {
                    // The others have no settings.
                }
            }
        }
    }

    /// The `pattern` of a component: a string, or a regular expression.
    static final class PatternPart {
        private PatternPart() {}

        /// @return bytes of the shortest match
        static int check(Part part, Growth growth) {
            var pattern = part.part("pattern");
            if (!pattern.in().isObject() || pattern.in().size() != 1) {
                throw part.wrong("pattern", "a String or a Regex");
            }
            if (pattern.has("String")) {
                var text = pattern.text("String");
                if (text.isEmpty()) {
                    throw pattern.wrong("String", "at least one character");
                }
                return bytes(text);
            }
            var source = pattern.text("Regex");
            try {
                var expression = BoundedExpression.of(source);
                growth.matches(expression);
                pattern.out().put("Regex", expression.source());
                return expression.leastLength();
            } catch (BoundedExpression.Unsafe e) {
                throw pattern.refused(
                        "has %s.Regex '%s', whose matching could take too long for some text: it %s"
                                .formatted(pattern.where(), shortened(source), e.getMessage()));
            }
        }

        /// Checks `Replace`, as a normalizer and as a decoder.
        ///
        /// @return bytes of the shortest match
        static int checkReplace(Part part, Growth growth) {
            int least = check(part, growth);
            int content = bytes(part.text("content"));
            growth.by(part, least == 0 ? 1.0 + content : Math.max(1.0, (double) content / least));
            return least;
        }

        /// Checks `Metaspace`, as a pre-tokenizer and as a decoder.
        static void checkMetaspace(Part part, Growth growth) {
            int replacement = bytes(part.character("replacement"));
            if (part.has("add_prefix_space")) {
                part.truth("add_prefix_space");
            }
            if (part.has("prepend_scheme")) {
                part.oneOf("prepend_scheme", List.of("first", "never", "always"));
            }
            if (part.has("split")) {
                part.truth("split");
            }
            growth.by(part, 1.0 + replacement);
        }

        static int bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8).length;
        }

        private static String shortened(String source) {
            return source.length() <= 200 ? source : source.substring(0, 200) + "...";
        }
    }
}
