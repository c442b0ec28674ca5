package jtop.demo;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;

/** The question service: a JSON list, and one path for each kind of trouble that a JVM can be in. */
final class Question extends Service {
    private static final int WORKERS = 32;

    static final String HELP =
        "jtop demo: two small services to watch and to load. GET and HEAD only, loopback only.\n"
        + "\n"
        + "/question?page=1&limit=10      a JSON list of questions, about 2 KB (limit 1..100)\n"
        + "/question/churn?kb=512         fills Eden with short-lived arrays (1..65536 KB)\n"
        + "/question/lock?ms=20           holds the one lock of QuestionCache; callers queue (0..5000 ms)\n"
        + "/question/leak?kb=64           adds to a list that nobody empties (1..8192 KB)\n"
        + "/question/leak/clear           empties that list\n"
        + "/question/strings?kb=512       builds a large debug string and drops it (1..4096 KB)\n"
        + "/question/slow?ms=200          a slow query (0..10000 ms)\n"
        + "/question/big?kb=9000          a large response, gzip when asked (1..65536 KB)\n"
        + "/question/cpu?ms=50            keeps one core busy (0..2000 ms)\n"
        + "/question/deadlock             two threads deadlock, once in the life of the process\n"
        + "/health                        JSON status\n"
        + "/                              this text\n";

    private final QuestionRepository repository = new QuestionRepository();
    private final QuestionCache cache = new QuestionCache();

    private Question() {
        super("question", WORKERS);
    }

    public static void main(String[] argv) throws IOException {
        Args args;
        try {
            args = Args.parse(argv);
        } catch (IllegalArgumentException wrong) {
            System.err.println("question: " + wrong.getMessage());
            System.exit(2);
            return;
        }
        new Question().run(args);
    }

    @Override
    String help() {
        return HELP;
    }

    @Override
    void handle(HttpExchange exchange, String path, Params params) throws IOException, InterruptedException {
        switch (path) {
            case "/question":
            case "/question/":
                json(exchange, repository.page(params.number("page", 1, 1, 1_000_000), params.number("limit", 10, 1, 100)));
                return;
            case "/question/churn":
                text(exchange, 200, "allocated " + Workload.churn(params.number("kb", 512, 1, 65_536)) + " KB\n");
                return;
            case "/question/lock":
                cache.refresh(params.number("ms", 20, 0, 5_000));
                text(exchange, 200, "cache refreshed " + cache.refreshes() + " times\n");
                return;
            case "/question/leak":
                text(exchange, 200, "kept " + LeakedAnswers.keep(params.number("kb", 64, 1, 8_192)) + " KB\n");
                return;
            case "/question/leak/clear":
                text(exchange, 200, "released " + LeakedAnswers.clear() + " KB\n");
                return;
            case "/question/strings":
                text(exchange, 200, "built " + Workload.strings(params.number("kb", 512, 1, 4_096)) + " characters\n");
                return;
            case "/question/slow":
                text(exchange, 200, repository.slowQuery(params.number("ms", 200, 0, 10_000)));
                return;
            case "/question/big":
                BigAnswer.send(exchange, params.number("kb", 9_000, 1, 65_536));
                return;
            case "/question/cpu":
                text(exchange, 200, "result " + Workload.burn(params.number("ms", 50, 0, 2_000)) + "\n");
                return;
            case "/question/deadlock":
                text(exchange, 200, Deadlock.make());
                return;
            default:
                throw new BadRequest(404, "no such path; GET / lists them all");
        }
    }
}
