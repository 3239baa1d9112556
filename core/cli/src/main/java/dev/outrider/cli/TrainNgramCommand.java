package dev.outrider.cli;

import dev.outrider.corpus.CorpusGenerator;
import dev.outrider.corpus.Document;
import dev.outrider.corpus.Split;
import dev.outrider.drafter.lookup.ngram.NgramCounts;
import dev.outrider.drafter.lookup.ngram.NgramFile;
import dev.outrider.nn.tokenizer.HfTokenizer;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The command `outrider train ngram`.
@Command(
        name = "ngram",
        description = {
            "Counts tokens and pairs of tokens, for the drafter 'ngram'.",
            "",
            "Counts text files, or the made-up corpus when none is given. A file is one document."
        },
        footer = {
            "  outrider train ngram --tokenizer models/demo-target/tokenizer.json --out ngram.safetensors",
            "  outrider train ngram --tokenizer models/demo-target/tokenizer.json --text book.txt --out"
                    + " ngram.safetensors"
        })
final class TrainNgramCommand implements Callable<Integer> {
    private final Console console;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--tokenizer",
            required = true,
            paramLabel = "FILE",
            description = "The target's tokenizer.json.")
    private Path tokenizer = Path.of(".");

    @Option(
            names = "--out",
            required = true,
            paramLabel = "FILE",
            description = "Where to write the table.")
    private Path out = Path.of(".");

    @Option(
            names = "--text",
            paramLabel = "FILE",
            description = "UTF-8 text to count; can be given more than once.")
    private List<Path> texts = List.of();

    @Option(
            names = "--seed",
            defaultValue = "1",
            description = "Which made-up corpus to count (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--documents",
            defaultValue = "5000",
            description = "How many of its documents (default: ${DEFAULT-VALUE}).")
    private int documents;

    @Option(
            names = "--end-of-text",
            defaultValue = "<|endoftext|>",
            paramLabel = "TOKEN",
            description = "Token that ends a document (default: ${DEFAULT-VALUE}).")
    private String endOfText = "";

    @Inject
    TrainNgramCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        if (documents < 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--documents is %d, expected 1 or more".formatted(documents));
        }
        try (var loaded = HfTokenizer.load(tokenizer);
                var source = source()) {
            var encoder = new TokenizerEncoder(loaded, endOfText);
            var counts =
                    NgramCounts.of(
                            source.map(text -> document(encoder, text)), encoder.vocabularySize());
            new NgramFile(counts, loaded.digest()).write(out, origin());
            long tokens = Arrays.stream(counts.tokens()).sum();
            console.out().printf("%s: %d tokens, %d pairs%n", out, tokens, counts.pairs());
        }
        return ExitCode.OK;
    }

    private Stream<String> source() {
        return texts.isEmpty()
                ? new CorpusGenerator(seed)
                        .documents(Split.TRAIN)
                        .limit(documents)
                        .map(Document::text)
                : texts.stream().map(TrainNgramCommand::read);
    }

    private Map<String, String> origin() {
        return texts.isEmpty()
                ? Map.of(
                        "corpusSeed", Long.toString(seed), "documents", Integer.toString(documents))
                : Map.of("documents", Integer.toString(texts.size()));
    }

    private static int[] document(TokenizerEncoder encoder, String text) {
        int[] ids = encoder.encode(text);
        var ended = Arrays.copyOf(ids, ids.length + 1);
        ended[ids.length] = encoder.endOfText();
        return ended;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw Failures.cannotRead(file, e);
        }
    }
}
