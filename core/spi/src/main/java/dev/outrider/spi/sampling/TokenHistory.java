package dev.outrider.spi.sampling;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// The tokens before a position: the committed sequence and, in a draft, the path from the root to a node.
/// History-dependent processors read it.
///
/// A view: it is valid until the sequence grows. Confined to one thread.
///
/// @param committed committed tokens; only the first `length` count
/// @param length    number of committed tokens, the root included
/// @param path      draft tokens from the root, exclusive, to the node; may be empty
/// @param prompt    number of committed tokens that are the prompt's; 0 if that is not known
@API(status = Status.STABLE, since = "2")
public record TokenHistory(int[] committed, int length, int[] path, int prompt) {
    private static final TokenHistory EMPTY = new TokenHistory(new int[0], 0, new int[0]);

    /// Checks the lengths.
    public TokenHistory {
        if (length < 0 || length > committed.length) {
            throw new IllegalArgumentException(
                    "length %d is not between 0 and %d".formatted(length, committed.length));
        }
        if (prompt < 0 || prompt > length) {
            throw new IllegalArgumentException(
                    "prompt %d is not between 0 and the length %d".formatted(prompt, length));
        }
    }

    /// A history with an unknown prompt length.
    ///
    /// @param committed committed tokens; only the first `length` count
    /// @param length    number of committed tokens, the root included
    /// @param path      draft tokens after the root on the way to the node
    public TokenHistory(int[] committed, int length, int[] path) {
        this(committed, length, path, 0);
    }

    /// {@return no tokens}
    public static TokenHistory empty() {
        return EMPTY;
    }

    /// {@return a committed sequence without draft tokens}
    ///
    /// @param committed the tokens, not copied
    public static TokenHistory of(int... committed) {
        return new TokenHistory(committed, committed.length, new int[0]);
    }

    /// {@return the same sequence, then a draft path}
    ///
    /// @param draftTokens tokens of the path, the root left out
    public TokenHistory followedBy(int... draftTokens) {
        return new TokenHistory(committed, length, draftTokens, prompt);
    }

    /// {@return the tokens after the prompt, those of the path last}
    public IntStream written() {
        return IntStream.concat(Arrays.stream(committed, prompt, length), Arrays.stream(path));
    }

    /// {@return the distinct tokens, as a set of ids}
    public BitSet distinct() {
        var tokens = new BitSet();
        Arrays.stream(committed, 0, length).forEach(tokens::set);
        Arrays.stream(path).forEach(tokens::set);
        return tokens;
    }
}
