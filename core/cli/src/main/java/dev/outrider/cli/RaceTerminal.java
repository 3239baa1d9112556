package dev.outrider.cli;

import dev.outrider.common.Ticker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/// A terminal on which one picture is drawn over and over, with keys that need no Enter. It is as before once this is closed, also after
/// an interrupt signal: JLine restores it then. Confined to one thread.
final class RaceTerminal implements AutoCloseable {
    /// No key was pressed.
    static final char NONE = 0;

    /// The key that ends the race.
    static final char END = 'q';

    /// At most 20 pictures a second.
    private static final long PICTURE_NANOS = 50_000_000;

    private static final String ENTER =
            "\u001b[?1049h\u001b[?25l"; // a screen of its own, no cursor
    private static final String LEAVE = "\u001b[?25h\u001b[?1049l";
    private static final char END_OF_TEXT = 3; // Ctrl-C
    private static final char END_OF_TRANSMISSION = 4; // Ctrl-D

    private final Console console;
    private final Optional<Terminal> terminal;
    private final Ticker ticker;
    private volatile boolean resized = true;
    private Size size = new Size();
    private long drawn;

    private RaceTerminal(Console console, Optional<Terminal> terminal, Ticker ticker) {
        this.console = console;
        this.terminal = terminal;
        this.ticker = ticker;
        this.drawn = ticker.nanos() - PICTURE_NANOS;
        terminal.ifPresent(this::takeOver);
    }

    private void takeOver(Terminal taken) {
        taken.handle(Terminal.Signal.WINCH, _ -> resized = true);
        taken.enterRawMode();
        write(ENTER);
    }

    /// Takes over the terminal of the process. If there is none, or its cursor cannot be moved, nothing is drawn and no key is pressed.
    static RaceTerminal open(Console console, Ticker ticker) {
        return new RaceTerminal(console, terminal(console), ticker);
    }

    private static Optional<Terminal> terminal(Console console) {
        if (!console.terminal() || "dumb".equals(System.getenv("TERM"))) {
            return Optional.empty();
        }
        try {
            return Optional.of(TerminalBuilder.builder().system(true).dumb(false).build());
        } catch (IOException | IllegalStateException e) {
            return Optional.empty(); // the picture at the end has to do
        }
    }

    /// Whether pictures are drawn.
    boolean live() {
        return terminal.isPresent();
    }

    /// Draws a picture, unless the last one is too young.
    ///
    /// @param last whether it is drawn in any case
    void draw(Supplier<RaceScreen> screen, boolean last) {
        if (terminal.isEmpty() || !last && ticker.nanos() - drawn < PICTURE_NANOS) {
            return;
        }
        if (resized) {
            resized = false;
            size = terminal.get().getSize();
        }
        var lines = screen.get().lines(size.getColumns(), size.getRows(), console.colours());
        write("\u001b[H" + String.join("\u001b[K\r\n", lines) + "\u001b[K\u001b[J");
        drawn = ticker.nanos();
    }

    /// Waits for a key.
    ///
    /// @return the key, [#END] for Ctrl-C, Ctrl-D and the end of the input too, or [#NONE] if none came in time
    char key(int millis) {
        if (terminal.isEmpty()) {
            return NONE;
        }
        try {
            int read = terminal.get().reader().read(millis);
            return switch (read) {
                case -1, END_OF_TEXT, END_OF_TRANSMISSION -> END;
                default -> read < 0 ? NONE : Character.toLowerCase((char) read);
            };
        } catch (IOException e) {
            return END; // the terminal is closed: the process was interrupted
        }
    }

    private void write(String text) {
        console.out().writeBytes(text.getBytes(StandardCharsets.UTF_8));
        console.out().flush();
    }

    @Override
    public void close() {
        if (terminal.isPresent()) {
            write(LEAVE);
            try {
                terminal.get().close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
