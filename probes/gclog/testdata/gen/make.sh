#!/bin/sh
# Writes the logs of testdata anew, with the JDKs below $JTOP_JDKS: sh gen/make.sh DIR. Counts change with the machine; the tests count for themselves.
set -e
out=$1 jdks=${JTOP_JDKS:-/opt/jdks} gen=$(mktemp -d)
javac --release 8 -d "$gen" "$(dirname "$0")/Gen.java"
run() { v=$1; shift; "$jdks"/*/usr/lib/jvm/java-"$v"-openjdk-*/bin/java -cp "$gen" -XX:+UnlockExperimentalVMOptions "$@" || true; }
old="-XX:+PrintGCDetails -XX:+PrintTenuringDistribution -XX:+PrintGCApplicationStoppedTime -XX:MaxTenuringThreshold=4 -XX:+PrintGCDateStamps"
cms="-XX:+UseConcMarkSweepGC -XX:CMSInitiatingOccupancyFraction=40 -XX:+UseCMSInitiatingOccupancyOnly"
run 8 -Xmx96m -Xmn24m -XX:+UseSerialGC -Xloggc:$out/jdk8-serial.log $old Gen 3 100 30 gc=900
run 8 -Xmx96m -Xmn24m -XX:+UseParallelGC -Xloggc:$out/jdk8-parallel.log $old Gen 3 100 30 gc=900
run 8 -Xmx64m -Xmn16m -XX:+UseParallelGC -Xloggc:$out/jdk8-parallel-heapat.log -XX:+PrintGCDetails -XX:+PrintHeapAtGC Gen 2 100 30
run 8 -Xmx64m -Xmn16m -XX:+UseParallelGC -XX:+PrintGC -XX:-PrintGCTimeStamps Gen 2 100 30 gc=900 say=100 >$out/jdk8-parallel-plain.log
run 8 -Xmx64m -Xmn16m $cms -Xloggc:$out/jdk8-cms.log $old Gen 3 100 25 gc=1500
run 8 -Xmx160m -Xmn60m $cms -XX:ConcGCThreads=1 -Xloggc:$out/jdk8-cms-fail.log -XX:+PrintGCDetails -XX:+PrintGCDateStamps -XX:-PrintGCTimeStamps Gen 3 400 75 fill=60
run 8 -Xmx64m -Xmn24m -XX:+UseConcMarkSweepGC -Xloggc:$out/jdk8-cms-short.log Gen 1 100 20 fill=40
run 8 -Xmx96m -XX:+UseG1GC -Xloggc:$out/jdk8-g1.log $old -XX:InitiatingHeapOccupancyPercent=30 Gen 3 100 30 humongous=200 gc=1500
run 8 -Xmx64m -XX:+UseG1GC -Xloggc:$out/jdk8-g1-fail.log -XX:+PrintGCDetails Gen 1.2 100 20 fill=42
run 8 -Xmx64m -XX:+UseG1GC -Xloggc:$out/jdk8-g1-short.log Gen 1.5 100 20 fill=35
all="-Xlog:gc*,gc+age=trace,safepoint:file"
for v in 11 17 21 25; do
	run $v -Xmx96m -Xmn24m -XX:+UseSerialGC $all=$out/jdk$v-serial.log:time,uptime,level,tags Gen 2 100 30 gc=900
	run $v -Xmx96m -Xmn24m -XX:+UseParallelGC $all=$out/jdk$v-parallel.log:uptime,level,tags Gen 2 100 30 gc=900
	run $v -Xmx96m -XX:+UseG1GC -XX:InitiatingHeapOccupancyPercent=30 $all=$out/jdk$v-g1.log:time,uptime,pid,tid,level,tags,hostname Gen 2 100 30 humongous=200 gc=900
	run $v -Xmx64m -XX:+UseG1GC -Xlog:gc*:file=$out/jdk$v-g1-fail.log Gen 1.6 100 20 fill=42
	run $v -Xmx96m -XX:+UseG1GC -Xlog:gc:file=$out/jdk$v-g1-short.log:uptimemillis Gen 1.5 100 30 gc=700 humongous=200
	run $v -Xmx64m -XX:+UseZGC -Xlog:gc*,safepoint:file=$out/jdk$v-z.log Gen 2 100 16 gc=900
	run $v -Xmx64m -XX:+UseZGC -Xlog:gc:file=$out/jdk$v-z-short.log:time Gen 1.5 200 16 fill=40
	run $v -Xmx256m -XX:+UseEpsilonGC -Xlog:gc*:file=$out/jdk$v-epsilon.log Gen 1.5 100 16
done
run 21 -Xmx64m -XX:+UseZGC -XX:+ZGenerational -Xlog:gc*,safepoint:file=$out/jdk21-zgen.log Gen 2 100 16 gc=900
run 21 -Xmx64m -XX:+UseZGC -XX:+ZGenerational -Xlog:gc:file=$out/jdk21-zgen-short.log:uptime Gen 1.5 200 16 fill=40
run 11 -Xmx64m -Xmn16m -XX:+UseConcMarkSweepGC $all=$out/jdk11-cms.log Gen 1.5 100 18 fill=30 gc=900
run 11 -Xmx40m -Xmn12m -XX:+UseSerialGC -Xlog:gc*:file=$out/jdk11-serial-nested.log:uptime,tags Gen 1 200 8 fill=20
for v in 11 21 25; do
	run $v -Xmx96m -XX:+UseShenandoahGC -Xlog:gc*,safepoint:file=$out/jdk$v-shen.log:utctime,uptime,level,tags Gen 2 100 30 gc=900
	run $v -Xmx64m -XX:+UseShenandoahGC -Xlog:gc:file=$out/jdk$v-shen-short.log Gen 1.5 200 20 fill=40
done
run 25 -Xmx96m -XX:+UseShenandoahGC -XX:ShenandoahGCMode=generational -Xlog:gc*,safepoint:file=$out/jdk25-shengen.log Gen 2 100 30 gc=900
run 25 -Xmx64m -XX:+UseG1GC $all=$out/jdk25-g1-all.log:utctime,uptime,timemillis,uptimemillis,timenanos,uptimenanos,hostname,pid,tid,level,tags Gen 0.8 100 20
run 17 -Xmx64m -XX:+UseG1GC -Xlog:gc Gen 1.5 100 20 say=50 >$out/jdk17-stdout.log
run 17 -Xmx64m -XX:+UseParallelGC -Xlog:gc*:stdout:none Gen 1.5 100 20 say=50 >$out/jdk17-none.log
mkdir -p $out/rot8 $out/rot21
run 8 -Xmx32m -Xmn4m -XX:+UseParallelGC -Xloggc:$out/rot8/gc.log -XX:+UseGCLogFileRotation -XX:NumberOfGCLogFiles=3 -XX:GCLogFileSize=8K -XX:+PrintGCDetails -XX:+PrintGCDateStamps Gen 3 100 8
run 21 -Xmx32m -XX:+UseSerialGC -Xlog:gc:file=$out/rot21/gc.log:uptime,tags:filecount=3,filesize=4k Gen 3 200 8
gzip -9 -n $out/*.log
rm -r "$gen"
