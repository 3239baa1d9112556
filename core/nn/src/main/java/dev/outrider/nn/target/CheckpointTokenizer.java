package dev.outrider.nn.target;

import dev.outrider.common.Undo;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.shape.ShapedCheckpoint;
import dev.outrider.nn.tokenizer.HfTokenizer;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.List;
import java.util.stream.IntStream;

/// The tokenizer of a checkpoint, after checks that it is that of its model, as far as these are possible. With another tokenizer
/// the text would silently be read as other words.
public final class CheckpointTokenizer {
    /// Most unused rows of a model: models have more rows than pieces, so that the number is round: gpt-oss has 1 unused row of
    /// 188, Pythia 1 of 123.
    private static final int SPARE_ROWS = 16;

    private static final int FEW_ROWS = 64;

    /// Fine-tuned models and Gemma 3 have a few added tokens without a row.
    private static final int FEW_ADDED = 64;

    private CheckpointTokenizer() {}

    /// Loads it. The caller closes it.
    ///
    /// @throws OutriderException `TOKENIZER_MISMATCH`, or as [HfTokenizer#load]
    public static HfTokenizer load(Checkpoint directory, ModelConfig model) {
        var tokenizer = HfTokenizer.load(directory.path());
        return Undo.onFailure(
                tokenizer::close,
                () -> {
                    var name = directory.path().toString();
                    if (!ShapedCheckpoint.is(directory)) {
                        requireSize(name, tokenizer, model.decoder().vocabularySize());
                    }
                    requireEnds(name, tokenizer, model.endOfSequence());
                    return tokenizer.limitedTo(model.decoder().vocabularySize());
                });
    }

    private static void requireSize(String name, HfTokenizer tokenizer, int rows) {
        int spare = Math.max(FEW_ROWS, rows / SPARE_ROWS);
        int pieces = tokenizer.pieces();
        int end = tokenizer.vocabularySize();
        boolean known =
                end <= rows + FEW_ADDED
                        && IntStream.range(Math.min(rows, end), end).allMatch(tokenizer::isAdded);
        if (!known || rows - pieces > spare) {
            throw mismatch(
                    "the tokenizer of '%s' has %d pieces with ids up to %d, but its model has %d tokens; expected at most %d more, or fewer by at most %d added tokens"
                            .formatted(name, pieces, end - 1, rows, spare, FEW_ADDED));
        }
    }

    private static void requireEnds(String name, HfTokenizer tokenizer, List<Integer> ends) {
        for (int id : ends) {
            if (!tokenizer.isPiece(id) || tokenizer.hasAddedTokens() && !tokenizer.isAdded(id)) {
                throw mismatch(
                        "the model of '%s' ends with the id %d, but its tokenizer has there %s; expected one of its added tokens"
                                .formatted(
                                        name,
                                        id,
                                        tokenizer.isPiece(id)
                                                ? "the piece '" + tokenizer.piece(id) + "'"
                                                : "nothing"));
            }
        }
    }

    private static OutriderException mismatch(String problem) {
        return ErrorCode.TOKENIZER_MISMATCH.error(
                problem, "Use the tokenizer.json and the config.json that came with the weights.");
    }
}
