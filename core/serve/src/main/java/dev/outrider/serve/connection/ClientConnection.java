package dev.outrider.serve.connection;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.Router;
import io.helidon.webserver.ServerConnectionException;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A connection between Helidon's HTTP and the socket. A separate thread, the pump, reads the socket into a short queue, so that
/// the end of the stream is seen while a request runs. A read waits until the time of the request is over; then the stream counts
/// as ended. A write that takes too long is ended by closing the socket, when Helidon's timer calls [#idleTime].
///
/// A client that closes only its own direction counts as gone: it cannot be distinguished from a client that closed both.
public final class ClientConnection implements ConnectionContext, ServerConnection {
    private static final ScopedValue<ClientConnection> CURRENT = ScopedValue.newInstance();
    private static final int QUEUED_READS = 8;
    private static final byte[] END = {};
    private static final Duration LINGER = Duration.ofMillis(500);
    private static final long MAX_LINGER_BYTES = 64L << 20;

    private final ConnectionContext context;
    private final HelidonSocket socket;
    private final ServerConnection http;
    private final DataReader reader;
    private final DataWriter writer = new TimedWriter();
    private final Times times;
    private final BlockingQueue<byte[]> reads = new ArrayBlockingQueue<>(QUEUED_READS);
    private final Object lock = new Object();

    private boolean gone;
    private @Nullable Runnable onGone;
    private long readUntil;
    private boolean ended;
    private boolean refused;
    private volatile long writingSince;

    /// Limits of time.
    ///
    /// @param read  for the whole of a request, from the end of the last
    /// @param write for one write
    public record Times(Duration read, Duration write) {}

    ClientConnection(ConnectionContext context, ServerConnectionSelector protocol, Times times) {
        this.context = context;
        this.socket = context.serverSocket();
        this.times = times;
        this.reader = DataReader.create(this::read);
        this.http = protocol.connection(this);
        restart();
    }

    /// Returns the connection of the request that this thread handles.
    public static ClientConnection current() {
        return CURRENT.get();
    }

    /// Runs an action, once, if the client goes away before [#answered]; at once if it is gone.
    public void whenGone(Runnable action) {
        synchronized (lock) {
            onGone = action;
            if (!gone) {
                return;
            }
        }
        action.run();
    }

    /// Called when the answer is written: from now on it does not matter whether the client is there.
    ///
    /// @param last whether one side has declared this the last request; Helidon would wait for the next one
    public void answered(boolean last) {
        synchronized (lock) {
            onGone = null;
        }
        ended = last;
        restart();
    }

    /// Restarts the time limit for the rest of a request, or for the next one.
    public void restart() {
        readUntil = System.nanoTime() + times.read().toNanos();
    }

    /// Called when a request is refused before it was read: the rest of it may still come, and gets no answer.
    ///
    /// @return whether one was refused before
    public boolean refused() {
        boolean before = refused;
        refused = true;
        return before;
    }

    /// Returns whether the connection ends because its bytes cannot be read as requests any more.
    public boolean isRefused() {
        return refused;
    }

    @Override
    public void handle(Limit limit) throws InterruptedException {
        var pump = Thread.ofVirtual().name("connection-pump").start(this::pump);
        try {
            ScopedValue.where(CURRENT, this)
                    .call(() -> {
                        http.handle(limit);
                        return true;
                    });
        } finally {
            if (refused) {
                linger();
            }
            pump.interrupt();
        }
    }

