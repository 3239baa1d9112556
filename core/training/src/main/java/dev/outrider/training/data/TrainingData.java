package dev.outrider.training.data;

import dev.outrider.spi.error.OutriderException;
import dev.outrider.training.data.DataConfig.Split;
import dev.outrider.training.data.DataSourceConfig.RecordKind;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The data of a configuration: documents to learn and documents of the validation. Thread-safe.
public final class TrainingData {
    private final DataConfig config;
    private final List<DataSource> sources;
    private final String facts;

    private TrainingData(DataConfig config) {
        this.config = config;
        sources = config.sources().stream().map(DataSource::new).toList();
        facts =
                "seed %d, validation %s: %s"
                        .formatted(
                                config.seed(),
                                config.validation(),
                                sources.stream()
                                        .map(DataSource::facts)
                                        .collect(Collectors.joining("; ")));
    }

    /// Finds the files and reads them once, for their hash.
    ///
    /// @throws OutriderException `CONFIG_INVALID` if a file is not there or its format is not known, `IO_FAILED` if one cannot be
    ///                           read
    public static TrainingData open(DataConfig config) {
        return new TrainingData(config);
    }

    /// Returns seed, weights and hashes of all files: data with the same facts give the same documents in the same order.
    public String facts() {
        return facts;
    }

    /// Documents to learn, without end; always the same in the same order. Confined; throws [OutriderException] `DATA_INVALID` if
    /// a file breaks its format, `IO_FAILED` if one cannot be read.
    public Stream<Document> training() {
        return mixture(new Split(false, config.validation()));
    }

    /// Returns the documents of the validation, as [#training]. None of them is among those to learn. Texts are cut at the end of a
    /// row, so that a few rows contain many documents.
    public Stream<Document> validation() {
        return mixture(new Split(true, config.validation()))
                .map(document ->
                        document instanceof Document.Text(String text, _)
                                ? new Document.Text(text, Document.Overflow.CUT)
                                : document);
    }

    /// A document, and the part of the data that it belongs to.
    ///
    /// @param source     counts the sources of the configuration from 0
    /// @param validation whether it belongs to the validation; otherwise it is learned
    public record Placed(int source, boolean validation, Document document) {}

    /// Returns every document once, in the order of sources and files. Confined; throws as [#training].
    public Stream<Placed> all() {
        var watched = new Split(true, config.validation());
        return IntStream.range(0, sources.size())
                .boxed()
                .flatMap(source ->
                        sources.get(source)
                                .documents()
                                .map(each -> new Placed(source, watched.has(each), each)));
    }

    /// Returns the texts of a file's documents, each once, in the file's order. Throws as [#open], and as [#training] while they
    /// are read.
    public static Stream<String> texts(Path file, DataFormat format) {
        return new DataSource(
                        new DataSourceConfig(
                                List.of(file),
                                Optional.of(format),
                                Optional.of(RecordKind.TEXT),
                                1))
                .documents()
                .map(Document.Text.class::cast)
                .map(Document.Text::text);
    }

    private Stream<Document> mixture(Split split) {
        return Stream.generate(new Mixture(sources, split, config.seed())::next);
    }
}
