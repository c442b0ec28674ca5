package jtop.demo;

/** Makes up questions; the same id is always the same question. */
final class QuestionRepository {
    private static final String[] TITLES = {
        "Why does the young generation fill up twice a second",
        "How do I find the thread that holds this monitor",
        "What makes a safepoint take longer than the collection itself",
        "When is a heap of 256 MB too small for a request rate like ours",
        "Which pool grows when classes are loaded over and over again",
    };
    private static final String[] AUTHORS = {"ada", "barbara", "edsger", "grace", "tony"};

    /** One page as a JSON list: about 200 bytes for each question. */
    String page(int page, int limit) {
        StringBuilder json = new StringBuilder("[");
        for (int i = 0; i < limit; i++) {
            long id = (long) (page - 1) * limit + i + 1;
            json.append(i == 0 ? "\n" : ",\n").append(question(id));
        }
        return json.append("\n]\n").toString();
    }

    private static String question(long id) {
        long mixed = id * 0x9E3779B97F4A7C15L;
        return "{\"id\":" + id
            + ",\"title\":\"" + TITLES[(int) (id % TITLES.length)] + "?\""
            + ",\"author\":\"" + AUTHORS[(int) ((mixed >>> 40) % AUTHORS.length)] + "\""
            + ",\"score\":" + ((mixed >>> 48) % 500)
            + ",\"answers\":" + ((mixed >>> 56) % 20)
            + ",\"tags\":[\"jvm\",\"performance\",\"heap\"]"
            + ",\"asked\":\"2024-01-" + (id % 19 + 10) + "T12:00:00Z\"}";
    }

    /** Waits as a caller of a slow database would, for the given milliseconds. */
    String slowQuery(int ms) throws InterruptedException {
        Thread.sleep(ms);
        return "1 row in " + ms + " ms\n";
    }
}
