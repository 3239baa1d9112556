package dev.outrider.training;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.training.Learner.FinishedModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// Replaces a share of a step's rows with texts of the drafter's own, written with the parameters of that step. What they are depends on
/// the seed, the step, the rows and the parameters alone, so a run that goes on from a checkpoint has the same. Confined.
final class OnPolicyRows {
    /// Texts that a row may have, as random numbers are numbered.
    private static final int TEXTS_OF_A_ROW = 1 << 12;

    private final TrainingConfig config;
    private final TrainingConfig.OnPolicy settings;
    private final RunFolder folder;
    private final OnPolicyTexts texts;
    private final Supplier<FinishedModel> drafter;
    private final OnPolicyPrompts prompts;

    /// @param drafter   as the run would finish it now
    /// @param endOfText token that ends a document
    OnPolicyRows(
            TrainingConfig config,
            RunFolder folder,
            OnPolicyTexts texts,
            Supplier<FinishedModel> drafter,
            int endOfText) {
        this.config = config;
        settings = config.visiting().orElseThrow();
        this.folder = folder;
        this.texts = texts;
        this.drafter = drafter;
        prompts = new OnPolicyPrompts(endOfText, settings.promptTokens());
    }

    /// A row that is filled with texts.
    private final class Row {
        private final long number;
        private final List<int[]> prompts;
        private final List<VisitedText> texts = new ArrayList<>();
        private int left = config.contextTokens();

        Row(long number, List<int[]> prompts) {
            this.number = number;
            this.prompts = prompts;
        }

        private int[] prompt() {
            return prompts.get(texts.size() % prompts.size());
        }

        /// A row that has no room for the next prompt and a token is left as it is, unless it is empty.
        boolean open() {
            return texts.isEmpty() || left > prompt().length && texts.size() < TEXTS_OF_A_ROW;
        }

        OnPolicyTexts.Request request() {
            var prompt = prompt();
            var fitting = Arrays.copyOf(prompt, Math.min(prompt.length, left - 1));
            return new OnPolicyTexts.Request(fitting, left, number * TEXTS_OF_A_ROW + texts.size());
        }

        void add(VisitedText text) {
            var fitting = text.first(left);
            texts.add(fitting);
            left -= fitting.size();
        }
    }

    /// The batches of a step: of each batch of text the first rows, and texts of the drafter's own in place of the last.
    ///
    /// @param step counted from 1
    List<Batch> of(long step, List<TokenRows> batches) throws IOException {
        var mixed = new ArrayList<Batch>();
        var rows = new ArrayList<Row>();
        for (int i = 0; i < batches.size(); i++) {
            var batch = batches.get(i);
            long before = (step - 1) * config.accumulate() + i;
            int read = batch.rows() - own(before, batch.rows());
            if (read > 0) {
                mixed.add(batch.rows(0, read));
            }
            for (int row = read; row < batch.rows(); row++) {
                long number = before * config.rows() + row;
                rows.add(new Row(number, prompts.of(batch, row)));
            }
        }
        if (!rows.isEmpty()) {
            folder.lent(
                    drafter.get(),
                    candidate -> {
                        fill(rows, candidate);
                        return rows;
                    });
            mixed.addAll(visited(rows));
        }
        requireSomething(step, mixed);
        return mixed;
    }

    /// Rows of the batch after so many that are the drafter's own: the share, over all batches.
    private int own(long before, int rows) {
        return (int) (rounded((before + 1) * rows) - rounded(before * rows));
    }

    private long rounded(long rows) {
        return (long) Math.floor(rows * settings.share() + 1e-9);
    }

    private void fill(List<Row> rows, Path candidate) throws IOException {
        var open = new ArrayList<>(rows);
        while (!open.isEmpty()) {
            var written = texts.write(candidate, open.stream().map(Row::request).toList());
            IntStream.range(0, open.size()).forEach(i -> open.get(i).add(written.get(i)));
            open.removeIf(row -> !row.open());
        }
    }

    private List<VisitedRows> visited(List<Row> rows) {
        var batches = new ArrayList<VisitedRows>();
        for (int from = 0; from < rows.size(); from += config.rows()) {
            var some = rows.subList(from, Math.min(rows.size(), from + config.rows()));
            batches.add(
                    new VisitedRows(
                            some.stream().map(row -> List.copyOf(row.texts)).toList(),
                            config.contextTokens()));
        }
        return batches;
    }

    private void requireSomething(long step, List<Batch> batches) {
        for (var batch : batches) {
            if (!(batch instanceof VisitedRows rows) || rows.learned() > 0) {
                return;
            }
        }
        throw new OutriderException(
                ErrorCode.DATA_INVALID,
                "at step %d the drafter drew nothing in any round of its own".formatted(step),
                "Lower 'training.onPolicy.share' or 'promptTokens', or let the experiment's variant draft.");
    }

    /// Prompts out of a row of text: what each document in it begins with.
    ///
    /// @param endOfText    token that ends a document
    /// @param promptTokens most tokens of a prompt; more where what follows them is only read, as a question's rest is
    record OnPolicyPrompts(int endOfText, int promptTokens) {
        /// At least one prompt, each of at least one token.
        ///
        /// @param row of a batch
        List<int[]> of(TokenRows batch, int row) {
            int start = row * batch.width();
            int end = start + batch.width();
            var prompts = new ArrayList<int[]>();
            for (int from = start; from < end; ) {
                int to = from;
                while (to < end && batch.tokens()[to] != endOfText) {
                    to++;
                }
                int length = length(batch, from, to);
                if (length > 0) {
                    prompts.add(tokens(batch, from, from + length));
                }
                from = to + 1;
            }
            if (prompts.isEmpty()) {
                prompts.add(tokens(batch, start, start + Math.min(promptTokens, batch.width() - 1)));
            }
            return prompts;
        }

        /// Up to the first learned token behind the prompt; 0 if there is none.
        private int length(TokenRows batch, int from, int to) {
            for (int next = from + Math.min(promptTokens, Math.max(1, (to - from) / 2));
                    next < to;
                    next++) {
                if (batch.learned()[next]) {
                    return next - from;
                }
            }
            return 0;
        }

        private static int[] tokens(TokenRows batch, int from, int to) {
            return Arrays.stream(batch.tokens(), from, to).mapToInt(Math::toIntExact).toArray();
        }
    }
}
