package dev.outrider.drafter.smallmodel;

import dev.outrider.drafting.CommittedTokens;
import dev.outrider.nn.network.KvCache;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetDescription.SourceReading;
import dev.outrider.spi.target.Tokenizer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// The committed text in the draft model's own tokens. It is encoded again in every round, because a new token of the target may change
/// the tokens of the text before it; the cache keeps the rows of unchanged tokens. Confined to one thread.
///
/// @see "Hugging Face Transformers, universal assisted generation: looks back at the last tokens; here the whole text is compared"
final class ReencodedText {
    private final Tokenizer drafts;
    private final Tokenizer targets;
    private final Optional<SourceReading> sources;
    private int[] cached = new int[0];

    /// The target's tokens of a text that could not be encoded. No text with this prefix is tried again.
    private Optional<int[]> lost = Optional.empty();

    /// @param sources the draft model's reading of sources, if it has one
    ReencodedText(Tokenizer drafts, Tokenizer targets, Optional<SourceReading> sources) {
        this.drafts = drafts;
        this.targets = targets;
        this.sources = sources;
    }

    /// The draft model's tokens of a text; none if it is empty or cannot be encoded.
    int[] encode(int[] targetTokens) {
        if (lost.filter(beginning -> begins(targetTokens, beginning)).isPresent()) {
            return new int[0];
        }
        var ids = encoded(drafts, targets.decode(targetTokens), sources.isEmpty());
        lost = ids.isPresent() ? Optional.empty() : Optional.of(targetTokens);
        return ids.map(text -> sources.map(reading -> begun(reading, text)).orElse(text))
                .orElseGet(() -> new int[0]);
    }

    /// Returns the tokens of a text; empty if it is too long for the tokenizer or has an added token that the tokenizer's model
    /// lacks.
    static Optional<int[]> encoded(Tokenizer tokenizer, String text, boolean addSpecialTokens) {
        try {
            return Optional.of(tokenizer.encode(text, addSpecialTokens));
        } catch (OutriderException e) {
            if (e.code().equals(ErrorCode.TOKEN_OUT_OF_RANGE)
                    || e.code().equals(ErrorCode.CONTEXT_EXCEEDED)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    static boolean begins(int[] tokens, int[] beginning) {
        int different = Arrays.mismatch(tokens, beginning);
        return different < 0 || different == beginning.length;
    }

    private static int[] begun(SourceReading reading, int[] text) {
        var start = reading.start().stream().mapToInt(Integer::intValue);
        return IntStream.concat(start, IntStream.of(text)).toArray();
    }

    /// Returns the draft model's tokens of a source; none if it reads no sources. If a source cannot be encoded, there are no
    /// guesses.
    List<Integer> source(List<Integer> targetTokens) {
        if (sources.isEmpty()) {
            return List.of();
        }
        int[] tokens = targetTokens.stream().mapToInt(Integer::intValue).toArray();
        var ids = encoded(drafts, targets.decode(tokens), true);
        if (ids.isEmpty()) {
            lost = Optional.of(new int[0]);
        }
        return IntStream.of(ids.orElseGet(() -> new int[0])).boxed().toList();
    }

    /// Drops the rows that do not belong to this text any more. The last token's row is always computed again.
    ///
    /// @param ids at least one
    /// @return the ids for [NetworkStepper], which runs the missing ones
    CommittedTokens prepare(KvCache cache, int[] ids) {
        int same = 0;
        int most = Math.min(Math.min(cached.length, cache.length()), ids.length - 1);
        while (same < most && cached[same] == ids[same]) {
            same++;
        }
        cache.truncate(same);
        cached = ids;
        var tokens = new CommittedTokens();
        tokens.append(ids);
        return tokens;
    }
}
