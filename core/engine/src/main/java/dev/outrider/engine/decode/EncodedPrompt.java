package dev.outrider.engine.decode;

import dev.outrider.spi.target.TargetDescription.SourceReading;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.Tokenizer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The input of a target, as token ids.
///
/// For an encoder-decoder, the source is a text with the tokenizer's special tokens, as its encoder was trained to read it. The
/// prompt is the tokens that the decoder starts from, followed by a text without special tokens, usually an empty one.
///
/// @param ids    of the prompt, special tokens included
/// @param source ids that the encoder reads; empty for a target that has none
public record EncodedPrompt(List<Integer> ids, List<Integer> source) {
    public EncodedPrompt {
        ids = List.copyOf(ids);
        source = List.copyOf(source);
    }

    /// A text that is to be continued; an encoder-decoder reads it as its source.
    public static EncodedPrompt of(TargetModel target, String text) {
        var sources = target.description().sources();
        return sources.isPresent()
                ? reading(target, sources.get(), text, "")
                : new EncodedPrompt(encoded(target.tokenizer(), text, true), List.of());
    }

    /// A source, and a text that is to be continued after reading it. With a target that has no encoder it makes a request that is
    /// refused.
    public static EncodedPrompt of(TargetModel target, String source, String text) {
        return target.description()
                .sources()
                .map(sources -> reading(target, sources, source, text))
                .orElseGet(() ->
                        new EncodedPrompt(
                                encoded(target.tokenizer(), text, true),
                                encoded(target.tokenizer(), source, true)));
    }

    /// [#of(TargetModel, String, String)] where there is a source, else [#of(TargetModel, String)].
    public static EncodedPrompt of(TargetModel target, Optional<String> source, String text) {
        return source.map(each -> of(target, each, text)).orElseGet(() -> of(target, text));
    }

    /// A conversation that a chat template has written, special tokens included.
    public static EncodedPrompt ofChat(TargetModel target, String written) {
        return new EncodedPrompt(encoded(target.tokenizer(), written, false), List.of());
    }

    private static EncodedPrompt reading(
            TargetModel target, SourceReading sources, String source, String text) {
        var begun =
                text.isEmpty()
                        ? sources.start()
                        : Stream.concat(
                                        sources.start().stream(),
                                        encoded(target.tokenizer(), text, false).stream())
                                .toList();
        return new EncodedPrompt(begun, encoded(target.tokenizer(), source, true));
    }

    private static List<Integer> encoded(Tokenizer tokenizer, String text, boolean special) {
        return Arrays.stream(tokenizer.encode(text, special)).boxed().toList();
    }

    /// The prompt as an array that the caller owns.
    public int[] array() {
        return ids.stream().mapToInt(Integer::intValue).toArray();
    }
}
