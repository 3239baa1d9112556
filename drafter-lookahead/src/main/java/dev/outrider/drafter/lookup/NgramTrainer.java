package dev.outrider.drafter.lookup;

import dev.outrider.common.BoundedFile;
import dev.outrider.common.NamedService;
import dev.outrider.common.Require;
import dev.outrider.drafter.lookup.NgramFile.NgramCounts;
import dev.outrider.nn.tokenizer.HfTokenizer;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.training.TextEncoder;
import dev.outrider.training.TextEncoder.TokenizerEncoder;
import dev.outrider.training.TrainerFactory;
import dev.outrider.training.TrainingContext;
import dev.outrider.training.data.Document;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Counts `ngram`. Thread-safe.
public final class NgramTrainer extends NamedService<NgramTrainer.NgramTraining>
        implements TrainerFactory<NgramTrainer.NgramTraining> {
    /// Creates the service.
    public NgramTrainer() {
        super(
                "ngram",
                NgramTraining.class,
                "Counts tokens and pairs of tokens, for the drafter 'ngram'.",
                "Counts text files, or the made-up corpus when none is given: its documents, or the answers of its pairs. A file is one document.",
                "train ngram --tokenizer models/demo-target/tokenizer.json --out ngram.safetensors",
                "train ngram --tokenizer models/demo-target/tokenizer.json --text book.txt --out ngram.safetensors",
                "train ngram --tokenizer models/demo-t5-target/tokenizer.json --pairs true --end-of-text '</s>' --out ngram.safetensors");
    }

    @Override
    public boolean resumes() {
        return false;
    }

    @Override
    public Optional<String> train(NgramTraining config, TrainingContext context) {
        try (var tokenizer = HfTokenizer.load(config.tokenizer());
                var texts = texts(config, context)) {
            var encoder = new TokenizerEncoder(tokenizer, config.endOfText());
            var counts =
                    NgramCounts.of(
                            texts.map(text -> document(encoder, text)), encoder.vocabularySize());
            new NgramFile(counts, tokenizer.digest()).write(config.out(), config.origin());
            long tokens = Arrays.stream(counts.tokens()).sum();
            return Optional.of(
                    "%s: %d tokens, %d pairs".formatted(config.out(), tokens, counts.pairs()));
        }
    }

    private static Stream<String> texts(NgramTraining config, TrainingContext context) {
        if (!config.text().isEmpty()) {
            return config.text().stream().map(BoundedFile::whole);
        }
        var all =
                config.pairs()
                        ? context.trainingPairs(config.seed())
                                .open()
                                .map(Document.Completion.class::cast)
                                .map(Document.Completion::completion)
                        : context.training(config.seed())
                                .open()
                                .map(Document.Text.class::cast)
                                .map(Document.Text::text);
        return all.limit(config.documents());
    }

    private static int[] document(TextEncoder encoder, String text) {
        int[] ids = encoder.encode(text);
        var ended = Arrays.copyOf(ids, ids.length + 1);
        ended[ids.length] = encoder.endOfText();
        return ended;
    }

    /// Configuration of `outrider train ngram`.
    public record NgramTraining(
            @Doc("The target's tokenizer.json.") Path tokenizer,
            @Doc("File for the table.") Path out,
            @Doc("UTF-8 texts to count, a document each; the made-up corpus when there are none.")
                    @Default("[]")
                    List<Path> text,
            @Doc(
                            "Whether to count the answers of the made-up corpus's pairs instead of its documents: what an encoder-decoder writes.")
                    @Default("false")
                    boolean pairs,
            @Doc("Which made-up corpus to count.") @Default("1") long seed,
            @Doc("How many of its documents, at least 1.") @Default("5000") int documents,
            @Doc("Token that ends a document.") @Default("<|endoftext|>") String endOfText) {
        public NgramTraining {
            text = List.copyOf(text);
            Require.that(
                    !pairs || text.isEmpty(),
                    "pairs is true, but text names files; expected one of both");
            Require.atLeast("documents", documents, 1);
        }

        /// Returns the origin of the text, for the written file.
        Map<String, String> origin() {
            return text.isEmpty()
                    ? Map.of(
                            "corpusSeed",
                            Long.toString(seed),
                            pairs ? "answers" : "documents",
                            Integer.toString(documents))
                    : Map.of("documents", Integer.toString(text.size()));
        }
    }
}
