package dev.outrider.cli;

/// Entry point of the launcher.
public final class Main {
    private Main() {}

    /// Runs one command and ends the process with its exit code.
    public static void main(String[] arguments) {
        System.out.println("hi " + String.join("|", arguments));
    }
}
