package dev.outrider.cli;

import dev.outrider.common.BoundedFile;
import dev.outrider.demo.corpus.CorpusGenerator;
import dev.outrider.demo.corpus.CorpusGenerator.Split;
import dev.outrider.demo.corpus.Document;
import dev.outrider.nn.tokenizer.BpeTrainer;
import dev.outrider.training.data.DataFormat;
import dev.outrider.training.data.TrainingData;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The command `outrider tokenizer`.
@Command(name = "tokenizer", subcommands = TokenizerCommand.Train.class)
final class TokenizerCommand {
    /// The command `outrider tokenizer train`.
    @Command(name = "train")
    static final class Train implements Callable<Integer> {
        private static final int BYTES = 256;

        private final CommandContext context;

        @Spec private CommandSpec spec = CommandSpec.create();

        @Option(names = "--vocabulary", required = true, paramLabel = "SIZE")
        private int vocabulary;

        @Option(names = "--out", required = true, paramLabel = "FILE")
        private Path out = Path.of(".");

        @Mixin private TextOptions text = new TextOptions();

        @Option(names = "--special", paramLabel = "TOKEN")
        private List<String> special = List.of("<|endoftext|>");

        @Option(names = "--end", paramLabel = "TOKEN")
        private Optional<String> end = Optional.empty();

        Train(CommandContext context) {
            this.context = context;
        }

        @Override
        public Integer call() {
            int least = special.size() + BYTES;
            Options.require(
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
            context.out().printf("%s: %d tokens%n", out, size);
            if (size < vocabulary) {
                context.err()
                        .printf(
                                "The text has no more pairs that occur twice, so there are %d tokens fewer than asked for.%n",
                                vocabulary - size);
            }
            return ExitCode.OK;
        }
    }

    /// Which text a command learns from: files, or the made-up corpus when none is given.
    static final class TextOptions {
        @Option(names = "--text", paramLabel = "FILE")
        private List<Path> files = List.of();

        @Option(names = "--seed", defaultValue = "1")
        private long seed;

        @Option(names = "--documents", defaultValue = "5000")
        private int documents;

        @Option(names = "--pairs")
        private boolean pairs;

        /// One text for each document.
        ///
        /// @throws ParameterException if no document is asked for
        /// @throws dev.outrider.spi.error.OutriderException if a file cannot be read, when it is its turn
        Stream<String> texts(CommandSpec spec) {
            Options.require(spec, documents >= 1, "--documents", documents, "1 or more");
            return files.isEmpty()
                    ? corpus().limit(documents)
                    : files.stream().flatMap(TextOptions::read);
        }

        private Stream<String> corpus() {
            return pairs
                    ? new CorpusGenerator(seed)
                            .pairs(Split.TRAIN)
                            .flatMap(pair -> Stream.of(pair.prompt(), pair.continuation()))
                    : new CorpusGenerator(seed).documents(Split.TRAIN).map(Document::text);
        }

        /// Returns the origin of the text, for the written file.
        Map<String, String> origin() {
            return files.isEmpty()
                    ? Map.of(
                            "corpusSeed",
                            Long.toString(seed),
                            "documents",
                            Integer.toString(documents))
                    : Map.of("documents", Integer.toString(files.size()));
        }

        private static Stream<String> read(Path file) {
            if (file.toString().endsWith(".jsonl")) {
                return TrainingData.texts(file, DataFormat.JSONL);
            }
            try {
                return Stream.of(BoundedFile.text(file, BoundedFile.MAX_TEXT_BYTES));
            } catch (IOException e) {
                throw Failures.cannotRead(file, e);
            }
        }
    }
}
