package dev.outrider.experiment.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Revision of the checkout that runs.
///
/// @param revision commit id, or `unknown` where there is no git or no checkout
/// @param dirty    whether files differ from the commit; false if unknown
public record GitState(String revision, boolean dirty) {
    private static final int PATIENCE_SECONDS = 10;

    /// Ask git about the checkout that holds a directory.
    public static GitState of(Path directory) {
        Optional<String> revision = git(directory, "rev-parse", "HEAD");
        if (revision.isEmpty()) {
            return new GitState("unknown", false);
        }
        boolean dirty =
                git(directory, "status", "--porcelain").map(text -> !text.isEmpty()).orElse(false);
        return new GitState(revision.get(), dirty);
    }

    private static Optional<String> git(Path directory, String... arguments) {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        try {
            Process process =
                    new ProcessBuilder(command)
                            .directory(directory.toFile())
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return ended && process.exitValue() == 0
                    ? Optional.of(output.strip())
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // no git on this machine: provenance says unknown
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
