package dev.outrider.cli;

/// Entry point of the launcher.
public final class Main {
    private Main() {}

    /// Runs one command and ends the process with its exit code.
    public static void main(String[] arguments) {
        var unloaded = UnloadedClass.of(arguments);
        int code;
        try {
            code = run(arguments);
        } catch (LinkageError e) {
            code = unloaded.report(e, System.err);
        }
        System.exit(code);
    }

    private static int run(String... arguments) {
        LogLevel.apply(arguments);
        var interruption = new Interruption();
        interruption.listen();
        try {
            return Application.run(
                    Console.ofProcess(), interruption, PluginPlace.ofProcess(), arguments);
        } finally {
            System.out.flush();
            System.err.flush();
            interruption.finished();
        }
    }
}
