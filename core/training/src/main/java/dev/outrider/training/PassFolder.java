package dev.outrider.training;

import ai.djl.pytorch.engine.PtNDManager;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.common.AtomicFile;
import dev.outrider.common.ProcessLock;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.torch.TensorThread;
import dev.outrider.training.FrozenTarget.TargetPasses;
import dev.outrider.training.TrainingConfig.PassSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// The folder of a store: `passes.json` says whose passes over what it has, `passes.bin` has them. A store that was not finished goes on behind
/// its last whole batch. Confined.
final class PassFolder {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final PassSettings settings;
    private final TrainingJob job;
    private final Learner learner;
    private final FrozenTarget target;
    private final Path facts;
    private final Path file;

    /// @throws OutriderException `CONFIG_INVALID` if nothing that the learner reads is of a frozen target
    PassFolder(PassSettings settings, TrainingJob job, Learner learner) {
        this.settings = settings;
        this.job = job;
        this.learner = learner;
        target =
                learner.frozen()
                        .orElseThrow(() ->
                                refused(
                                        "'training.passes' stores passes of a target or a teacher, and this training has none",
                                        "Leave the key out."));
        facts = settings.store().resolve("passes.json");
        file = settings.store().resolve("passes.bin");
    }

    /// What a store is of, in the words of its file.
    private record Manifest(Map<String, String> of, List<String> states, PassFormat format) {}

    /// Stores what is not stored yet.
    ///
    /// @param stop asked after every batch
    /// @return the store, which the caller closes; nothing if it was stopped
    /// @throws OutriderException `CONFIG_INVALID` if the folder has passes of something else or must not become as large
    Optional<PassStore> filled(TrainingProgress progress, BooleanSupplier stop) throws IOException {
        Files.createDirectories(settings.store());
        try (var lock =
                ProcessLock.tryTake(settings.store().resolve("passes.lock"))
                        .orElseThrow(() ->
                                refused(
                                        "another process writes '%s'".formatted(settings.store()),
                                        "Wait for it, or choose another folder."))) {
            long wanted = settings.rows(job.config());
            var manifest = manifest();
            long rows = manifest.map(this::rows).orElse(0L);
            requireSameRows(manifest, rows);
            if (rows < wanted && !fill(manifest, rows, wanted, progress, stop)) {
                return Optional.empty();
            }
            var found = manifest().orElseThrow();
            var states = found.states().stream().map(PassFolder::state).toList();
            return Optional.of(new PassStore(file, found.format(), states, wanted));
        }
    }

    /// In a line, as a run that goes on must have it.
    String facts() {
        return of() + " rows " + settings.rows(job.config());
    }

    private Map<String, String> of() {
        var of = new LinkedHashMap<String, String>();
        of.put("targetDigest", target.digest());
        of.put("precision", target.precision().toString());
        of.put("data", job.training().facts());
        of.put("contextTokens", "" + job.config().contextTokens());
        of.put("endOfText", "" + job.endOfText());
        of.put("top", "" + settings.top());
        return of;
    }

    private Optional<Manifest> manifest() throws IOException {
        if (!Files.exists(facts)) {
            return Optional.empty();
        }
        try {
            var found = JSON.readValue(Files.readString(facts), Manifest.class);
            for (var each : of().entrySet()) {
                var stored = found.of().getOrDefault(each.getKey(), "nothing");
                if (!stored.equals(each.getValue())) {
                    throw refused(
                            "'%s' was stored with %s %s; this training has %s"
                                    .formatted(
                                            settings.store(),
                                            each.getKey(),
                                            stored,
                                            each.getValue()),
                            "Choose another folder for 'training.passes.store', or remove this one.");
                }
            }
            found.states().forEach(PassFolder::state);
            if (found.format().states() != found.states().size() || !fits(found.format())) {
                throw broken("its format is '%s'".formatted(found.format()));
            }
            return Optional.of(found);
        } catch (JsonProcessingException | RuntimeException e) {
            throw e instanceof OutriderException known ? known : broken(e.toString());
        }
    }

