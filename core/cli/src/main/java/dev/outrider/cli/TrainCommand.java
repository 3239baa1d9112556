package dev.outrider.cli;

import dev.outrider.config.Loaded;
import dev.outrider.training.TrainerFactory;
import dev.outrider.training.TrainingProfile;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/// The command `outrider train`: runs any installed trainer.
@Command(name = "train")
final class TrainCommand extends ServiceGroup<TrainerFactory<?>> {
    private static final String RESUME = "--resume";
    private static final String PROFILE = "--profile";

    TrainCommand() {
        super(TRAINER);
    }

    @Override
    List<OptionSpec> options(TrainerFactory<?> trainer) {
        var profile =
                OptionSpec.builder(PROFILE)
                        .description("Print at the end what the steps waited for.")
                        .type(boolean.class)
                        .build();
        var resume =
                OptionSpec.builder(RESUME)
                        .description(
                                "Continue the unfinished run in the folder; it ends with the same"
                                        + " model as one that was not stopped.")
                        .type(boolean.class)
                        .build();
        return resumes(trainer) ? List.of(resume, profile) : List.of(profile);
    }

    private boolean resumes(TrainerFactory<?> trainer) {
        return guarded(trainer, "resumes()", trainer::resumes);
    }

    @Override
    int run(TrainerFactory<?> trainer, Loaded<? extends Record> loaded, ParseResult parsed) {
        var hash = loaded.effective().configHash();
        try (var training = new ConsoleTraining(context(), parsed.hasMatchedOption(RESUME), hash)) {
            var result = guarded(trainer, "train", () -> train(trainer, loaded.config(), training));
            training.close();
            if (parsed.hasMatchedOption(PROFILE)) {
                err().print(
                                training.profile()
                                        .map(TrainCommand::table)
                                        .orElse("This trainer has no steps to profile.\n"));
            }
            if (result.isEmpty()) {
                err().println(
                                resumes(trainer)
                                        ? "Interrupted; continue from here with --resume."
                                        : "Interrupted; nothing was written.");
                return ExitCode.INTERRUPTED;
            }
            out().println(result.get());
            return ExitCode.OK;
        }
    }

    private static <C extends Record> Optional<String> train(
            TrainerFactory<C> trainer, Record config, ConsoleTraining training) {
        try {
            return trainer.train(trainer.configType().cast(config), training);
        } catch (IOException e) {
            throw ErrorReport.of("train " + trainer.name(), e);
        }
    }

    /// Returns a line for each part of the time of a run, with its share of the whole.
    private static String table(TrainingProfile profile) {
        var text = new StringBuilder();
        for (var part : TrainingProfile.Part.values()) {
            text.append(
                    Console.format(
                            "%-12s %5.1f %% %8.1f s  %s%n",
                            part.name().toLowerCase(Locale.ROOT),
                            100 * profile.share(part),
                            profile.seconds().getOrDefault(part, 0.0),
                            part.meaning()));
        }
        return text.append(Console.format("%-12s %7s %8.1f s%n", "together", "", profile.total()))
                .toString();
    }
}
