package dev.outrider.cli;

import dev.outrider.hub.HubName;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// The command `outrider pull`.
@Command(name = "pull")
final class PullCommand extends Subcommand {
    @Parameters(paramLabel = "NAME")
    private String name = "";

    @Override
    public Integer call() {
        var pulled = context().pull(HubName.isName(name) ? name : HubName.SCHEME + name);
        if (pulled.isEmpty()) {
            err().println("Interrupted; the same command goes on from here.");
            return ExitCode.INTERRUPTED;
        }
        var snapshot = pulled.get();
        out().printf("%s is %s%n", snapshot.name(), snapshot.commit());
        out().println(snapshot.path());
        return ExitCode.OK;
    }
}