    private boolean fits(PassFormat format) {
        var config = target.config();
        return format.width() == job.config().contextTokens() + 1
                && format.passed() >= format.width() - 1
                && (format.states() == 0 || format.hiddenSize() == config.hiddenSize())
                && (format.vocabulary() == 0 || format.vocabulary() == config.vocabularySize());
    }

    private OutriderException broken(String problem) {
        return refused(
                "'%s' is no store of passes: %s".formatted(settings.store(), problem),
                "Choose another folder for 'training.passes.store', or remove this one.");
    }

    /// Whole rows of the file.
    private long rows(Manifest manifest) {
        try {
            return Files.exists(file) ? Files.size(file) / manifest.format().size() : 0;
        } catch (IOException e) {
            throw broken(e.toString());
        }
    }

    /// Other data, another tokenizer or template lay other rows.
    private void requireSameRows(Optional<Manifest> manifest, long rows) throws IOException {
        if (rows == 0) {
            return;
        }
        var states = manifest.orElseThrow().states().stream().map(PassFolder::state).toList();
        try (var store = new PassStore(file, manifest.get().format(), states, 1);
                var stream = job.training().open(1, 0)) {
            var laid = stream.next();
            var stored = store.row(0);
            if (!Arrays.equals(laid.tokens(), stored.tokens())
                    || !Arrays.equals(laid.learned(), stored.learned())) {
                throw refused(
                        "'%s' has other rows than these data, tokenizer and template make"
                                .formatted(settings.store()),
                        "Choose another folder for 'training.passes.store', or remove this one.");
            }
        }
    }

    private boolean fill(
            Optional<Manifest> manifest,
            long done,
            long wanted,
            TrainingProgress progress,
            BooleanSupplier stop)
            throws IOException {
        int batch = job.config().rows();
        var end = end(manifest, done);
        long rows = end.rows();
        try (var filling = new Filling(manifest);
                var stream = job.training().open(batch, end.consumed());
                var manager = TensorRuntime.newManager()) {
            target.use(filling);
            while (rows < wanted) {
                progress.storing(rows, wanted);
                if (stop.getAsBoolean()) {
                    return false;
                }
                filling.next(stream.next(), rows, wanted);
                TensorThread.enterInference();
                try (var scope = (PtNDManager) manager.newSubManager()) {
                    learner.inputs(filling.batch, scope);
                    filling.write(stream.consumed());
                }
                rows += batch;
            }
            progress.storing(wanted, wanted);
            return true;
        } finally {
            target.use(TargetPasses.none());
        }
    }

    /// Where the last whole batch ends.
    ///
    /// @param consumed by the row source until there
    private record End(long rows, long consumed) {}

    private End end(Optional<Manifest> manifest, long done) throws IOException {
        if (done == 0) {
            return new End(0, 0);
        }
        long size = manifest.orElseThrow().format().size();
        try (var channel = FileChannel.open(file)) {
            for (long rows = done; rows > 0; rows--) {
                var bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
                channel.read(bytes, (rows - 1) * size);
                if (bytes.getLong(0) != PassFormat.WITHIN) {
                    return new End(rows, bytes.getLong(0));
                }
            }
        }
        return new End(0, 0);
    }

    /// Keeps the passes of a batch.
    private final class Filling implements TargetPasses, AutoCloseable {
        private Optional<Manifest> manifest;
        private Optional<PassStore.Writer> writer = Optional.empty();
        private Optional<FrozenTarget.Outputs> outputs = Optional.empty();
        private TokenRows batch = new TokenRows(new long[1], 1);
        private long rows;
        private long wanted;

        Filling(Optional<Manifest> manifest) {
            this.manifest = manifest;
        }

        void next(TokenRows batch, long rows, long wanted) {
            this.batch = batch;
            this.rows = rows;
            this.wanted = wanted;
            outputs = Optional.empty();
        }

        @Override
        public FrozenTarget.Outputs of(
                TokenRows passed,
                Set<HiddenState> states,
                boolean logits,
                PtNDManager manager,
                Supplier<FrozenTarget.Outputs> computed) {
            if (outputs.isPresent()) {
                throw new IllegalStateException("a learner asks for two passes over a batch");
            }
            var found = computed.get();
            outputs = Optional.of(found);
            if (manifest.isEmpty()) {
                manifest = Optional.of(begun(passed, found));
            }
            return found;
        }