    private void pump() {
        try {
            for (var bytes = next(); bytes.length > 0; bytes = next()) {
                reads.put(bytes);
            }
            leave();
            reads.put(END);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Returns the next bytes of the client; empty at the end.
    private byte[] next() {
        try {
            byte[] bytes = socket.get();
            return bytes == null ? END : bytes;
        } catch (UncheckedIOException e) {
            return END;
        }
    }

    private void leave() {
        Runnable action;
        synchronized (lock) {
            gone = true;
            action = onGone;
            onGone = null;
        }
        if (action != null) {
            action.run();
        }
    }

    /// The source of bytes for Helidon. At the end of the stream it closes the connection, also within a request.
    private byte[] read() {
        byte[] bytes = ended ? null : read(readUntil - System.nanoTime());
        if (bytes == null) {
            throw new CloseConnectionException("the client sends nothing more");
        }
        return bytes;
    }

    private byte @Nullable [] read(long nanos) {
        try {
            byte[] bytes = reads.poll(Math.max(0, nanos), TimeUnit.NANOSECONDS);
            if (bytes == null) {
                return null;
            }
            if (bytes.length == 0) {
                reads.add(END); // the end stays the end
                return null;
            }
            return bytes;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /// Reads what a client still sends after an early answer: if the socket were closed with unread bytes, the client might not
    /// receive the answer.
    private void linger() {
        long until = System.nanoTime() + LINGER.toNanos();
        long bytes = 0;
        while (bytes < MAX_LINGER_BYTES) {
            byte[] read = read(until - System.nanoTime());
            if (read == null) {
                return;
            }
            bytes += read.length;
        }
    }

    /// Returns the time since the client last took written bytes.
    @Override
    public Duration idleTime() {
        long since = writingSince;
        return since == 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - since);
    }

    @Override
    public void close(boolean interrupt) {
        if (idleTime().compareTo(times.write()) > 0) {
            socket.close();
        } else {
            http.close(interrupt);
        }
    }

    @Override
    public ListenerContext listenerContext() {
        return context.listenerContext();
    }

    @Override
    public ExecutorService executor() {
        return context.executor();
    }

    @Override
    public DataWriter dataWriter() {
        return writer;
    }

    @Override
    public DataReader dataReader() {
        return reader;
    }

    @Override
    public Router router() {
        return context.router();
    }

    @Override
    public HelidonSocket serverSocket() {
        return socket;
    }

    @Override
    public PeerInfo remotePeer() {
        return context.remotePeer();
    }

    @Override
    public PeerInfo localPeer() {
        return context.localPeer();
    }

    @Override
    public boolean isSecure() {
        return context.isSecure();
    }

    @Override
    public String socketId() {
        return context.socketId();
    }

    @Override
    public String childSocketId() {
        return context.childSocketId();
    }

    /// Records when a write begins and ends.
    private final class TimedWriter implements DataWriter {
        @Override
        public void write(BufferData... buffers) {
            timed(() -> context.dataWriter().write(buffers));
        }

        @Override
        public void write(BufferData buffer) {
            timed(() -> context.dataWriter().write(buffer));
        }

        @Override
        public void writeNow(BufferData... buffers) {
            timed(() -> context.dataWriter().writeNow(buffers));
        }

        @Override
        public void writeNow(BufferData buffer) {
            timed(() -> context.dataWriter().writeNow(buffer));
        }

        @Override
        public void flush() {
            timed(() -> context.dataWriter().flush());
        }

        private void timed(Runnable write) {
            writingSince = System.nanoTime() | 1; // 0 is none
            try {
                write.run();
            } catch (UncheckedIOException e) {
                throw new ServerConnectionException("the client does not take the answer", e);
            } finally {
                writingSince = 0;
            }
        }
    }

    /// Puts a [ClientConnection] between a protocol and each socket.
    ///
    /// @param protocol protocol of the connections
    /// @param times    limits of time
    public record ClientConnections(ServerConnectionSelector protocol, Times times)
            implements ServerConnectionSelector {
        @Override
        public int bytesToIdentifyConnection() {
            return protocol.bytesToIdentifyConnection();
        }

        @Override
        public Support supports(BufferData data) {
            return protocol.supports(data);
        }

        @Override
        public Set<String> supportedApplicationProtocols() {
            return protocol.supportedApplicationProtocols();
        }

        @Override
        public ServerConnection connection(ConnectionContext context) {
            return new ClientConnection(context, protocol, times);
        }
    }
}
