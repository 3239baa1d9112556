package dev.outrider.cli;

import dev.outrider.common.Columns;
import dev.outrider.common.PrintableText;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.training.DataPlan;
import dev.outrider.training.DataPlan.DataSurvey;
import dev.outrider.training.TrainerFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `outrider data`.
@Command(
        name = "data",
        subcommands = {DataCommand.Show.class, DataRegenerateCommand.class})
final class DataCommand {
    /// The command `outrider data show`.
    @Command(name = "show")
    static final class Show extends Subcommand {
        private static final String GREEN = "\u001b[32m";
        private static final String RESET = "\u001b[0m";
        private static final int MAX_SAMPLES = 100;

        @Parameters(paramLabel = "CONFIG")
        private Path config = Path.of("");

        @Mixin private Options.SetOption set = new Options.SetOption();

        @Option(names = "--trainer", paramLabel = "NAME")
        private Optional<String> trainer = Optional.empty();

        @Option(names = "--samples", defaultValue = "1", paramLabel = "N")
        private int samples;

        @Override
        public Integer call() {
            require(
                    samples >= 0 && samples <= MAX_SAMPLES,
                    "--samples",
                    samples,
                    "0 to %d".formatted(MAX_SAMPLES));
            var plan =
                    DataPlan.of(read())
                            .orElseThrow(() ->
                                    ErrorCode.CONFIG_INVALID.error(
                                            "'%s' has no documents to show".formatted(config),
                                            "Give it a section 'data'; encoder-decoders learn from pairs, which this does not show."));
            var survey = plan.survey(samples);
            out().print(table(survey));
            survey.samples().forEach(this::show);
            return ExitCode.OK;
        }

        private Record read() {
            if (trainer.isPresent()) {
                return read(
                        context().plugins().services(ServiceGroup.TRAINER).require(trainer.get()));
            }
            for (var each : context().plugins().services(ServiceGroup.TRAINER).all()) {
                try {
                    return read(each.factory());
                } catch (OutriderException e) {
                    if (!e.code().equals(ErrorCode.CONFIG_INVALID)) {
                        throw e;
                    }
                }
            }
            throw ErrorCode.CONFIG_INVALID.error(
                    "no installed trainer reads '%s'".formatted(config),
                    "Name the one it is for with --trainer; it then says why.");
        }

        private Record read(TrainerFactory<?> factory) {
            return context()
                    .ready(() ->
                            context().loader().load(config, factory.configType(), set.values()))
                    .config();
        }

        private static String table(DataSurvey survey) {
            var table =
                    Columns.of(
                            "source",
                            "split",
                            "documents",
                            "tokens",
                            "learned",
                            "cut",
                            "learned tokens lost",
                            "left out");
            survey.counts()
                    .forEach(count ->
                            table.row(
                                    count.source() + 1,
                                    count.validation() ? "validation" : "training",
                                    count.documents(),
                                    count.tokens(),
                                    count.learned(),
                                    count.cut(),
                                    count.lost(),
                                    count.empty()));
            return table.text();
        }

        private void show(DataSurvey.Sample sample) {
            out().println();
            out().println(
                            "source %d%s"
                                    .formatted(sample.source() + 1, sample.cut() ? ", cut" : ""));
            sample.runs().forEach(this::show);
            out().println();
        }

        /// Writes colours as bytes: [Console] replaces escape codes in text.
        private void show(DataSurvey.Run run) {
            if (!run.learned()) {
                out().print(run.text());
            } else if (context().console().colours()) {
                var coloured = GREEN + PrintableText.of(run.text()) + RESET;
                out().writeBytes(coloured.getBytes(StandardCharsets.UTF_8));
            } else {
                out().print("[" + run.text() + "]");
            }
        }
    }
}
