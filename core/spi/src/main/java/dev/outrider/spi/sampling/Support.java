package dev.outrider.spi.sampling;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// The tokens that a distribution gives positive probability, in rising order. After truncation they are few, and loops over them cost
/// much less than loops over the vocabulary.
///
/// Confined to one thread.
@API(status = Status.STABLE, since = "2")
public interface Support {
    /// {@return number of tokens}
    int size();

    /// {@return the `index`-th token}
    ///
    /// @param index `0 <= index < size()`
    int token(int index);

    /// {@return a copy that keeps these tokens when this object changes}
    default Support copy() {
        return mapped(token -> token);
    }

    /// {@return a copy in which every token has another id}
    ///
    /// @param ids strictly rising, like the tokens
    default Support mapped(IntUnaryOperator ids) {
        return ofTokens(
                IntStream.range(0, size()).map(index -> ids.applyAsInt(token(index))).toArray());
    }

    /// {@return the support of a distribution}
    ///
    /// @param distribution shape `[V]`
    static Support of(double[] distribution) {
        var tokens = new int[64];
        int size = 0;
        for (int token = 0; token < distribution.length; token++) {
            if (distribution[token] > 0) {
                if (size == tokens.length) {
                    tokens = Arrays.copyOf(tokens, 2 * size);
                }
                tokens[size++] = token;
            }
        }
        return ofTokens(Arrays.copyOf(tokens, size));
    }

    private static Support ofTokens(int[] tokens) {
        return new Support() {
            @Override
            public int size() {
                return tokens.length;
            }

            @Override
            public int token(int index) {
                return tokens[index];
            }
        };
    }
}
