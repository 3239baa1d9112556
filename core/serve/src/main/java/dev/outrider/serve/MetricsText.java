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

    String of(ServingCounters now) {
        value("num_requests_running", "gauge", "Texts that share a pass.", now.running());
        value("num_requests_waiting", "gauge", "Texts in the queue.", now.waiting());
        double used = (double) now.cacheBytes() / now.cacheLimit();
        value("kv_cache_usage_perc", "gauge", "Used part of the memory for caches.", used);
        count("prompt_tokens_total", "Tokens of prompts.", now.promptTokens());
        count("prefix_cache_queries_total", "Tokens that may be shared.", now.lookedTokens());
        count("prefix_cache_hits_total", "Tokens that were shared.", now.sharedTokens());
        count("generation_tokens_total", "Tokens that were written.", now.emittedTokens());
        count("spec_decode_num_drafts_total", "Rounds with a draft.", now.drafts());
        count("spec_decode_num_draft_tokens_total", "Drafted tokens.", now.draftedTokens());
        count("spec_decode_num_accepted_tokens_total", "Accepted guesses.", now.acceptedTokens());
        var byPosition = "spec_decode_num_accepted_tokens_per_pos_total";
        head(byPosition, "counter", "Accepted guesses by position in the draft.");
        for (int at = 0; at < now.acceptedByPosition().size(); at++) {
            line(byPosition, ",position=\"%d\"".formatted(at), now.acceptedByPosition().get(at));
        }
        var success = "request_success_total";
        head(success, "counter", "Texts that ended, by reason.");
        success(now.finished())
                .forEach((reason, count) ->
                        line(success, ",finished_reason=\"%s\"".formatted(reason), count));
        count("request_failed_total", "Texts that failed.", now.failed());
        count("request_refused_total", "Texts refused by a full queue.", now.refused());
        histogram("time_to_first_token_seconds", "To the first token.", now.firstToken());
        histogram("inter_token_latency_seconds", "Between two tokens.", now.betweenTokens());
        histogram("e2e_request_latency_seconds", "To the end.", now.endToEnd());
        return text.toString();
    }

    private static Map<String, Long> success(Map<Reason, Long> finished) {
        var counts = new TreeMap<>(Map.of("stop", 0L, "length", 0L, "abort", 0L));
        finished.forEach((reason, count) -> counts.merge(Answers.reason(reason), count, Long::sum));
        return counts;
    }

    private void count(String name, String help, long value) {
        value(name, "counter", help, value);
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
