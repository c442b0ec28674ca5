import java.util.ArrayList;
import java.util.List;

/** A quiet program whose heap holds known numbers of things. Compiled with --release 8. */
public class Target {
    static class Empty {}
    static class Mixed { byte b; long l; short s; Object o; int i; boolean z; }
    static class Below extends Mixed { byte more; double d; char c; }
    static class Refs { Object a, b, c; }
    static class Chain extends Below { int x; Object y; }

    static final List<Object> kept = new ArrayList<>();
    static int[] ints = new int[300_000];
    static long[] longs = new long[100_001];
    static Object[] objects = new Object[77_777];
    static Mixed[][] grid = new Mixed[3][5];

    static String text(String s) { return new String(s.toCharArray()); }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 1000; i++) kept.add(new Empty());
        for (int i = 0; i < 1001; i++) kept.add(new Mixed());
        for (int i = 0; i < 1002; i++) kept.add(new Below());
        for (int i = 0; i < 1003; i++) kept.add(new Refs());
        for (int i = 0; i < 1004; i++) kept.add(new Chain());
        for (int i = 0; i < 500; i++) kept.add(text("the same text in five hundred copies"));
        for (int i = 0; i < 20; i++) kept.add(text("wide \u20ac \u4e2d\u6587 text"));
        StringBuilder big = new StringBuilder("begin of the biggest text\n\u001b[31m");
        while (big.length() < 400_000) big.append("0123456789");
        kept.add(big.toString());
        StringBuilder wide = new StringBuilder("\u20ac the biggest wide text ");
        while (wide.length() < 100_000) wide.append("\u4e2d\u6587");
        kept.add(wide.toString());
        Thread t = new Thread(new Runnable() {
            public void run() { holding(new byte[1_234_567], new int[1000]); }
        }, "holder of big locals");
        t.setDaemon(true);
        t.start();
        Thread.sleep(200);
        System.out.println("READY");
        Thread.sleep(600_000);
    }

    static void holding(byte[] big, int[] small) {
        try {
            Thread.sleep(600_000);
        } catch (InterruptedException e) {
            System.out.println(big.length + small.length);
        }
    }
}
