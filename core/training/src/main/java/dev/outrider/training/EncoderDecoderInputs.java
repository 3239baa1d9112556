package dev.outrider.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// What `encoder-decoder.torchscript` reads of a batch of pairs, as [PairPacker] lays them.
///
/// @param sourceTokens columns of a row that have the source
/// @param pad          fills rows up, and begins what the decoder reads
record EncoderDecoderInputs(int sourceTokens, int pad) {
    /// Added to the score of what may not be seen.
    private static final float UNSEEN = -1e9f;

    /// Inputs of the program: sources, `[B, S]`; what is added to scores of them, `[B, 1, 1, S]`; the start and the answers without their
    /// last tokens, `[B, T]`; which of these B*T are no padding, `[n]`; and the tokens to predict there, `[n]`. S and T are the
    /// longest of the batch.
    List<NDArray> of(TokenRows rows, PtNDManager manager) {
        var sources = trimmed(rows.columns(0, sourceTokens));
        var answers = trimmed(rows.columns(sourceTokens, rows.width()));
        var mask = new float[sources.tokens().length];
        for (int i = 0; i < mask.length; i++) {
            mask[i] = sources.tokens()[i] == pad ? UNSEEN : 0;
        }
        long[] live =
                IntStream.range(0, answers.tokens().length)
                        .filter(i -> answers.tokens()[i] != pad)
                        .asLongStream()
                        .toArray();
        var labels = new long[live.length];
        for (int i = 0; i < live.length; i++) {
            labels[i] = answers.tokens()[(int) live[i]];
        }
        return new ArrayList<>(
                List.of(
                        sources.array(manager),
                        manager.create(mask, new Shape(rows.rows(), 1, 1, sources.width())),
                        started(answers).array(manager),
                        manager.create(live),
                        manager.create(labels)));
    }

    /// How many tokens a batch predicts.
    long predicted(TokenRows rows) {
        var answers = rows.columns(sourceTokens, rows.width());
        return rows.rows() * (long) answers.width() - padding(answers);
    }

    /// Constants of the program: buckets of the encoder's distances and of the decoder's, `[P, P]`, and what is added to scores of later
    /// tokens, `[P, P]`.
    static List<NDArray> constants(EncoderDecoderShape shape, int positions, PtNDManager manager) {
        var square = new Shape(positions, positions);
        var ahead = new float[positions * positions];
        for (int row = 0; row < positions; row++) {
            for (int column = row + 1; column < positions; column++) {
                ahead[row * positions + column] = UNSEEN;
            }
        }
        return List.of(
                manager.create(buckets(shape, positions, true), square),
                manager.create(buckets(shape, positions, false), square),
                manager.create(ahead, square));
    }

    private static long[] buckets(EncoderDecoderShape shape, int positions, boolean bothSides) {
        var buckets = new long[positions * positions];
        for (int row = 0; row < positions; row++) {
            for (int column = 0; column < positions; column++) {
                buckets[row * positions + column] =
                        shape.positions().bucket(column - row, bothSides);
            }
        }
        return buckets;
    }

    /// Every answer one place later, behind the start.
    private TokenRows started(TokenRows answers) {
        int width = answers.width();
        var tokens = new long[answers.tokens().length];
        for (int row = 0; row < answers.rows(); row++) {
            tokens[row * width] = pad;
            System.arraycopy(answers.tokens(), row * width, tokens, row * width + 1, width - 1);
        }
        return new TokenRows(tokens, answers.rows());
    }

    private TokenRows trimmed(TokenRows rows) {
        int width = 1;
        for (int i = 0; i < rows.tokens().length; i++) {
            if (rows.tokens()[i] != pad) {
                width = Math.max(width, i % rows.width() + 1);
            }
        }
        return rows.columns(0, width);
    }

    private long padding(TokenRows rows) {
        return Arrays.stream(rows.tokens()).filter(token -> token == pad).count();
    }
}
