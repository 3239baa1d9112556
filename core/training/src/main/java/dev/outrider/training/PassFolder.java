package dev.outrider.training;

import ai.djl.pytorch.engine.PtNDManager;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.common.AtomicFile;
import dev.outrider.common.ProcessLock;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.torch.TensorThread;
import dev.outrider.training.FrozenTarget.TargetPasses;
import dev.outrider.training.TrainingConfig.PassSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// The folder of a store: `passes.json` describes the target and the data, and `rows-N.safetensors` contains a batch of passes that
/// begins with row N. An unfinished store is continued after its last batch. Confined.
final class PassFolder {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String OTHER =
            "Choose another folder for 'training.passes.store', or remove this one.";

    private final PassSettings settings;
    private final TrainingJob job;
    private final Learner learner;
    private final FrozenTarget target;
    private final Path facts;

    /// @throws OutriderException `CONFIG_INVALID` if the learner reads no frozen target
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
    }

    /// Stores the passes that are not stored yet.
    ///
    /// @param stop asked after every batch
    /// @return the store; empty if it was stopped
    /// @throws OutriderException `CONFIG_INVALID` if the folder has passes of something else or must not become as large, or the errors of
    ///     reading a checkpoint
    Optional<PassStore> filled(TrainingProgress progress, BooleanSupplier stop) throws IOException {
        Files.createDirectories(settings.store());
        try (var lock =
                ProcessLock.tryTake(settings.store().resolve("passes.lock"))
                        .orElseThrow(() ->
                                refused(
                                        "another process writes '%s'".formatted(settings.store()),
                                        "Wait for it, or choose another folder."))) {
            long wanted = settings.rows(job.config());
            requireSame();
            var found = files();
            requireSameRows(found);
            if (!fill(found, wanted, progress, stop)) {
                return Optional.empty();
            }
            var store = store(files(), wanted);
            if (store.rows() < wanted) {
                throw refused(
                        "'%s' has files with %d rows where %d were stored"
                                .formatted(settings.store(), store.rows(), wanted),
                        OTHER);
            }
            return Optional.of(store);
        }
    }

    private PassStore store(List<Path> files, long rows) {
        return new PassStore(files, rows, target.config(), settings.top());
    }

    /// Returns the facts in one line; a resumed run must have the same line.
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

    /// Files of batches in the order of their rows.
    private List<Path> files() throws IOException {
        try (var all = Files.list(settings.store())) {
            return all.filter(each ->
                            each.getFileName().toString().matches("rows-\\d{12}[.]safetensors"))
                    .sorted()
                    .toList();
        }
    }

    private void requireSame() throws IOException {
        if (!Files.exists(facts)) {
            return;
        }
        try {
            var found = JSON.readTree(Files.readString(facts));
            of().forEach((key, now) -> {
                var stored = found.path(key).asText("nothing");
                if (!stored.equals(now)) {
                    throw refused(
                            "'%s' was stored with %s %s; this training has %s"
                                    .formatted(settings.store(), key, stored, now),
                            OTHER);
                }
            });
        } catch (JsonProcessingException e) {
            throw refused("'%s' is no store of passes: %s".formatted(settings.store(), e), OTHER);
        }
    }

    /// Checks that the stored rows are the data's: other data, another tokenizer or template give other rows.
    private void requireSameRows(List<Path> files) {
        if (files.isEmpty()) {
            return;
        }
        try (var stream = job.training().open(1, 0)) {
            var laid = stream.next();
            var stored = store(files.subList(0, 1), 1).row(0);
            if (!Arrays.equals(laid.tokens(), stored.tokens())
                    || !Arrays.equals(laid.learned(), stored.learned())) {
                throw refused(
                        "'%s' has other rows than these data, tokenizer and template make"
                                .formatted(settings.store()),
                        OTHER);
            }
        }
    }

    private boolean fill(
            List<Path> files, long wanted, TrainingProgress progress, BooleanSupplier stop)
            throws IOException {
        long rows = 0;
        long consumed = 0;
        if (!files.isEmpty()) {
            var last = files.getLast();
            try (var stored = CheckpointTensors.ofFile(last)) {
                rows = first(last) + PassStore.batch(stored).rows();
                consumed = PassStore.consumed(stored);
            }
        }
        if (rows >= wanted) {
            return true;
        }
        int batch = job.config().rows();
        long before = rows;
        try (var stream = job.training().open(batch, consumed);
                var manager = TensorRuntime.newManager()) {
            for (; rows < wanted; rows += batch) {
                progress.storing(rows, wanted);
                if (stop.getAsBoolean()) {
                    return false;
                }
                var laid = stream.next();
                var tensors = tensors(laid, stream.consumed(), manager);
                if (rows == before) {
                    begin(tensors, batch, rows, wanted);
                }
                SafetensorsWriter.write(
                        settings.store().resolve("rows-%012d.safetensors".formatted(rows)),
                        tensors,
                        Map.of());
            }
            progress.storing(wanted, wanted);
            return true;
        } finally {
            target.use(TargetPasses.none());
        }
    }

    private static long first(Path file) {
        return Long.parseLong(file.getFileName().toString().replaceAll("\\D", ""));
    }

    /// Runs the passes over a batch and returns the tensors to store.
    private List<StoredTensor> tensors(TokenRows batch, long consumed, PtNDManager manager) {
        var kept = new Kept();
        target.use(kept);
        TensorThread.enterInference();
        try (var scope = (PtNDManager) manager.newSubManager()) {
            learner.inputs(batch, scope);
            var outputs = kept.outputs.orElseThrow();
            try {
                return PassStore.tensors(batch, outputs, kept.passed, settings.top(), consumed);
            } catch (IllegalArgumentException e) {
                throw refused(
                        "'training.passes': " + e.getMessage(), "Change 'training.passes.top'.");
            }
        }
    }

    /// Keeps the pass over a batch.
    private static final class Kept implements TargetPasses {
        private Optional<FrozenTarget.Outputs> outputs = Optional.empty();
        private int passed;

        @Override
        public FrozenTarget.Outputs of(
                TokenRows rows,
                Set<HiddenState> states,
                boolean logits,
                PtNDManager manager,
                Supplier<FrozenTarget.Outputs> computed) {
            if (outputs.isPresent()) {
                throw new IllegalStateException("a learner asks for two passes over a batch");
            }
            var found = computed.get();
            outputs = Optional.of(found);
            passed = rows.width();
            return found;
        }
    }

    /// Refuses a store that would be too large, and writes its description.
    private void begin(List<StoredTensor> tensors, int batch, long rows, long wanted)
            throws IOException {
        double size = tensors.stream().mapToDouble(each -> each.data().byteSize()).sum() / batch;
        double all = wanted * size;
        double more = (wanted - rows) * size;
        double free = Files.getFileStore(settings.store()).getUsableSpace();
        double most = settings.gigabytes().map(each -> each * 1e9).orElse(Double.MAX_VALUE);
        if (all > most || more > free) {
            throw refused(
                    String.format(
                            Locale.ROOT,
                            "'%s' would have %.2f GB (%.0f bytes a token), of which %.2f GB are to be written; %s",
                            settings.store(),
                            all / 1e9,
                            size / job.config().contextTokens(),
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
        AtomicFile.write(
                facts, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(of()) + "\n");
    }

    private static OutriderException refused(String problem, String advice) {
        return ErrorCode.CONFIG_INVALID.error(problem, advice);
    }
}
