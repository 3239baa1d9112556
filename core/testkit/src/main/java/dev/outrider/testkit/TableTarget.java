package dev.outrider.testkit;

import dev.outrider.engine.decode.RequestLimits;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetDescription.SourceReading;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.target.Tokenizer;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A target whose distribution is a [TableModel]: the real decode loop runs over it. It has no hidden states. One that reads
/// sources says after a text what the table says after source and text ([TableModel#after]).
///
/// @param model         the table
/// @param maxPositions  longest sequence
/// @param endOfSequence tokens that end a sequence
/// @param sources       how it reads sources, if it does
public record TableTarget(
        TableModel model,
        int maxPositions,
        Set<Integer> endOfSequence,
        Optional<SourceReading> sources)
        implements TargetModel {
    private static final int AMPLE = 256;

    /// Copies the tokens.
    public TableTarget {
        endOfSequence = Set.copyOf(endOfSequence);
    }

    /// A target that reads no sources.
    ///
    /// @param model         the table
    /// @param maxPositions  longest sequence
    /// @param endOfSequence tokens that end a sequence
    public TableTarget(TableModel model, int maxPositions, Set<Integer> endOfSequence) {
        this(model, maxPositions, endOfSequence, Optional.empty());
    }

    /// {@return a target that reads sources as an encoder-decoder does, with ample positions and no end-of-sequence token}
    ///
    /// @param model the table, of source and text as one prefix
    public static TableTarget reading(TableModel model) {
        return new TableTarget(
                model, AMPLE, Set.of(), Optional.of(new SourceReading(AMPLE, List.of(0))));
    }

    /// {@return a target with ample positions and no end-of-sequence token}
    ///
    /// @param model the table
    public static TableTarget of(TableModel model) {
        return new TableTarget(model, AMPLE, Set.of());
    }

    @Override
    public TargetDescription description() {
        return new TargetDescription(
                "table",
                "table",
                model.vocabulary(),
                1,
                1,
                maxPositions,
                0,
                endOfSequence,
                "00",
                sources);
    }

    @Override
    public Tokenizer tokenizer() {
        return new LetterTokenizer(model.vocabulary());
    }

    @Override
    public TargetSession open(SessionRequest request) {
        if (request.capacity() > maxPositions) {
            throw new OutriderException(
                    ErrorCode.CONTEXT_EXCEEDED,
                    "capacity %d exceeds the %d positions of target 'table'"
                            .formatted(request.capacity(), maxPositions),
                    "Ask for fewer positions.");
        }
        if (!request.hiddenStates().isEmpty()) {
            throw new OutriderException(
                    ErrorCode.CAPABILITY_MISSING,
                    "target 'table' has no hidden states, but %s were asked for"
                            .formatted(request.hiddenStates()),
                    "Choose a drafter that needs none.");
        }
        RequestLimits.requireSource(description(), request.source());
        return new TableSession(model.after(request.source()), request.capacity());
    }

    @Override
    public List<TargetScores> scoreAll(List<ScoreRequest> requests) {
        return requests.stream().map(request -> request.session().score(request.tree())).toList();
    }

    @Override
    public <T> Optional<T> capability(Class<T> type) {
        return Optional.empty();
    }

    @Override
    public void close() {}
}
