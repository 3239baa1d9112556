package dev.outrider.cli;

import dev.outrider.config.ConfigLoader;
import dev.outrider.config.Loaded;
import dev.outrider.engine.plugins.Components;
import dev.outrider.engine.plugins.Factories;
import dev.outrider.training.TrainerFactory;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;

/// The command `outrider train`: runs whatever trainer is installed.
@Command(
        name = "train",
        description = {
            "Trains models; without a name, lists what can be trained.",
            "",
            "Plugins add to the list. 'outrider train NAME --help' shows the keys of its configuration."
        },
        footer = {
            "  outrider train",
            "  outrider train lm --config configs/training/target.yaml",
            "  outrider train lm --config configs/training/draft.yaml --profile",
            "  outrider train encoder-decoder --config configs/training/t5-target.yaml",
            "  outrider train medusa --config configs/training/medusa.yaml",
            "  outrider train mtp --config configs/training/mtp.yaml",
            "  outrider train eagle --config configs/training/eagle1.yaml"
        })
final class TrainCommand implements Callable<Integer>, ServiceGroup {
    private static final String RESUME = "--resume";
    private static final String PROFILE = "--profile";

    private final Console console;
    private final Interruption interruption;
    private final ConfigLoader loader;
    private final HubModels models;
    private final Services<TrainerFactory<?>> trainers;

    @Parameters(hidden = true)
    private List<String> unknown = new ArrayList<>();

    @Inject
    TrainCommand(
            Console console,
            Interruption interruption,
            ConfigLoader loader,
            HubModels models,
            Components<TrainerFactory<?>> trainers) {
        this.console = console;
        this.interruption = interruption;
        this.loader = loader;
        this.models = models;
        this.trainers =
                new Services<>(
                        trainers,
                        each ->
                                new Service.About(
                                        each.description(), each.details(), each.examples()));
    }

    /// Reached when no installed name was given.
    @Override
    public Integer call() {
        return trainers.list(console, unknown);
    }

    @Override
    public List<CommandSpec> installed() {
        return trainers.commands(this::command);
    }

    private CommandSpec command(Service service, TrainerFactory<?> trainer) {
        var resume =
                OptionSpec.builder(RESUME)
                        .description(
                                "Go on with the unfinished run in the folder; it ends with the same"
                                        + " model as one that was not stopped.")
                        .type(boolean.class)
                        .build();
        var profile =
                OptionSpec.builder(PROFILE)
                        .description("Say at the end what the steps waited for.")
                        .type(boolean.class)
                        .build();
        return ServiceCommand.of(
                service,
                false,
                resumes(trainer) ? List.of(resume, profile) : List.of(profile),
                loader,
                models,
                (loaded, parsed) ->
                        train(
                                trainer,
                                loaded,
                                parsed.hasMatchedOption(RESUME),
                                parsed.hasMatchedOption(PROFILE)));
    }

    private static boolean resumes(TrainerFactory<?> trainer) {
        return Factories.made(CommandKinds.TRAINER, trainer, "resumes()", trainer::resumes);
    }

    private <C extends Record> int train(
            TrainerFactory<C> trainer, Loaded<?> loaded, boolean resume, boolean profile) {
        C config = trainer.configType().cast(loaded.config());
        var hash = loaded.effective().configHash();
        try (var context =
                new ConsoleTraining(
                        console,
                        interruption,
                        resume,
                        hash,
                        name -> TokensPerRound.named(name, loader, System::nanoTime),
                        own -> new OwnRounds(own, loader, System::nanoTime))) {
            var said =
                    Factories.made(
                            CommandKinds.TRAINER,
                            trainer,
                            "train",
                            () -> train(trainer, config, context));
            context.close();
            if (profile) {
                console.err()
                        .print(
                                context.profile()
                                        .map(ProfileTable::of)
                                        .orElse("This trainer has no steps to profile.\n"));
            }
            if (said.isEmpty()) {
                console.err()
                        .println(
                                resumes(trainer)
                                        ? "Interrupted; go on from here with --resume."
                                        : "Interrupted; nothing was written.");
                return ExitCode.INTERRUPTED;
            }
            console.out().println(said.get());
            return ExitCode.OK;
        }
    }

    private static <C extends Record> Optional<String> train(
            TrainerFactory<C> trainer, C config, ConsoleTraining context) {
        try {
            return trainer.train(config, context);
        } catch (IOException e) {
            throw Failures.of("train " + trainer.name(), e);
        }
    }
}
