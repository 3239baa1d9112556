package dev.outrider.cli;

import dev.outrider.common.BoundedFile;
import dev.outrider.common.FailureReason;
import dev.outrider.demo.corpus.CorpusGenerator;
import dev.outrider.demo.corpus.CorpusGenerator.Split;
import dev.outrider.demo.corpus.Document;
import dev.outrider.nn.tokenizer.BpeTrainer;
import dev.outrider.training.data.DataFormat;
import dev.outrider.training.data.TrainingData;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The command `outrider tokenizer`.
@Command(name = "tokenizer", subcommands = TokenizerCommand.Train.class)
final class TokenizerCommand {
    /// The command `outrider tokenizer train`.
    @Command(name = "train")
    static final class Train extends Subcommand {
        private static final int BYTES = 256;

        @Option(names = "--vocabulary", required = true, paramLabel = "SIZE")
        private int vocabulary;

        @Option(names = "--out", required = true, paramLabel = "FILE")
        private Path out = Path.of(".");

        @Option(names = "--text", paramLabel = "FILE")
        private List<Path> files = List.of();

        @Option(names = "--seed", defaultValue = "1")
        private long seed;

        @Option(names = "--documents", defaultValue = "5000")
        private int documents;

        @Option(names = "--pairs")
        private boolean pairs;

        @Option(names = "--special", paramLabel = "TOKEN")
        private List<String> special = List.of("<|endoftext|>");

        @Option(names = "--end", paramLabel = "TOKEN")
        private Optional<String> end = Optional.empty();

        @Override
        public Integer call() {
            int least = special.size() + BYTES;
            require(vocabulary >= least, "--vocabulary", vocabulary, "at least " + least);
            if (end.isPresent() && !special.contains(end.get())) {
                throw wrong(
                        "--end '%s' is none of the special tokens %s; give it as --special too"
                                .formatted(end.get(), special));
            }
            var trainer = new BpeTrainer();
            try (var texts = texts()) {
                texts.forEach(trainer::add);
            }
            var plain = trainer.train(vocabulary, special);
            var learnt = end.map(plain::endingWith).orElse(plain);
            FailureReason.writing("the file", out, () -> learnt.write(out));
            int size = learnt.symbols().size();
            out().printf("%s: %d tokens%n", out, size);
            if (size < vocabulary) {
                err().printf(
                                "The text has no more pairs that occur twice, so there are %d tokens fewer than asked for.%n",
                                vocabulary - size);
            }
            return ExitCode.OK;
        }

        /// Returns one text for each document: of the files, or of the generated corpus if none is given.
        private Stream<String> texts() {
            require(documents >= 1, "--documents", documents, "1 or more");
            return files.isEmpty()
                    ? corpus().limit(documents)
                    : files.stream().flatMap(Train::read);
        }

        private Stream<String> corpus() {
            return pairs
                    ? new CorpusGenerator(seed)
                            .pairs(Split.TRAIN)
                            .flatMap(pair -> Stream.of(pair.prompt(), pair.continuation()))
                    : new CorpusGenerator(seed).documents(Split.TRAIN).map(Document::text);
        }

        private static Stream<String> read(Path file) {
            return file.toString().endsWith(".jsonl")
                    ? TrainingData.texts(file, DataFormat.JSONL)
                    : Stream.of(BoundedFile.whole(file));
        }
    }
}
