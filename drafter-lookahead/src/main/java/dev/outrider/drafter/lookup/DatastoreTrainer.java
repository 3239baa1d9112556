package dev.outrider.drafter.lookup;

import dev.outrider.common.NamedService;
import dev.outrider.common.Require;
import dev.outrider.nn.target.ChatTemplates;
import dev.outrider.nn.tokenizer.HfTokenizer;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.training.DocumentEncoder;
import dev.outrider.training.TextEncoder.TokenizerEncoder;
import dev.outrider.training.TrainerFactory;
import dev.outrider.training.TrainingContext;
import dev.outrider.training.data.DataConfig;
import dev.outrider.training.data.Document;
import dev.outrider.training.data.TrainingData;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// Writes datastores. Thread-safe.
public final class DatastoreTrainer extends NamedService<DatastoreTrainer.DatastoreTraining>
        implements TrainerFactory<DatastoreTrainer.DatastoreTraining> {
    /// Creates the service.
    public DatastoreTrainer() {
        super(
                "datastore",
                DatastoreTraining.class,
                "Stores text with its suffixes in order, for the drafter 'datastore'.",
                "Eight bytes a token, in chunks that are sorted one by one: any amount of text takes the memory of one chunk.",
                "train datastore --tokenizer models/demo-target/tokenizer.json --out results/datastore",
                "train datastore --config datastore.yaml");
    }

    @Override
    public boolean resumes() {
        return false;
    }

    @Override
    public Optional<String> train(DatastoreTraining config, TrainingContext context) {
        var writer = new DatastoreWriter(config.out(), config.sortedTokens(), config.chunkTokens());
        try (var tokenizer = HfTokenizer.load(config.tokenizer())) {
            var encoder = new TokenizerEncoder(tokenizer, config.endOfText());
            var corpus =
                    config.data()
                            .map(data -> ofFiles(data, config, encoder))
                            .orElseGet(() -> madeUp(config, encoder, context));
            var stored = store(corpus, writer, context.stop());
            if (stored.isEmpty()) {
                return Optional.empty();
            }
            Map<String, String> origin = new HashMap<>(context.provenance());
            origin.putAll(corpus.facts());
            origin.put("documents", Long.toString(stored.getAsLong()));
            writer.finish(tokenizer.digest(), encoder.endOfText(), origin);
            return Optional.of(
                    "%s: %d documents, %d tokens"
                            .formatted(config.out(), stored.getAsLong(), writer.tokens()));
        }
    }

    /// The stored documents, their tokenizer, and their origin.
    private record Corpus(
            Stream<Document> documents, DocumentEncoder encoder, Map<String, String> facts) {}

    private static Corpus ofFiles(
            DataConfig config, DatastoreTraining training, TokenizerEncoder encoder) {
        var data = TrainingData.open(config);
        var beside = training.tokenizer().toAbsolutePath().resolveSibling("");
        var template = ChatTemplates.of(config.template().orElse(beside));
        return new Corpus(
                data.all().filter(each -> !each.validation()).map(TrainingData.Placed::document),
                new DocumentEncoder(encoder, template),
                Map.of("data", data.facts()));
    }

    private static Corpus madeUp(
            DatastoreTraining training, TokenizerEncoder encoder, TrainingContext context) {
        return new Corpus(
                context.training(training.seed()).open().limit(training.documents()),
                new DocumentEncoder(encoder, Optional.empty()),
                Map.of("corpusSeed", Long.toString(training.seed())));
    }

    /// Returns the number of stored documents; nothing if the user stopped it.
    private static OptionalLong store(Corpus corpus, DatastoreWriter writer, BooleanSupplier stop) {
        try (var documents = corpus.documents()) {
            long stored = 0;
            for (var each = documents.iterator(); each.hasNext(); stored++) {
                if (stop.getAsBoolean()) {
                    return OptionalLong.empty();
                }
                writer.add(corpus.encoder().encode(each.next()).ids());
            }
            return OptionalLong.of(stored);
        }
    }

    /// Configuration of `outrider train datastore`.
    public record DatastoreTraining(
            @Doc("The target's tokenizer.json.") Path tokenizer,
            @Doc("Folder for the datastore, new or empty.") Path out,
            @Doc(
                            "Files to store, each document once; what validation keeps back is left out. The made-up corpus when there are none.")
                    Optional<DataConfig> data,
            @Doc("Which made-up corpus to store.") @Default("1") long seed,
            @Doc("How many of its documents, at least 1.") @Default("5000") int documents,
            @Doc("Token that ends a document.") @Default("<|endoftext|>") String endOfText,
            @Doc(
                            "Tokens of a suffix that are sorted, 8 to 1024: the longest match and the deepest draft together.")
                    @Default("32")
                    int sortedTokens,
            @Doc(
                            "Tokens of a chunk, 1024 to 268435456. Making one takes 16 bytes of memory a token, looking up a search in each.")
                    @Default("16777216")
                    int chunkTokens) {
        private static final int MIN_SORTED = 8;
        private static final int MAX_SORTED = 1024;
        private static final int MIN_CHUNK = 1024;
        private static final int MAX_CHUNK = 1 << 28;

        public DatastoreTraining {
            Require.between("documents", documents, 1, Integer.MAX_VALUE);
            Require.between("sortedTokens", sortedTokens, MIN_SORTED, MAX_SORTED);
            Require.between("chunkTokens", chunkTokens, MIN_CHUNK, MAX_CHUNK);
        }
    }
}
