package dev.outrider.experiment.results;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;

/// The provenance of numbers.
///
/// @param startedAt    when the run began, ISO 8601, UTC
/// @param git          the checkout
/// @param configHash   SHA-256 of the effective configuration
/// @param models       digest of each model by role and name
/// @param revisions    commit of each model that was given by its name on a hub; empty if none was
/// @param machine      the program's environment
/// @param seed         seed of the run
/// @param warmup       warm-up generations of each variant, which are not measured
/// @param repetitions  measured generations of each variant and prompt
/// @param prompts      prompts of the experiment
/// @param timed        the scope of the times
/// @param sources      the inputs of an encoder-decoder's encoder and decoder
public record Provenance(
        String startedAt,
        GitState git,
        String configHash,
        SortedMap<String, String> models,
        Optional<SortedMap<String, String>> revisions,
        Machine machine,
        long seed,
        int warmup,
        int repetitions,
        int prompts,
        String timed,
        Optional<String> sources) {
    /// The scope of the times of every comparison.
    public static final String WHOLE_GENERATION =
            "whole generations by the wall clock: opening sessions, prefill of target and drafter, every round";

    /// The scope of the times of a comparison whose target reads prompts for all variants.
    public static final String SHARED_PROMPTS =
            WHOLE_GENERATION
                    + "; the target reads a prompt that it can keep once for all variants, and that time is part of each of its generations";

    /// Texts that an encoder-decoder read as its sources.
    public static final String TEXTS_AS_SOURCES =
            "the only text of every prompt, which the encoder reads; the decoder begins with its start tokens alone";

    /// Prompts that have sources.
    public static final String SOURCES_OF_PROMPTS =
            "sources of the prompts' own, which the encoder reads; the decoder continues their texts";

    /// The machine of a run.
    ///
    /// @param jvm     vendor, version and flags that matter
    /// @param engines version of each library that computes
    /// @param device  processor or accelerator
    /// @param threads threads of the tensor engine
    public record Machine(
            String jvm, SortedMap<String, String> engines, String device, int threads) {}

    /// Revision of the checkout that runs.
    ///
    /// @param revision commit id, or `unknown` where there is no git or no checkout
    /// @param dirty    whether files of the commit differ from it; false if unknown
    public record GitState(String revision, boolean dirty) {
        private static final int PATIENCE_SECONDS = 10;

        /// Returns the revision in the words of reports.
        public String shown() {
            return revision + (dirty ? " with uncommitted changes" : "");
        }

        /// Asks git about the checkout that contains a directory.
        public static GitState of(Path directory) {
            Optional<String> revision = git(directory, "rev-parse", "HEAD");
            if (revision.isEmpty()) {
                return new GitState("unknown", false);
            }
            boolean dirty =
                    git(directory, "status", "--porcelain", "--untracked-files=no")
                            .map(text -> !text.isEmpty())
                            .orElse(false);
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
}
