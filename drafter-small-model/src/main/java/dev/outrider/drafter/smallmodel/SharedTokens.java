package dev.outrider.drafter.smallmodel;

import dev.outrider.spi.target.Tokenizer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Optional;

/// Which token of the draft model means which token of the target: those with the same text. Several of the draft model's may
/// mean one of the target's; of these the lowest id is fed to the draft model. Immutable, thread-safe.
///
/// @see "Timor et al. 2025 (Accelerating LLM inference with lossless speculative decoding algorithms for heterogeneous
/// vocabularies), algorithm 4, token-level intersection"
final class SharedTokens {
    private static final int NONE = -1;
    private static final char REPLACEMENT = '\ufffd';

    private final int[] targetOf;
    private final int[] drafterOf;

    private SharedTokens(int[] targetOf, int targetSize) {
        this.targetOf = targetOf;
        this.drafterOf = new int[targetSize];
        Arrays.fill(drafterOf, NONE);
        for (int id = targetOf.length - 1; id >= 0; id--) {
            if (targetOf[id] != NONE) {
                drafterOf[targetOf[id]] = id;
            }
        }
    }

    /// A map that is given.
    ///
    /// @param targetOf   by the draft model's id, the target's token, or -1; not kept
    /// @param targetSize number of the target's logits
    static SharedTokens of(int[] targetOf, int targetSize) {
        return new SharedTokens(targetOf.clone(), targetSize);
    }

    /// Compares the texts of all tokens. Special tokens have none, and neither have pieces of a character.
    ///
    /// @param drafterSize number of the draft model's logits
    /// @param targetSize  number of the target's logits
    static SharedTokens byText(
            Tokenizer drafts, int drafterSize, Tokenizer targets, int targetSize) {
        var targetTokens = new HashMap<String, Integer>();
        var text = new TokenTexts(targets);
        for (int token = Math.min(targets.vocabularySize(), targetSize) - 1; token >= 0; token--) {
            int id = token;
            text.of(token).ifPresent(each -> targetTokens.put(each, id));
        }
        var targetOf = new int[drafterSize];
        Arrays.fill(targetOf, NONE);
        var ownText = new TokenTexts(drafts);
        for (int id = 0; id < Math.min(drafts.vocabularySize(), drafterSize); id++) {
            targetOf[id] =
                    ownText.of(id).map(each -> targetTokens.getOrDefault(each, NONE)).orElse(NONE);
        }
        return new SharedTokens(targetOf, targetSize);
    }

    /// Number of the target's tokens that can be guessed.
    int size() {
        return (int) Arrays.stream(drafterOf).filter(id -> id != NONE).count();
    }

    /// Number of the draft model's tokens.
    int drafterSize() {
        return targetOf.length;
    }

    /// Number of the target's tokens.
    int targetSize() {
        return drafterOf.length;
    }

    /// The target's token for an id of the draft model; -1 if there is none.
    int targetOf(int id) {
        return targetOf[id];
    }

    /// The id of the draft model for a token of the target; -1 if there is none.
    int drafterOf(int token) {
        return drafterOf[token];
    }

    /// The text a token adds to the text before it.
    private static final class TokenTexts {
        private final Tokenizer tokenizer;
        private final int[] before;
        private final String textBefore;

        TokenTexts(Tokenizer tokenizer) {
            this.tokenizer = tokenizer;
            // After a letter, a space in front of a word is not taken for the beginning of the
            // text.
            this.before = tokenizer.encode("a", false);
            this.textBefore = tokenizer.decode(before);
        }

        Optional<String> of(int id) {
            int[] ids = Arrays.copyOf(before, before.length + 1);
            ids[before.length] = id;
            var text = tokenizer.decode(ids);
            if (!text.startsWith(textBefore)) {
                return Optional.empty();
            }
            var added = text.substring(textBefore.length());
            return added.isEmpty() || added.indexOf(REPLACEMENT) >= 0
                    ? Optional.empty()
                    : Optional.of(added);
        }
    }
}
