package dev.outrider.drafter.smallmodel;

import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.target.Tokenizer;
import dev.outrider.testkit.LetterTokenizer;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A target whose properties are read but which never runs.
///
/// @param tokens     number of ids of its tokenizer
/// @param vocabulary number of its logits
record TokenizerOnlyTarget(int tokens, int vocabulary) implements TargetModel {
    @Override
    public TargetDescription description() {
        return new TargetDescription("letters", "table", vocabulary, 1, 1, 100, 1, Set.of(), "00");
    }

    @Override
    public Tokenizer tokenizer() {
        return new LetterTokenizer(tokens);
    }

    @Override
    public TargetSession open(SessionRequest request) {
        throw new AssertionError("drafters do not open target sessions");
    }

    @Override
    public List<TargetScores> scoreAll(List<ScoreRequest> requests) {
        throw new AssertionError("drafters do not score");
    }

    @Override
    public <T> Optional<T> capability(Class<T> type) {
        return Optional.empty();
    }

    @Override
    public void close() {}
}
