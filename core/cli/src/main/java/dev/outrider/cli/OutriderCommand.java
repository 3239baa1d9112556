package dev.outrider.cli;

import java.util.List;
import java.util.function.Predicate;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/// The command `outrider`, which lists the commands.
@Command(
        name = "outrider",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = OutriderCommand.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        parameterListHeading = "%nParameters:%n",
        footerHeading = "%nExamples:%n")
final class OutriderCommand implements Runnable {
    /// All commands, in the order of the help.
    private static final List<Class<?>> COMMANDS =
            List.of(
                    DemoCommand.class,
                    GenerateCommand.class,
                    ServeCommand.class,
                    BenchCommand.class,
                    InitCommand.class,
                    ReportCommand.class,
                    SweepCommand.class,
                    RunCellCommand.class,
                    BenchModelCommand.class,
                    VerifyExactnessCommand.class,
                    AuditCommand.class,
                    PlanCommand.class,
                    TuneCommand.class,
                    PredictCommand.class,
                    LabCommand.class,
                    TreeCommand.class,
                    DoctorCommand.class,
                    KernelsCommand.class,
                    CorpusCommand.class,
                    TokenizerCommand.class,
                    TrainCommand.class,
                    ServiceGroup.ExportCommand.class,
                    DataCommand.class,
                    QuantiseCommand.class,
                    ModelCommand.PullCommand.class,
                    ModelCommand.class,
                    PluginsCommand.class,
                    CompletionCommand.class);

    @Spec private CommandSpec spec = CommandSpec.create();

    // The option is read from the raw arguments, so that failures before parsing are covered too;
    // it is here for the help.
    @Option(names = "--debug", scope = ScopeType.INHERIT)
    private boolean unusedDebug;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /// Adds the commands to the program. Only named commands get options, their own and the program's, because collecting the
    /// options of all commands takes longer than many a command.
    ///
    /// @param all whether commands that are not named are added too
    static void add(CommandLine program, Predicate<String> named, boolean all) {
        if (COMMANDS.stream().map(OutriderCommand::name).noneMatch(named)) {
            program.getCommandSpec().scopeType(ScopeType.LOCAL);
        }
        for (var type : COMMANDS) {
            var name = name(type);
            if (named.test(name)) {
                program.addSubcommand(name, new CommandLine(type, program.getFactory()));
            } else if (all) {
                program.addSubcommand(name, CommandSpec.create());
            }
        }
    }

    /// Returns whether a word is the name of a command.
    static boolean is(String word) {
        return COMMANDS.stream().map(OutriderCommand::name).anyMatch(word::equals);
    }

    private static String name(Class<?> type) {
        return type.getAnnotation(Command.class).name();
    }

    /// The text of `--version`.
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {
                "outrider " + CommandContext.version(), "java " + Runtime.version(),
            };
        }
    }

    /// The command `outrider completion`: the script with which bash and zsh complete commands and options.
    @Command(name = "completion")
    static final class CompletionCommand extends Subcommand {
        @Override
        public Integer call() {
            out().print(AutoComplete.bash("outrider", Application.commandLine(context())));
            return ExitCode.OK;
        }
    }
}
