package dev.outrider.cli;

import dev.outrider.hub.HubName;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// The command `outrider pull`.
@Command(name = "pull")
final class PullCommand implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(paramLabel = "NAME")
    private String name = "";

    PullCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        var pulled = context.pull(HubName.isName(name) ? name : HubName.SCHEME + name);
        if (pulled.isEmpty()) {
            context.err().println("Interrupted; the same command goes on from here.");
            return ExitCode.INTERRUPTED;
        }
        var snapshot = pulled.get();
        context.out().printf("%s is %s%n", snapshot.name(), snapshot.commit());
        context.out().println(snapshot.path());
        return ExitCode.OK;
    }
}
