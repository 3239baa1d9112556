package dev.outrider.drafter.smallmodel;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.Tokenizer;
import java.nio.file.Path;
import java.util.stream.IntStream;

/// Checks that a draft checkpoint has its target's tokenizer.
final class SameVocabulary {
    private static final int DIGEST_SHOWN = 12;

    private SameVocabulary() {}

    /// @param drafter name of the drafter, for messages
    /// @param path    of the checkpoint
    /// @param otherwise another remedy, for messages
    /// @throws OutriderException `DRAFTER_VOCABULARY_MISMATCH` if it has another vocabulary, or fewer embeddings than that
    static void require(
            String drafter, Path path, DraftModel model, TargetModel target, String otherwise) {
        var drafts = model.tokenizer();
        var targets = target.tokenizer();
        if (!drafts.digest().equals(targets.digest()) && !samePieces(drafts, targets)) {
            throw ErrorCode.DRAFTER_VOCABULARY_MISMATCH.error(
                    "drafter '%s' at %s has the tokenizer %s, but target '%s' has %s."
                            .formatted(
                                    drafter,
                                    path,
                                    shown(drafts),
                                    target.description().name(),
                                    shown(targets)),
                    "Choose a draft checkpoint that was trained with the target's tokenizer; its tokenizer.json must"
                            + " have the same vocabulary and merges. "
                            + otherwise);
        }
        if (model.vocabularySize() < drafts.vocabularySize()) {
            throw ErrorCode.DRAFTER_VOCABULARY_MISMATCH.error(
                    "drafter '%s' at %s has %d embeddings, but its tokenizer has %d ids."
                            .formatted(
                                    drafter, path, model.vocabularySize(), drafts.vocabularySize()),
                    "Choose a checkpoint whose vocab_size in config.json covers every id of its tokenizer.json.");
        }
    }

    /// Returns whether every id is the same piece: files of two formats express the same vocabulary in different ways.
    private static boolean samePieces(Tokenizer drafts, Tokenizer targets) {
        int size = targets.vocabularySize();
        return drafts.vocabularySize() == size
                && IntStream.range(0, size)
                        .allMatch(id -> drafts.piece(id).equals(targets.piece(id)));
    }

    private static String shown(Tokenizer tokenizer) {
        var digest = tokenizer.digest();
        return "%s (%d ids)"
                .formatted(
                        digest.substring(0, Math.min(DIGEST_SHOWN, digest.length())),
                        tokenizer.vocabularySize());
    }
}
