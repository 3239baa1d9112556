package dev.outrider.training;

import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Lets a drafter that is being trained take part in writing texts, and says where it drew. Confined to the thread that trains;
/// the trainer closes it.
public interface OnPolicyTexts extends AutoCloseable {
    /// What decides the texts beside the drafter's parameters and the requests, in a line: a run is resumed only where it is the same.
    String facts();

    /// Digest of the target that judges, if one does.
    Optional<String> judge();

    /// Texts that begin with prompts, one for each, each the same whatever stands beside it.
    ///
    /// @param drafter the drafter as the run would finish it now; read while this method runs, gone afterwards
    /// @throws IOException       if a file cannot be read or written
    /// @throws OutriderException for every other expected failure
    List<VisitedText> write(Path drafter, List<Request> requests) throws IOException;

    @Override
    void close();

    /// A text that is wanted.
    ///
    /// @param prompt tokens that it begins with, at least one
    /// @param tokens most tokens of the text, more than the prompt has
    /// @param number names its random numbers
    record Request(int[] prompt, int tokens, long number) {}
}
