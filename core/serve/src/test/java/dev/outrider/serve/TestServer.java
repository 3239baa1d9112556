package dev.outrider.serve;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outrider.config.ConfigLoader;
import dev.outrider.engine.acceptance.BlockVerificationRule;
import dev.outrider.engine.acceptance.TypicalAcceptanceRule;
import dev.outrider.engine.plugins.Factories;
import dev.outrider.engine.plugins.PluginRegistry;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.serve.request.ServedTarget;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterChoice;
import dev.outrider.spi.rule.AcceptanceRule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// A server on a free port over the tiny models, whose target has a chat template; and a plain client of it.
final class TestServer implements AutoCloseable {
    private static final Path MODELS =
            Path.of(System.getProperty("outrider.root", "../.."), "models")
                    .toAbsolutePath()
                    .normalize();
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final Map<String, AcceptanceRule> RULES =
            Map.of(
                    "block",
                    new BlockVerificationRule(),
                    "typical",
                    new TypicalAcceptanceRule(.09, .3));

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private final LoadedExperiment loaded;
    private final Drafter lookup;
    private final ServedTarget served;
    private final Server server;
    final List<String> log = new ArrayList<>();
    private volatile long pause;

    private record Prediction(DrafterChoice drafter) {}

    /// Starts a server at 127.0.0.1.
    TestServer(Path folder, String serve, Optional<String> key) {
        this(folder, serve, key, "127.0.0.1");
    }

    /// @param folder for a copy of the target
    /// @param serve  the block of that name, as YAML
    /// @param key    that clients need
    /// @param host   where it listens
    TestServer(Path folder, String serve, Optional<String> key, String host) {
        var target = withTemplate(folder);
        var loader =
                new ConfigLoader(
                        PluginRegistry.onClassPath(TestServer.class.getClassLoader()),
                        folder.toAbsolutePath());
        var yaml =
                """
                name: test
                target: {use: vector, path: '%s', name: tiny}
                maxTokens: 24
                variants:
                  - name: small-model
                    drafter: {use: small-model, path: '%s', length: 3}
                  - name: lookup
                    drafter: {use: prompt-lookup, length: 3}
                serve: %s
                """
                        .formatted(target, MODELS.resolve("tiny-draft"), serve);
        var config =
                loader.parseWith(
                                yaml,
                                "test",
                                folder.toAbsolutePath(),
                                ExperimentConfig.class,
                                List.of())
                        .config();
        loaded = LoadedExperiment.load(config, System::nanoTime, false);
        lookup =
                Factories.drafter(
                        loader.parseWith(
                                        "drafter: prompt-lookup",
                                        "test",
                                        folder.toAbsolutePath(),
                                        Prediction.class,
                                        List.of())
                                .config()
                                .drafter(),
                        loaded::target);
        served =
                ServedExperiment.start(
                        config,
                        loaded,
                        config.serve().orElseThrow(),
                        1L << 30,
                        Optional.of(lookup),
                        RULES,
                        new AtomicLong()::incrementAndGet,
                        this::nanos);
        server =
                Server.start(
                        served,
                        config.serve().orElseThrow(),
                        new Server.Place(host, 0, key, log::add),
                        InstantSource.system());
    }

    /// Makes every round take at least so long, even on a fast machine.
    void slowTo(Duration aRound) {
        pause = aRound.toNanos();
    }

    /// The engine reads its clock in every round.
    private long nanos() {
        if (Thread.currentThread().getName().equals("outrider-serving")) {
            LockSupport.parkNanos(pause);
        }
        return System.nanoTime();
    }

    private static Path withTemplate(Path folder) {
        try (var files = Files.list(MODELS.resolve("tiny-target"))) {
            var copy = Files.createDirectory(folder.resolve("tiny"));
            for (var file : files.toList()) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
            Files.writeString(
                    copy.resolve("chat_template.jinja"),
                    "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:");
            return copy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    LoadedExperiment loaded() {
        return loaded;
    }

    ServedTarget served() {
        return served;
    }

    Server server() {
        return server;
    }

    String url() {
        return "http://127.0.0.1:" + server.port();
    }

    HttpResponse<String> get(String path) {
        return send(HttpRequest.newBuilder(URI.create(url() + path)).build());
    }

    HttpResponse<String> post(String path, String body, String... headers) {
        var request =
                HttpRequest.newBuilder(URI.create(url() + path))
                        .timeout(Duration.ofSeconds(60))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body));
        return send((headers.length == 0 ? request : request.headers(headers)).build());
    }

    HttpResponse<String> send(HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Returns the answer to a body; its status must be 200.
    JsonNode answer(String path, String body) {
        var response = post(path, body);
        if (response.statusCode() != 200) {
            throw new AssertionError(response.statusCode() + " " + response.body());
        }
        return json(response.body());
    }

    static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the objects of a stream of events, without the last event, which is `[DONE]`.
    static List<JsonNode> events(String stream) {
        var data =
                stream.lines()
                        .filter(line -> !line.isEmpty())
                        .map(line -> line.substring("data: ".length()))
                        .toList();
        if (!data.getLast().equals("[DONE]")) {
            throw new AssertionError(stream);
        }
        return data.subList(0, data.size() - 1).stream().map(TestServer::json).toList();
    }

    @Override
    public void close() {
        client.close();
        server.close();
        lookup.close();
        loaded.close();
    }
}
