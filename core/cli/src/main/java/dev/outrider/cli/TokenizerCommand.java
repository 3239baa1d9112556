package dev.outrider.cli;

import dev.outrider.corpus.CorpusGenerator;
import dev.outrider.corpus.Document;
import dev.outrider.corpus.Split;
import dev.outrider.nn.tokenizer.BpeTrainer;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The command `outrider tokenizer`.
@Command(
        name = "tokenizer",
        description = "Makes tokenizers.",
        subcommands = TokenizerCommand.Train.class,
        footer = "  outrider tokenizer train --vocabulary 2048 --out tokenizer.json")
final class TokenizerCommand implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Inject
    TokenizerCommand() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing required subcommand: train");
    }

    /// The command `outrider tokenizer train`.
    @Command(
            name = "train",
            description = {
                "Learns a byte-level BPE vocabulary.",
                "",
                "Writes it as a Hugging Face tokenizer.json. Learns from text files, or from the made-up corpus when"
                        + " none is given."
            },
            footer = {
                "  outrider tokenizer train --vocabulary 2048 --out tokenizer.json",
                "  outrider tokenizer train --vocabulary 4096 --text book.txt --out tokenizer.json"
            })
    static final class Train implements Callable<Integer> {
        private static final int BYTES = 256;

        private final Console console;

        @Spec private CommandSpec spec = CommandSpec.create();

        @Option(
                names = "--vocabulary",
                required = true,
                paramLabel = "SIZE",
                description = "Number of tokens, special ones and the 256 bytes included.")
        private int vocabulary;

        @Option(
                names = "--out",
                required = true,
                paramLabel = "FILE",
                description = "Where to write tokenizer.json.")
        private Path out = Path.of(".");

        @Option(
                names = "--text",
                paramLabel = "FILE",
                description = "UTF-8 text to learn from; can be given more than once.")
        private List<Path> texts = List.of();

        @Option(
                names = "--seed",
                defaultValue = "1",
                description = "Which made-up corpus to learn from (default: ${DEFAULT-VALUE}).")
        private long seed;

        @Option(
                names = "--documents",
                defaultValue = "5000",
                description = "How many of its documents (default: ${DEFAULT-VALUE}).")
        private int documents;

        @Option(
                names = "--special",
                paramLabel = "TOKEN",
                description =
                        "A token that text never becomes; can be given more than once (default:"
                                + " <|endoftext|>).")
        private List<String> special = List.of("<|endoftext|>");

        @Inject
        Train(Console console) {
            this.console = console;
        }

        @Override
        public Integer call() {
            int least = special.size() + BYTES;
            require(vocabulary >= least, "--vocabulary", vocabulary, "at least " + least);
            require(documents >= 1, "--documents", documents, "1 or more");
            var trainer = new BpeTrainer();
            if (texts.isEmpty()) {
                new CorpusGenerator(seed)
                        .documents(Split.TRAIN)
                        .limit(documents)
                        .map(Document::text)
                        .forEach(trainer::add);
            }
            texts.forEach(file -> trainer.add(read(file)));
            var learnt = trainer.train(vocabulary, special);
            try {
                learnt.write(out);
            } catch (IOException e) {
                throw Failures.cannotWrite(out, e);
            }
            int size = learnt.symbols().size();
            console.out().printf("%s: %d tokens%n", out, size);
            if (size < vocabulary) {
                console.err()
                        .printf(
                                "The text has no more pairs that occur twice, so there are %d tokens fewer than asked for.%n",
                                vocabulary - size);
            }
            return ExitCode.OK;
        }

        private static String read(Path file) {
            try {
                return Files.readString(file);
            } catch (IOException e) {
                throw Failures.cannotRead(file, e);
            }
        }

        private void require(boolean condition, String option, Object value, String expected) {
            if (!condition) {
                throw new ParameterException(
                        spec.commandLine(),
                        "%s is %s, expected %s".formatted(option, value, expected));
            }
        }
    }
}
