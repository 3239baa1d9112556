package dev.outrider.serve;

import dev.outrider.experiment.config.ServeSettings;
import dev.outrider.serve.connection.ClientConnection;
import dev.outrider.serve.connection.ClientConnection.ClientConnections;
import dev.outrider.serve.request.ApiException;
import dev.outrider.serve.request.RequestReader;
import dev.outrider.serve.request.ServedTarget;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import io.helidon.http.DirectHandler;
import io.helidon.http.DirectHandler.EventType;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// The server. Each part of its API is a separate service; a further one is a line in [#start].
///
/// Thread-safe.
public final class Server implements AutoCloseable {
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(2);
    private static final int MAX_HEADER_BYTES = 16 << 10;
    private static final int MAX_LINE_BYTES = 4 << 10;

    /// Bytes that the system buffers for a client that does not read.
    private static final int SEND_BUFFER = 128 << 10;

    /// Methods of every path, for answers to requests with another method.
    private static final TreeMap<String, String> PATHS = new TreeMap<>();

    static {
        for (var path : List.of("/v1/models", "/tokenizer_info", "/health", "/metrics")) {
            PATHS.put(path, "GET");
        }
        for (var path :
                List.of(
                        "/v1/completions",
                        "/v1/chat/completions",
                        "/tokenize",
                        "/detokenize",
                        PageService.ROUNDS)) {
            PATHS.put(path, "POST");
        }
        PATHS.put(PageService.VARIANTS, "GET");
        PageService.files().forEach(path -> PATHS.put(path, "GET"));
    }

    private final WebServer web;
    private final ServedTarget served;
    private final AtomicBoolean closing;

    private Server(WebServer web, ServedTarget served, AtomicBoolean closing) {
        this.web = web;
        this.served = served;
        this.closing = closing;
    }

    /// The address of the server, and the clients that may use it.
    ///
    /// @param host a name or address of this machine
    /// @param port 0 for any that is free
    /// @param key  that clients must send; empty admits all clients
    /// @param log  receives a line for each request, if the settings want it
    public record Place(String host, int port, Optional<String> key, Consumer<String> log) {
        /// Returns the host as in the address of a page: an IPv6 address is in brackets.
        public String name() {
            return host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
        }
    }

    /// Starts listening.
    ///
    /// @param served   the served target; its engine is closed with the server
    /// @param settings the limits
    /// @param clock    for the time of answers
    /// @throws OutriderException `IO_FAILED` if the port is taken or the host is not this machine
    public static Server start(
            ServedTarget served, ServeSettings settings, Place place, InstantSource clock) {
        var closing = new AtomicBoolean();
        var reader = new RequestReader(served, settings.capacity().deadline());
        var limits = settings.requests();
        var log = new RequestLog(settings.access().log(), place.log());
        var access = new AccessFilter(place, settings.access().origins());
        var routing =
                HttpRouting.builder()
                        .addFilter(access)
                        .register("/v1", new TextService(served, reader, clock, log))
                        .register("/", new ModelService(served, reader, clock))
                        .register("/", new HealthService(served, closing::get))
                        .register("/", new PageService(served, reader, log))
                        .any(
                                Exchange.of((request, _) -> {
                                    throw noPath(
                                            request.prologue().method(), request.path().path());
                                }));
        var http =
                Http1ConnectionSelector.builder()
                        .config(
                                Http1Config.builder()
                                        .maxHeadersSize(MAX_HEADER_BYTES)
                                        .maxPrologueLength(MAX_LINE_BYTES)
                                        .build())
                        .build();
        var times = new ClientConnection.Times(limits.idle(), limits.write());
        requireFree(place);
        var web =
                WebServer.builder()
                        .host(place.host())
                        .port(place.port())
                        .shutdownHook(false)
                        .protocolsDiscoverServices(false)
                        .featuresDiscoverServices(false)
                        .addConnectionSelector(new ClientConnections(http, times))
                        .maxPayloadSize((long) limits.bodyKilobytes() << 10)
                        .maxTcpConnections(limits.connections())
                        .idleConnectionTimeout(limits.write())
                        .idleConnectionPeriod(Duration.ofSeconds(1))
                        .shutdownGracePeriod(LAST_ANSWERS)
                        .connectionOptions(options ->
                                options.tcpNoDelay(true).socketSendBufferSize(SEND_BUFFER))
                        .directHandlers(errors(limits.bodyKilobytes()))
                        .routing(routing)
                        .build()
                        .start();
        if (!web.isRunning()) {
            throw notFree(place, "the port was taken in between");
        }
        return new Server(web, served, closing);
    }

    /// Refuses a port that is in use: Helidon only logs that it cannot listen.
    private static void requireFree(Place place) {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(place.host()), place.port()));
        } catch (IOException e) {
            throw notFree(place, e.toString());
        }
    }

    private static OutriderException notFree(Place place, String why) {
        return ErrorCode.IO_FAILED.error(
                "the server cannot listen on %s, port %d: %s"
                        .formatted(place.host(), place.port(), why),
                "Choose a free port with --port, and an address of this machine with --host.");
    }

    /// Returns whether a server on that host is reached from this machine only.
    public static boolean local(String host) {
        return AccessFilter.loopback(host);
    }

    /// The port on which it listens.
    public int port() {
        return web.port();
    }

    /// Takes no more requests, lets the running ones end, and stops. `/health` reports this meanwhile.
    ///
    /// @param grace time for running requests
    public void close(Duration grace) {
        closing.set(true);
        served.engine().close(grace);
        web.stop();
    }

    /// [#close(Duration)] without grace.
    @Override
    public void close() {
        close(Duration.ZERO);
    }

    private static ApiException noPath(Method method, String path) {
        var allowed = PATHS.get(path);
        return allowed == null
                ? ApiException.rejected(
                        404,
                        "unknown_url",
                        "there is no such path; there are " + String.join(", ", PATHS.keySet()))
                : ApiException.rejected(
                        405,
                        "method_not_allowed",
                        "'%s' answers %s, not %s".formatted(path, allowed, method.text()));
    }

    /// Errors of requests that do not reach a service.
    private static DirectHandlers errors(int kilobytes) {
        DirectHandler handler =
                (_, _, status, headers, _) -> {
                    if (ClientConnection.current().refused()) {
                        throw new CloseConnectionException("its request was answered");
                    }
                    var word = status.reasonPhrase().toLowerCase(Locale.ROOT);
                    var failure =
                            ApiException.of(
                                    status.code(),
                                    status.code() < 500 ? ApiException.INVALID : "server_error",
                                    word.replace(' ', '_'),
                                    status.code() == 413
                                            ? "the body is larger than %d kilobytes (serve.bodyKilobytes)"
                                                    .formatted(kilobytes)
                                            : "the request cannot be read as HTTP: " + word);
                    return DirectHandler.TransportResponse.builder()
                            .status(status)
                            .headers(headers)
                            .header(HeaderValues.CONTENT_TYPE_JSON)
                            .keepAlive(false)
                            .entity(Exchange.bytes(failure.body()))
                            .build();
                };
        var handlers = DirectHandlers.builder();
        Arrays.stream(EventType.values()).forEach(type -> handlers.addHandler(type, handler));
        return handlers.build();
    }
}
