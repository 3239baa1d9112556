package dev.outrider.cli;

import dev.outrider.drafter.lookup.ngram.NgramCounts;
import dev.outrider.drafter.lookup.ngram.NgramFile;
import dev.outrider.nn.tokenizer.HfTokenizer;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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

    @Mixin private TextOptions text = new TextOptions();

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
        try (var loaded = HfTokenizer.load(tokenizer);
                var source = text.texts(spec)) {
            var encoder = new TokenizerEncoder(loaded, endOfText);
            var counts =
                    NgramCounts.of(
                            source.map(document -> document(encoder, document)),
                            encoder.vocabularySize());
            new NgramFile(counts, loaded.digest()).write(out, text.origin());
            long tokens = Arrays.stream(counts.tokens()).sum();
            console.out().printf("%s: %d tokens, %d pairs%n", out, tokens, counts.pairs());
        }
        return ExitCode.OK;
    }

    private static int[] document(TokenizerEncoder encoder, String text) {
        int[] ids = encoder.encode(text);
        var ended = Arrays.copyOf(ids, ids.length + 1);
        ended[ids.length] = encoder.endOfText();
        return ended;
    }
}
