package dev.outrider.training;

import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.target.ChatTemplates;
import dev.outrider.nn.tokenizer.HfTokenizer;
import dev.outrider.spi.target.Tokenizer;
import dev.outrider.training.DocumentEncoder.LearnedTokens;
import dev.outrider.training.TextEncoder.TokenizerEncoder;
import dev.outrider.training.data.DataConfig;
import dev.outrider.training.data.Document;
import dev.outrider.training.data.TrainingData;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The data of a trainer's configuration, and how documents become rows.
///
/// @param data      the files
/// @param tokenizer the tokenizer.json
/// @param model     the model whose chat template writes conversations, unless the data name another
/// @param endOfText token that ends a document
/// @param rowTokens tokens of a row
public record DataPlan(
        DataConfig data, Path tokenizer, Path model, String endOfText, int rowTokens) {
    /// Returns the plan of a configuration; empty if it learns from the generated corpus, or not from documents.
    public static Optional<DataPlan> of(Record config) {
        return switch (config) {
            case LanguageModelConfig settings -> settings.data().map(data -> of(data, settings));
            case LanguageModelConfig.Holder holder -> of(holder.decoder());
            case FrozenTargetKeys.Holder settings ->
                    settings.keys().data().map(data -> of(data, settings.keys()));
            default -> Optional.empty();
        };
    }

    private static DataPlan of(DataConfig data, LanguageModelConfig settings) {
        return new DataPlan(
                data,
                settings.tokenizer(),
                folder(settings.tokenizer()),
                settings.endOfText(),
                settings.training().contextTokens() + 1);
    }

    private static DataPlan of(DataConfig data, FrozenTargetKeys settings) {
        return new DataPlan(
                data,
                new Checkpoint(settings.target()).tokenizer(),
                settings.target(),
                settings.endOfText(),
                settings.training().contextTokens() + 1);
    }

    /// Returns the folder of a file.
    static Path folder(Path file) {
        return file.toAbsolutePath().resolveSibling("");
    }

    /// Reads every document once.
    ///
    /// @param samples number of documents of each source whose tokens are kept
    /// @throws dev.outrider.spi.error.OutriderException as [TrainingData#all] and [DocumentEncoder#encode]
    public DataSurvey survey(int samples) {
        try (var read = HfTokenizer.load(tokenizer)) {
            var template = ChatTemplates.of(data.template().orElse(model));
            var encoder = new DocumentEncoder(new TokenizerEncoder(read, endOfText), template);
            var survey = new DataSurvey.Counting(data.sources().size(), rowTokens, samples, read);
            TrainingData.open(data)
                    .all()
                    .forEach(each -> survey.add(each, encoder.encode(each.document())));
            return survey.survey();
        }
    }

    /// The token counts of the data.
    ///
    /// @param counts  for each source, the documents to learn, then those of the validation
    /// @param samples the first documents of each source
    public record DataSurvey(List<Count> counts, List<Sample> samples) {
        public DataSurvey {
            counts = List.copyOf(counts);
            samples = List.copyOf(samples);
        }

        /// A source's documents, those to learn or those of the validation.
        ///
        /// @param source     counts from 0
        /// @param validation whether they are those of the validation
        /// @param documents  number of documents
        /// @param tokens     their tokens, with the ends of the documents
        /// @param learned    tokens that would be learned if rows had room for all
        /// @param cut        documents that are longer than a row and do not continue in the next one
        /// @param lost       learned tokens that are cut off
        /// @param empty      documents without any learned token in a row, which are left out
        public record Count(
                int source,
                boolean validation,
                long documents,
                long tokens,
                long learned,
                long cut,
                long lost,
                long empty) {}

        /// A document as tokens.
        ///
        /// @param source counts from 0
        /// @param runs   its text in pieces that are learned completely or not at all, up to the end of the row
        /// @param cut    whether the row is too short for all of it
        public record Sample(int source, List<Run> runs, boolean cut) {}

        /// A piece of text.
        ///
        /// @param learned whether its tokens are learned
        public record Run(String text, boolean learned) {}

        /// Counts document after document. Confined.
        static final class Counting {
            private static final int COUNTED = 6;

            private final long[][] numbers;
            private final int[] sampled;
            private final int rowTokens;
            private final int most;
            private final Tokenizer tokenizer;
            private final List<Sample> samples = new ArrayList<>();

            /// @param most number of documents of each source that are kept
            Counting(int sources, int rowTokens, int most, Tokenizer tokenizer) {
                numbers = new long[2 * sources][COUNTED];
                sampled = new int[sources];
                this.rowTokens = rowTokens;
                this.most = most;
                this.tokenizer = tokenizer;
            }

            void add(TrainingData.Placed placed, LearnedTokens tokens) {
                boolean whole = placed.document().overflow() == Document.Overflow.GOES_ON;
                int room = whole ? tokens.size() : Math.min(rowTokens, tokens.size());
                int all = tokens.learned(tokens.size());
                int kept = tokens.learned(room);
                long[] count = numbers[2 * placed.source() + (placed.validation() ? 1 : 0)];
                long[] more = {
                    1,
                    tokens.size(),
                    all,
                    room < tokens.size() ? 1 : 0,
                    all - kept,
                    kept == 0 ? 1 : 0
                };
                for (int i = 0; i < COUNTED; i++) {
                    count[i] += more[i];
                }
                if (sampled[placed.source()] < most) {
                    sampled[placed.source()]++;
                    samples.add(
                            new Sample(
                                    placed.source(),
                                    runs(tokens, Math.min(rowTokens, tokens.size())),
                                    room < tokens.size()));
                }
            }

            private List<Run> runs(LearnedTokens tokens, int count) {
                var runs = new ArrayList<Run>();
                int from = 0;
                for (int i = 1; i <= count; i++) {
                    if (i == count || tokens.learned()[i] != tokens.learned()[from]) {
                        var text = tokenizer.decode(Arrays.copyOfRange(tokens.ids(), from, i));
                        runs.add(new Run(text, tokens.learned()[from]));
                        from = i;
                    }
                }
                return runs;
            }

            DataSurvey survey() {
                var counts = new ArrayList<Count>();
                for (int i = 0; i < numbers.length; i++) {
                    long[] n = numbers[i];
                    counts.add(new Count(i / 2, i % 2 == 1, n[0], n[1], n[2], n[3], n[4], n[5]));
                }
                return new DataSurvey(counts, samples);
            }
        }
    }
}
