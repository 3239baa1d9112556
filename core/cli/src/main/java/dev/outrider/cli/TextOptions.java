package dev.outrider.cli;

import dev.outrider.common.BoundedFile;
import dev.outrider.demo.corpus.CorpusGenerator;
import dev.outrider.demo.corpus.Document;
import dev.outrider.demo.corpus.PairGenerator;
import dev.outrider.demo.corpus.Split;
import dev.outrider.training.data.DataFormat;
import dev.outrider.training.data.TrainingData;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// Which text a command learns from: files, or the made-up corpus when none is given.
final class TextOptions {
    @Option(
            names = "--text",
            paramLabel = "FILE",
            description =
                    "UTF-8 text to learn from, or a .jsonl file of objects with a string 'text', a document each; can be"
                            + " given more than once.")
    private List<Path> files = List.of();

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
            names = "--pairs",
            description =
                    "Learn from its sources and answers instead, one document each: what encoder-decoders learn from.")
    private boolean pairs;

    /// One text for each document.
    ///
    /// @throws ParameterException if no document is asked for
    /// @throws dev.outrider.spi.error.OutriderException if a file cannot be read, when it is its turn
    Stream<String> texts(CommandSpec spec) {
        OptionValue.require(spec, documents >= 1, "--documents", documents, "1 or more");
        return files.isEmpty()
                ? corpus().limit(documents)
                : files.stream().flatMap(TextOptions::read);
    }

    private Stream<String> corpus() {
        return pairs
                ? new PairGenerator(seed)
                        .pairs(Split.TRAIN)
                        .flatMap(pair -> Stream.of(pair.source(), pair.answer()))
                : new CorpusGenerator(seed).documents(Split.TRAIN).map(Document::text);
    }

    /// Where the text is from, for the file that is made of it.
    Map<String, String> origin() {
        return files.isEmpty()
                ? Map.of(
                        "corpusSeed", Long.toString(seed), "documents", Integer.toString(documents))
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