        void write(long consumed) throws IOException {
            var format = manifest.orElseThrow().format();
            if (writer.isEmpty()) {
                requireRoom(format, rows, wanted);
                if (rows == 0) {
                    AtomicFile.write(
                            facts,
                            JSON.writerWithDefaultPrettyPrinter().writeValueAsString(manifest.get())
                                    + "\n");
                }
                var states = manifest.get().states().stream().map(PassFolder::state).toList();
                writer = Optional.of(new PassStore.Writer(file, format, states, rows));
            }
            writer.get().append(batch, outputs.orElseThrow(), consumed);
        }

        private Manifest begun(TokenRows passed, FrozenTarget.Outputs found) {
            var states =
                    found.hidden().keySet().stream()
                            .map(PassFolder::name)
                            .sorted(Comparator.naturalOrder())
                            .toList();
            long hidden =
                    found.hidden().values().stream()
                            .mapToLong(each -> each.getShape().get(2))
                            .findFirst()
                            .orElse(0);
            long vocabulary = found.logits().map(each -> each.getShape().get(1)).orElse(0L);
            try {
                return new Manifest(
                        PassFolder.this.of(),
                        states,
                        new PassFormat(
                                batch.width(),
                                passed.width(),
                                states.size(),
                                (int) hidden,
                                (int) vocabulary,
                                vocabulary > 0 ? settings.top() : 0,
                                isNarrow(found)));
            } catch (IllegalArgumentException e) {
                throw refused(
                        "'training.passes': " + e.getMessage(), "Change 'training.passes.top'.");
            }
        }

        /// A pass in bfloat16 gives numbers of 16 bits.
        private boolean isNarrow(FrozenTarget.Outputs found) {
            var all = new ArrayList<>(found.hidden().values());
            if (settings.top() == 0) {
                found.logits().ifPresent(all::add);
            }
            for (var each : all) {
                for (float value : each.toFloatArray()) {
                    if ((Float.floatToRawIntBits(value) & 0xFFFF) != 0) {
                        return false;
                    }
                }
            }
            return true;
        }

        @Override
        public void close() throws IOException {
            if (writer.isPresent()) {
                writer.get().close();
            }
        }
    }

    private void requireRoom(PassFormat format, long rows, long wanted) throws IOException {
        double all = (double) wanted * format.size();
        double more = (double) (wanted - rows) * format.size();
        double free = Files.getFileStore(settings.store()).getUsableSpace();
        double most = settings.gigabytes().map(each -> each * 1e9).orElse(Double.MAX_VALUE);
        if (all > most || more > free) {
            throw refused(
                    String.format(
                            Locale.ROOT,
                            "'%s' would have %.2f GB (%.0f bytes a token), of which %.2f GB are to be written; %s",
                            settings.store(),
                            all / 1e9,
                            (double) format.size() / job.config().contextTokens(),
                            more / 1e9,
                            all > most
                                    ? String.format(
                                            Locale.ROOT,
                                            "'training.passes.gigabytes' is %s",
                                            settings.gigabytes().orElse(0.0))
                                    : String.format(
                                            Locale.ROOT, "the disk has %.2f GB free", free / 1e9)),
                    "Store fewer 'tokens', or fewer logits with 'top'.");
        }
    }

    private static String name(HiddenState state) {
        return switch (state) {
            case HiddenState.AfterLayer(int layers) -> "after layer " + layers;
            case HiddenState.AfterFinalNorm() -> "after the final norm";
        };
    }

    private static HiddenState state(String name) {
        return name.startsWith("after layer ")
                ? new HiddenState.AfterLayer(
                        Integer.parseInt(name.substring("after layer ".length())))
                : new HiddenState.AfterFinalNorm();
    }

    private static OutriderException refused(String problem, String advice) {
        return new OutriderException(ErrorCode.CONFIG_INVALID, problem, advice);
    }
}
