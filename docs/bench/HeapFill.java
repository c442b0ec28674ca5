import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Fills about so many MB of heap and dumps it: java -Xmx2g HeapFill.java MB FILE. A quarter of the texts are copies. */
public class HeapFill {
    static class Node {
        Node next;
        long value;
        int a;
        byte[] small = new byte[24];

        Node(Node n, long v) {
            next = n;
            value = v;
        }
    }

    static Node head;
    static final List<Object> kept = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        long most = Long.parseLong(args[0]) << 20;
        for (long i = 0; i % 4096 != 0 || used(most) < most; i++) {
            head = new Node(head, i);
            kept.add("a text that is its own: " + i);
            if (i % 2 == 0) kept.add("one of few texts: " + i % 5000);
            if (i % 64 == 0) {
                Map<String, Object> m = new HashMap<>();
                m.put("key", new int[50]);
                kept.add(m);
            }
            if (i % 4096 == 0) kept.add(new byte[20_000]);
        }
        ManagementFactory.getPlatformMXBean(com.sun.management.HotSpotDiagnosticMXBean.class).dumpHeap(args[1], false);
    }

    /** Bytes in use; near the goal those that are reachable. */
    static long used(long most) {
        Runtime r = Runtime.getRuntime();
        if (r.totalMemory() - r.freeMemory() >= most) System.gc();
        return r.totalMemory() - r.freeMemory();
    }
}
