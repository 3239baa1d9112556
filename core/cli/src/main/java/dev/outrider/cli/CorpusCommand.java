package dev.outrider.cli;

import dev.outrider.common.FailureReason;
import dev.outrider.demo.corpus.CorpusFiles;
import dev.outrider.demo.corpus.CorpusGenerator;
import dev.outrider.demo.corpus.CorpusGenerator.Split;
import dev.outrider.demo.corpus.Document;
import dev.outrider.demo.corpus.TaskKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The command `outrider corpus`: writes text to train on and held-out prompts.
@Command(name = "corpus")
final class CorpusCommand extends Subcommand {

    @Option(names = "--out", required = true, paramLabel = "DIR")
    private Path out = Path.of(".");

    @Option(names = "--seed", defaultValue = "1")
    private long seed;

    @Option(names = "--documents", defaultValue = "20000")
    private int documents;

    @Option(names = "--prompts", defaultValue = "16")
    private int prompts;

    @Option(names = "--kinds", split = ",", paramLabel = "KIND")
    private List<TaskKind> kinds = List.of(TaskKind.values());

    @Option(names = "--pairs", defaultValue = "0")
    private int pairs;

    /// Format of training documents.
    enum Format {
        JSONL,
        TEXT
    }

    @Option(names = "--format", defaultValue = "jsonl")
    private Format format = Format.JSONL;

    @Override
    public Integer call() {
        require(documents >= 0, "--documents", documents, "0 or more");
        require(prompts >= 0, "--prompts", prompts, "0 or more");
        require(pairs >= 0, "--pairs", pairs, "0 or more");
        var corpus = new CorpusGenerator(seed);
        if (documents > 0) {
            writeTexts(corpus, Split.TRAIN, documents);
            writeTexts(corpus, Split.VALIDATION, Math.max(1, documents / 20));
        }
        if (prompts > 0) {
            writeHeldOut("held-out.jsonl", "prompts", "prompt", corpus.heldOut(kinds, prompts));
        }
        if (pairs > 0) {
            writeHeldOut("held-out-pairs.jsonl", "pairs", "source", corpus.heldOutPairs(pairs));
        }
        return ExitCode.OK;
    }

    private void writeTexts(CorpusGenerator corpus, Split split, int count) {
        var file = out.resolve(split.label() + (format == Format.TEXT ? ".txt" : ".jsonl"));
        try (var texts = corpus.documents(split).limit(count)) {
            switch (format) {
                case JSONL -> CorpusFiles.writeTexts(file, texts);
                case TEXT -> CorpusFiles.writePlainTexts(file, texts);
            }
        } catch (IOException e) {
            throw FailureReason.writing("the file", file, e);
        }
        out().printf("%s: %d documents%n", file, count);
    }

    private void writeHeldOut(String name, String what, String given, List<Document> heldOut) {
        var file = out.resolve(name);
        FailureReason.writing(
                "the file", file, () -> CorpusFiles.writeHeldOut(file, given, heldOut.stream()));
        out().printf("%s: %d %s%n", file, heldOut.size(), what);
    }
}
