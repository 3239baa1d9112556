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
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The command `outrider data`.
@Command(
        name = "data",
        description =
                "Shows the data that trainers learn from, and lets a target answer them anew.",
        subcommands = {DataCommand.Show.class, DataRegenerateCommand.class},
        footer = {
            "  outrider data show configs/training/chat.yaml",
            "  outrider data regenerate configs/regenerate-chat.yaml --from configs/data/questions.jsonl --out results/data/answers"
        })
final class DataCommand {
    /// The command `outrider data show`.
    @Command(
            name = "show",
            description = {
                "Says what a trainer's configuration learns from: documents and tokens of every source, and a sample.",
                "",
                "Reads every file once, so that a broken record is found before a training run meets it. In the sample, what is"
                        + " learned is green, or in brackets where colours are not wanted."
            },
            footer = {
                "  outrider data show configs/training/chat.yaml",
                "  outrider data show my.yaml --trainer eagle --samples 3"
            })
    static final class Show implements Callable<Integer> {
        private static final String GREEN = "\u001b[32m";
        private static final String RESET = "\u001b[0m";
        private static final int MAX_SAMPLES = 100;

        private final CommandContext context;

        @Spec private CommandSpec spec = CommandSpec.create();

        @Parameters(paramLabel = "CONFIG", description = "The configuration of a training run.")
        private Path config = Path.of("");

        @Mixin private Options.SetOption set = new Options.SetOption();

        @Option(
                names = "--trainer",
                paramLabel = "NAME",
                description =
                        "Whose configuration it is (default: the first trainer that reads it).")
        private Optional<String> trainer = Optional.empty();

        @Option(
                names = "--samples",
                defaultValue = "1",
                paramLabel = "N",
                description = "Documents to show of every source (default: ${DEFAULT-VALUE}).")
        private int samples;

        Show(CommandContext context) {
            this.context = context;
        }

        @Override
        public Integer call() {
            Options.require(
                    spec,
                    samples >= 0 && samples <= MAX_SAMPLES,
                    "--samples",
                    samples,
                    "0 to %d".formatted(MAX_SAMPLES));
            var plan =
                    DataPlan.of(read())
                            .orElseThrow(() ->
                                    new OutriderException(
                                            ErrorCode.CONFIG_INVALID,
                                            "'%s' has no documents to show".formatted(config),
                                            "Give it a section 'data'; encoder-decoders learn from pairs, which this does not show."));
            var survey = plan.survey(samples);
            context.out().print(table(survey));
            survey.samples().forEach(this::show);
            return ExitCode.OK;
        }

        private Record read() {
            if (trainer.isPresent()) {
                return read(
                        context.plugins().services(ServiceGroup.TRAINER).require(trainer.get()));
            }
            for (var each : context.plugins().services(ServiceGroup.TRAINER).all()) {
                try {
                    return read(each.factory());
                } catch (OutriderException e) {
                    if (!e.code().equals(ErrorCode.CONFIG_INVALID)) {
                        throw e;
                    }
                }
            }
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
                    "no installed trainer reads '%s'".formatted(config),
                    "Name the one it is for with --trainer; it then says why.");
        }

        private Record read(TrainerFactory<?> factory) {
            return context.ready(
                            () -> context.loader().load(config, factory.configType(), set.values()))
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
                                    Integer.toString(count.source() + 1),
                                    count.validation() ? "validation" : "training",
                                    Long.toString(count.documents()),
                                    Long.toString(count.tokens()),
                                    Long.toString(count.learned()),
                                    Long.toString(count.cut()),
                                    Long.toString(count.lost()),
                                    Long.toString(count.empty())));
            return table.text();
        }

        private void show(DataSurvey.Sample sample) {
            context.out().println();
            context.out()
                    .println(
                            "source %d%s"
                                    .formatted(sample.source() + 1, sample.cut() ? ", cut" : ""));
            sample.runs().forEach(this::show);
            context.out().println();
        }

        /// Writes colours as bytes: [Console] replaces escape codes in text.
        private void show(DataSurvey.Run run) {
            if (!run.learned()) {
                context.out().print(run.text());
            } else if (context.console().colours()) {
                var coloured = GREEN + PrintableText.of(run.text()) + RESET;
                context.out().writeBytes(coloured.getBytes(StandardCharsets.UTF_8));
            } else {
                context.out().print("[" + run.text() + "]");
            }
        }
    }
}
