package dev.outrider.spi.target;

import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Text to token ids and back, for one vocabulary.
///
/// Thread-safe.
@API(status = Status.STABLE, since = "2")
public interface Tokenizer {
    /// {@return number of ids, special tokens included; every id is in `[0, vocabularySize)`} A model's own
    /// vocabulary may be larger (padding rows).
    int vocabularySize();

    /// Encodes `text`.
    ///
    /// @param addSpecialTokens whether the tokenizer's own template (beginning-of-sequence and the like) is applied
    /// @param text the text
    /// @return ids in order; the caller owns the array
    int[] encode(String text, boolean addSpecialTokens);

    /// Decodes a whole sequence; special tokens are left out. Invalid UTF-8 becomes U+FFFD.
    ///
    /// @param ids token ids
    /// @return the text
    String decode(int[] ids);

    /// {@return the vocabulary's own spelling of one id, for traces and error messages}
    ///
    /// @param id a token id
    /// @throws IndexOutOfBoundsException if there is no such id
    String piece(int id);

    /// Starts decoding a growing sequence piece by piece.
    ///
    /// @return an empty stream
    TokenStream stream();

    /// {@return lower-case hexadecimal digest of the vocabulary and merges} Two tokenizers with the same digest
    /// give the same ids.
    String digest();

    /// Decodes one growing sequence so that the concatenated pieces equal [Tokenizer#decode].
    ///
    /// Confined to one thread.
    interface TokenStream {
        /// {@return the text that is final with this id; empty while a character is incomplete}
        ///
        /// @param id a token id
        String append(int id);

        /// {@return the text held back so far} The stream is finished afterwards.
        String finish();
    }
}
