package dev.outrider.cli;

/// Entry point of the launcher.
public final class Main {
    private Main() {}

    /// Runs one command and ends the process with its exit code.
    public static void main(String[] arguments) {
        LogLevel.apply(arguments);
        var interruption = new Interruption();
        interruption.listen();
        int code =
                Application.run(
                        Console.ofProcess(), interruption, PluginPlace.ofProcess(), arguments);
        System.out.flush();
        System.err.flush();
        interruption.finished();
        System.exit(code);
    }
}
