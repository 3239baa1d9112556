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

/// A terminal on which one picture is drawn again and again, with keys that need no Enter. Closing restores the terminal, also after
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
    private final Ticker ticker;
    private Optional<Terminal> terminal;
    private volatile boolean resized = true;
    private Size size = new Size();
    private long drawn;

    /// Takes over the terminal of the process. If there is none, or its cursor cannot be moved, nothing is drawn and no key is pressed.
    RaceTerminal(Console console, Ticker ticker) {
        this.console = console;
        this.ticker = ticker;
        this.drawn = ticker.nanos() - PICTURE_NANOS;
        this.terminal = terminal(console);
        terminal.ifPresent(taken -> {
            taken.handle(Terminal.Signal.WINCH, _ -> resized = true);
            taken.enterRawMode();
            write(ENTER);
        });
    }

    private static Optional<Terminal> terminal(Console console) {
        if (!console.terminal() || "dumb".equals(System.getenv("TERM"))) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    TerminalBuilder.builder()
                            .system(true)
                            .dumb(false)
                            .nativeSignals(false)
                            .build());
        } catch (IOException | IllegalStateException e) {
            return Optional.empty(); // the picture at the end has to do
        }
    }

    /// Whether pictures are drawn.
    boolean live() {
        return terminal.isPresent();
    }

    /// Draws a picture, unless the last one was drawn too recently.
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
        if (size.getColumns() == 0 || size.getRows() == 0) {
            size = new Size(80, 24); // some terminals do not say
        }
        var lines = screen.get().lines(size.getColumns(), size.getRows(), console.colours());
        write("\u001b[H" + String.join("\u001b[K\r\n", lines) + "\u001b[K\u001b[J");
        drawn = ticker.nanos();
    }

    /// Returns the pressed key, [#END] also for Ctrl-C and Ctrl-D, or [#NONE].
    char key() {
        try {
            if (terminal.isEmpty() || console.in().available() == 0) {
                return NONE;
            }
            int read = console.in().read();
            return read == END_OF_TEXT || read == END_OF_TRANSMISSION ? END : (char) read;
        } catch (IOException e) {
            return END; // the terminal is gone
        }
    }

    private void write(String text) {
        console.out().writeBytes(text.getBytes(StandardCharsets.UTF_8));
        console.out().flush();
    }

    /// Restores the terminal. Does nothing the second time.
    @Override
    public void close() {
        if (terminal.isPresent()) {
            var taken = terminal.get();
            terminal = Optional.empty();
            write(LEAVE);
            try {
                taken.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
