package dev.outrider.serve;

import dev.outrider.serve.answer.Answers;
import dev.outrider.serving.Completion.Reason;
import dev.outrider.serving.ServingCounters;
import dev.outrider.serving.ServingCounters.Histogram;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// Counters in the text form of Prometheus, under vLLM's names: dashboards and harnesses know them.
final class MetricsText {
    private final StringBuilder text = new StringBuilder();
    private final String model;

    MetricsText(String model) {
        this.model = model.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    String of(ServingCounters counters) {
        value("num_requests_running", "gauge", "Requests that share a pass.", counters.running());
        value("num_requests_waiting", "gauge", "Requests in the queue.", counters.waiting());
        value(
                "kv_cache_usage_perc",
                "gauge",
                "Part of the memory for caches that running requests were given, 0 to 1.",
                (double) counters.cacheBytes() / counters.cacheLimit());
        value(
                "prompt_tokens_total",
                "counter",
                "Tokens of prompts that were read.",
                counters.promptTokens());
        value(
                "generation_tokens_total",
                "counter",
                "Tokens that were written.",
                counters.emittedTokens());
        value("spec_decode_num_drafts_total", "counter", "Rounds with a draft.", counters.drafts());
        value(
                "spec_decode_num_draft_tokens_total",
                "counter",
                "Tokens that were drafted.",
                counters.draftedTokens());
        value(
                "spec_decode_num_accepted_tokens_total",
                "counter",
                "Drafted tokens that were accepted.",
                counters.acceptedTokens());
        head(
                "spec_decode_num_accepted_tokens_per_pos_total",
                "counter",
                "Accepted tokens by position in the draft.");
        for (int position = 0; position < counters.acceptedByPosition().size(); position++) {
            line(
                    "spec_decode_num_accepted_tokens_per_pos_total",
                    ",position=\"%d\"".formatted(position),
                    counters.acceptedByPosition().get(position));
        }
        head("request_success_total", "counter", "Requests that ended, by reason.");
        success(counters.finished())
                .forEach((reason, count) ->
                        line(
                                "request_success_total",
                                ",finished_reason=\"%s\"".formatted(reason),
                                count));
        value("request_failed_total", "counter", "Requests that failed.", counters.failed());
        value(
                "request_refused_total",
                "counter",
                "Requests refused because the queue was full.",
                counters.refused());
        histogram(
                "time_to_first_token_seconds",
                "From the request to the first token.",
                counters.firstToken());
        histogram("inter_token_latency_seconds", "Between two tokens.", counters.betweenTokens());
        histogram(
                "e2e_request_latency_seconds", "From the request to its end.", counters.endToEnd());
        return text.toString();
    }

    private static Map<String, Long> success(Map<Reason, Long> finished) {
        var counts = new TreeMap<>(Map.of("stop", 0L, "length", 0L, "abort", 0L));
        finished.forEach((reason, count) -> counts.merge(Answers.reason(reason), count, Long::sum));
        return counts;
    }

    private void value(String name, String type, String help, double value) {
        head(name, type, help);
        line(name, "", value);
    }

    private void histogram(String name, String help, Histogram histogram) {
        head(name, "histogram", help);
        long below = 0;
        for (int bucket = 0; bucket < histogram.bounds().size(); bucket++) {
            below += histogram.counts().get(bucket);
            line(name + "_bucket", ",le=\"%s\"".formatted(histogram.bounds().get(bucket)), below);
        }
        line(name + "_bucket", ",le=\"+Inf\"", histogram.count());
        line(name + "_sum", "", histogram.sum());
        line(name + "_count", "", histogram.count());
    }

    private void head(String name, String type, String help) {
        text.append(
                "# HELP vllm:%s %s%n# TYPE vllm:%s %s%n"
                        .formatted(name, help, name, type)
                        .replace("\r", ""));
    }

    private void line(String name, String labels, double value) {
        text.append(
                String.format(
                        Locale.ROOT,
                        "vllm:%s{model_name=\"%s\"%s} %s\n",
                        name,
                        model,
                        labels,
                        value == Math.rint(value) && Math.abs(value) < 1e15
                                ? Long.toString((long) value)
                                : Double.toString(value)));
    }
}
