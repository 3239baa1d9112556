package dev.outrider.drafter.smallmodel;

import dev.outrider.drafting.CommittedTokens;
import dev.outrider.nn.network.KvCache;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetDescription.SourceReading;
import dev.outrider.spi.target.Tokenizer;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// The committed text in the draft model's own tokens. It is encoded again every round, because a token of the target may change
/// how the text before it is cut; the cache keeps the rows of the tokens that stay. Confined to one thread.
///
/// @see "Hugging Face Transformers, universal assisted generation: looks back at the last tokens; here the whole text is compared"
final class ReencodedText {
    private final Tokenizer drafts;
    private final Tokenizer targets;
    private final Optional<SourceReading> sources;
    private int[] cached = new int[0];

    /// @param sources how the draft model reads sources, if it does
    ReencodedText(Tokenizer drafts, Tokenizer targets, Optional<SourceReading> sources) {
        this.drafts = drafts;
        this.targets = targets;
        this.sources = sources;
    }

    /// The draft model's tokens of a text; may be none.
    int[] encode(int[] targetTokens) {
        var text = targets.decode(targetTokens);
        return orNone(() ->
                sources.map(reading -> begun(reading, drafts.encode(text, false)))
                        .orElseGet(() -> drafts.encode(text, true)));
    }

    /// Returns the tokens of a text; none if one of them is an added token that the tokenizer's model lacks.
    static int[] orNone(Supplier<int[]> encoding) {
        try {
            return encoding.get();
        } catch (OutriderException e) {
            if (e.code().equals(ErrorCode.TOKEN_OUT_OF_RANGE)) {
                return new int[0];
            }
            throw e;
        }
    }

    private static int[] begun(SourceReading reading, int[] text) {
        var start = reading.start().stream().mapToInt(Integer::intValue);
        return IntStream.concat(start, IntStream.of(text)).toArray();
    }

    /// The draft model's tokens of a source.
    List<Integer> source(List<Integer> targetTokens) {
        int[] tokens = targetTokens.stream().mapToInt(Integer::intValue).toArray();
        return IntStream.of(drafts.encode(targets.decode(tokens), true)).boxed().toList();
    }

    /// Drops the rows that do not belong to this text any more. The last token's row is always computed again.
    ///
    /// @param ids at least one
    /// @return the ids for [NetworkStepper], which feeds those that are missing
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
