package dev.outrider.cli;

import dev.outrider.nn.tokenizer.BpeTrainer;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
                "  outrider tokenizer train --vocabulary 4096 --text book.txt --out tokenizer.json",
                "  outrider tokenizer train --vocabulary 1024 --pairs --special '<pad>' --special '</s>' --end '</s>'"
                        + " --out tokenizer.json"
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

        @Mixin private TextOptions text = new TextOptions();

        @Option(
                names = "--special",
                paramLabel = "TOKEN",
                description =
                        "A token that text never becomes; can be given more than once (default:"
                                + " <|endoftext|>).")
        private List<String> special = List.of("<|endoftext|>");

        @Option(
                names = "--end",
                paramLabel = "TOKEN",
                description =
                        "One of them that the tokenizer puts after every text, as those of encoder-decoders do (default: none).")
        private Optional<String> end = Optional.empty();

        @Inject
        Train(Console console) {
            this.console = console;
        }

        @Override
        public Integer call() {
            int least = special.size() + BYTES;
            OptionValue.require(
                    spec, vocabulary >= least, "--vocabulary", vocabulary, "at least " + least);
            if (end.isPresent() && !special.contains(end.get())) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--end '%s' is none of the special tokens %s; give it as --special too"
                                .formatted(end.get(), special));
            }
            var trainer = new BpeTrainer();
            try (var texts = text.texts(spec)) {
                texts.forEach(trainer::add);
            }
            var plain = trainer.train(vocabulary, special);
            var learnt = end.map(plain::endingWith).orElse(plain);
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
    }
}
