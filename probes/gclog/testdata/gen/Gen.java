import java.util.*;

/** Makes garbage for the logs in testdata: java Gen SECONDS MB_PER_S LIVE_MB [humongous=MS] [gc=MS] [fill=MB] [say=1]. */
public class Gen {
    static byte[][] live;
    static Object big;
    static final List<byte[]> FILL = new ArrayList<byte[]>();

    public static void main(String[] args) throws Exception {
        int secs10 = (int) (Double.parseDouble(args[0]) * 10), rate = Integer.parseInt(args[1]), keep = Integer.parseInt(args[2]);
        Map<String, Integer> o = new HashMap<String, Integer>();
        for (int i = 3; i < args.length; i++) { String[] kv = args[i].split("="); o.put(kv[0], Integer.parseInt(kv[1])); }
        int humongous = o.getOrDefault("humongous", 0), gc = o.getOrDefault("gc", 0), fill = o.getOrDefault("fill", 0), say = o.getOrDefault("say", 0);
        live = new byte[Math.max(1, keep * 512)][];
        Random random = new Random(7);
        long begin = System.currentTimeMillis(), done = 0, lastBig = begin, lastGC = begin, lastSay = begin;
        while (true) {
            long now = System.currentTimeMillis();
            if (now - begin > secs10 * 100L) break;
            long due = (now - begin) * rate * 512L / 1000;
            for (; done < due; done++) {
                byte[] b = new byte[2000];
                if (done % 8 == 0) live[random.nextInt(live.length)] = b;
            }
            if (humongous > 0 && now - lastBig > humongous) { lastBig = now; big = new byte[3 << 20]; }
            if (gc > 0 && now - lastGC > gc) { lastGC = now; System.gc(); }
            if (fill > 0) {
                try { for (int i = 0; i < 16; i++) FILL.add(new byte[64 << 10]); if (FILL.size() > fill * 16) FILL.clear(); }
                catch (OutOfMemoryError e) { FILL.clear(); }
            }
            if (say > 0 && now - lastSay > say) { lastSay = now; System.out.println("request took " + done + " ms [ok] (GC is fine)"); }
            Thread.sleep(2);
        }
    }
}
