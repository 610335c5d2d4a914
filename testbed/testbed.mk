# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# A part of the Makefile of the tree, with whose directory all paths begin.

## Attacks, concurrency, fuzzing, endurance

EBPF_PROFILER := $(TESTBED)/ebpf-profiler
COMPATIBILITY := $(TESTBED)/compatibility

.PHONY: other-user faults hostile jcstress lincheck fuzz fuzz-merge soak embedded-chaos beside-sdk
# Part of make test-all as well, with fewer races.
RACES ?= 3000
other-user: tools # Attacks by another user of the host, and races with one; needs root.
#   RACES says how often.
	$(MVN) $(MVN_FLAGS) verify -Dit.test='OtherUserTest,RivalUserTest,ExchangedDirectoryTest,PrivateDirectoryTest,StaleSocketsTest' \
	  -Dtest.races=$(RACES) -Dmaven.javadoc.skip=true

faults: $(JAR) $(ELASTIC) # Errors at every point of the plug-in, and limits of the operating system.
#   POINTS=elastic selects points by regular expression.
	$(MVN) $(MVN_FLAGS) test -f $(FAULTS)/pom.xml -Dtest='InjectedFaultsTest,SystemFaultsTest' -Dtest.faults=all \
	  -Dtest.faults.points='$(POINTS)'

DATAGRAMS ?= 10000000
hostile: $(JAR) # Forged datagrams at full rate during real traffic; DATAGRAMS is their number.
	$(MVN) $(MVN_FLAGS) test -f $(FAULTS)/pom.xml -Dtest=HostileDatagramsTest -Dtest.datagrams=$(DATAGRAMS)

CONCURRENCY := target/concurrency
MODE ?= quick
TESTS ?= .*
# The short modes have one configuration of the JVM, in which C2 orders instructions at random. The
# long ones have all, with each actor interpreted, and compiled by C1 and C2.
JCSTRESS_SHORT := -sc false -jvmArgs '-Xmx256m -XX:-TieredCompilation -XX:+UnlockDiagnosticVMOptions \
  -XX:+StressLCM -XX:+StressGCM -XX:+StressIGVN -XX:+StressCCP'
JCSTRESS_sanity := -m sanity $(JCSTRESS_SHORT)
JCSTRESS_quick := -m quick -iters 3 $(JCSTRESS_SHORT)
JCSTRESS_default := -m default
JCSTRESS_tough := -m tough
# jcstress throws from main if an outcome is forbidden or a test failed.
jcstress: $(JAR) # What several threads share, under jcstress; a minute or two.
#   MODE is sanity, quick, default or tough (hours), TESTS selects by regular expression.
	$(if $(JCSTRESS_$(MODE)),,$(error MODE is $(MODE): it can be sanity, quick, default or tough))
	$(MVN) $(MVN_FLAGS) -q -f $(TESTBED)/concurrency/pom.xml compile dependency:build-classpath \
	  -Dmdep.outputFile=$(abspath $(CONCURRENCY))/classpath
	@mkdir -p $(CONCURRENCY)/jcstress
	cd $(CONCURRENCY)/jcstress && $(JAVA) -cp "../classes:$$(cat ../classpath)" org.openjdk.jcstress.Main \
	  -r report -t '$(TESTS)' $(JCSTRESS_$(MODE))

lincheck: $(JAR) # The same under Lincheck, by stress and by model checking; ten minutes.
#   SCENARIOS=2 runs fewer scenarios.
	$(MVN) $(MVN_FLAGS) -q -f $(TESTBED)/concurrency/pom.xml test \
	  $(if $(SCENARIOS),-Dlincheck.scenarios.stress=$(SCENARIOS) -Dlincheck.scenarios.model=$(SCENARIOS))

SECONDS ?= 20
TARGETS ?= .
fuzz: # Hostile bytes for everything that decodes them, by Jazzer, and by libFuzzer with clang.
#   SECONDS sets the time for each target, TARGETS selects by regular expression.
fuzz-merge: # Adds new inputs that fuzzing found to the test corpora.
fuzz fuzz-merge: $(JAR) $(DOCTOR)
	$(MAKE) -s -C native fuzzers
	$(MVN) $(MVN_FLAGS) -q -f $(TESTBED)/fuzz/pom.xml dependency:build-classpath \
	  -Dmdep.outputFile=$(abspath target/fuzz/classpath)
	$(MVN) $(MVN_FLAGS) -q test-compile dependency:build-classpath -Dmdep.outputFile=target/test.classpath
	@touch $(JAR)
	$(TESTBED)/fuzz/fuzz.sh $(if $(filter fuzz,$@),run,merge) $(JAVA) \
	  "$(JAR):target/test-classes:doctor/target/classes:doctor/target/test-classes:$$(cat target/test.classpath)" $(SECONDS) '$(TARGETS)'

MINUTES ?= 3
SEED ?=
SOAK := $(TESTBED)/soak
soak: $(JAR) stand-in # Applications under load, a profiler and random disturbances: is anything lost?
#   MINUTES sets the duration, SEED repeats a run; root enables more disturbances.
	$(MVN) $(MVN_FLAGS) -q -f $(SOAK)/pom.xml test-compile dependency:build-classpath -Dmdep.outputFile=target/classpath
	$(JAVA) -Dsoak.minutes=$(MINUTES) -Dsoak.seed=$(SEED) -Dsoak.stand-in=$(STAND_IN_PROFILER) \
	  -Dsoak.logging=$(SOAK)/logging.properties \
	  -cp "$(abspath $(JAR)):$(abspath $(SOAK)/target/test-classes):$$(cat $(SOAK)/target/classpath)" \
	  io.flamespan.correlation.soak.Soak

CHAOS := $(TESTBED)/embedded-chaos
CHAOS_JAVA ?= $(JAVA)
embedded-chaos: $(EMBEDDED) # An application that is hard on the embedded profiler: does it crash, lose or mix up anything?
#   MINUTES sets the duration, EVENTS=cpu,alloc,lock,wall what is sampled, CHAOS_JAVA=/path/to/java takes an older Java.
	$(QUIET_PACKAGE) -f $(CHAOS)/pom.xml
	$(CHAOS_JAVA) -Xmx300m -XX:CompileCommand=quiet \
	  '-XX:CompileCommand=dontinline,io.flamespan.testbed.chaos.Endpoints::endpoint*' \
	  -cp "$(CHAOS)/target/classes:$(CHAOS)/target/lib/*:$$($(MAKE) -s classpath-embedded)" \
	  io.flamespan.testbed.chaos.EmbeddedChaos $(MINUTES) $(or $(EVENTS),cpu)

BESIDE_SDK := $(TESTBED)/beside-sdk/target
BESIDE_JAR ?= $(JAR)
SDKS ?= $(shell sed -n 's:^ *<opentelemetry.version>\(.*\)</.*:\1:p' $(TESTBED)/pom.xml) $(OPENTELEMETRY) declarative
LOADS ?= .*
STEADY ?= 60
beside-sdk: $(JAR) # How spans leave with the plug-in and with the SDK alone, in one table; half an hour.
#   LOADS selects by regular expression, STEADY sets the seconds of steady loads, SDKS=1.42.1 one SDK,
#   BESIDE_JAR another jar of the plug-in.
	@$(MAKE) -s -C $(JAVA_AGENT) agent MVN='$(MVN)' MVN_FLAGS='$(MVN_FLAGS)'
	for sdk in $(SDKS); do $(MVN) $(MVN_FLAGS) -q -f $(TESTBED)/pom.xml -pl beside-sdk -am package \
	    $$(case $$sdk in declarative) echo -Pdeclarative ;; *) echo -Dopentelemetry.version=$$sdk ;; esac) || exit 1; done
	@status=0; for sdk in $(SDKS); do \
	    $(JAVA) -Dbeside.seconds=$(STEADY) -Dbeside.agent=$(AGENT) -cp "$(BESIDE_SDK)/classes:$(BESIDE_SDK)/sdk-$$sdk/*" \
	    io.flamespan.testbed.beside.BesideSdk $(abspath $(BESIDE_JAR)) $(abspath $(BESIDE_SDK))/sdk-$$sdk '$(LOADS)' || status=1; \
	  done; exit $$status

## Compatibility and the real profiler

.PHONY: compatibility example-event-loop interop host-profiler flame-graphs screenshots known-causes gate-check known-times
# Rows, or "fast" for those that each change has to pass, separated by commas.
ROWS ?= all
COMPATIBILITY_JAVAS ?= $(or $(JAVA_HOME),$(patsubst %/bin/java,%,$(realpath $(shell command -v java)))) \
  $(wildcard /usr/lib/jvm/*) $(patsubst %/bin/java,%,$(shell .ci/jre 11.0.13.1))
compatibility: $(JAR) stand-in # The plug-in with other libraries, frameworks and runtimes that hook the same places.
#   ROWS=row,row or ROWS=fast selects some, SKIP=no allows none to be skipped.
	modules=$$(awk -F '\t+' -v wanted=,$(ROWS), '/^[^#]/ && $$5 != "-" && \
	    (wanted ~ /,all,/ || index(wanted, "," $$1 ",") || index(wanted, "," $$2 ",")) { print $$5 }' \
	    $(COMPATIBILITY)/matrix.tsv | sort -u | paste -sd,) && \
	  $(QUIET_PACKAGE) -f $(COMPATIBILITY)/pom.xml -pl runner$${modules:+,$$modules} -am
	@touch $(JAR)
	$(JAVA) -cp '$(COMPATIBILITY)/runner/target/classes:$(COMPATIBILITY)/runner/target/lib/*' \
	  io.flamespan.testbed.compatibility.runner.Compatibility $(abspath $(STAND_IN_PROFILER)) \
	  $(abspath $(COMPATIBILITY)) "$$($(MAKE) -s classpath)" \
	  $(subst $(space),:,$(strip $(COMPATIBILITY_JAVAS))) $(ROWS) $(if $(filter no,$(SKIP)),no-skips)

example-event-loop: # Vert.x and Quarkus, under the Java agent and without it; four rows of make compatibility.
	$(MAKE) compatibility ROWS=vertx,vertx-agent,quarkus,quarkus-agent

interop: $(JAR) runners # The plug-in under the real OpenTelemetry eBPF profiler; needs root and Go.
#   SCENARIO selects some, separated by commas.
	@$(MAKE) -s -C $(EBPF_PROFILER) run JAVA=$(JAVA) JAVAC=$(JAVA)c SCENARIO=$(SCENARIO) \
	  MVN='$(MVN)' MVN_FLAGS='$(MVN_FLAGS)' \
	  CLASSPATH="$(abspath $(DEMO))/target/lib/*:$$($(MAKE) -s classpath)"

host-profiler: # Builds the OpenTelemetry eBPF profiler, and a collector that takes its profiles; needs Go and gcc.
	@$(MAKE) -s -C $(EBPF_PROFILER) profiler
	@$(MAKE) -s -C $(FLAME_GRAPHS) collector

flame-graphs: # A page with the flame graphs of the demo's endpoints, made with a profiler and a collector.
#   A minute; needs Go, npm, and root for the real profiler. DURATION and RATE are seconds and samples
#   per second, OFF_CPU=1 records waits. PROFILER=stand-in uses the stand-in; with it, PROTOCOL=otel
#   links samples to current spans. PROFILER=embedded needs neither collector, Go nor root, and checks the page.
#   PID=4711 takes a running process of yours in place of the shop, and serves the page meanwhile. APP='-jar
#   /path/to/app.jar' starts an application of yours with the Java agent and the embedded profiler, which records
#   EVENTS=cpu,wall,stops,lock,alloc, and prints the address of the page, which follows it. When it ends, a file has
#   the page.
screenshots: # The same, and renews the screenshots in docs.
ifdef APP
$(if $(PID)$(filter-out embedded,$(PROFILER)),$(error APP starts with the embedded profiler: leave PID and PROFILER out))
flame-graphs: $(EMBEDDED) page
	@$(MAKE) -s -C $(JAVA_AGENT) agent MVN='$(MVN)' MVN_FLAGS='$(MVN_FLAGS)'
	@JAVA='$(JAVA)' AGENT="$(AGENT)" EXTENSION=$(EMBEDDED:.jar=-agent.jar) APP='$(APP)' RATE=$(or $(RATE),100) \
	  PAGE_JAR=$(PAGE) BUILD=$(abspath $(FLAME_GRAPHS)/build) $(FLAME_GRAPHS)/own.sh
else ifeq ($(PROFILER),embedded)
$(if $(PID),$(error PROFILER is embedded, which has to be in the process: PID needs ebpf or stand-in))
flame-graphs: $(EMBEDDED) page runners
	$(RUN).page.EmbeddedPage "$(SHOP_CLASSPATH):$$($(MAKE) -s classpath-embedded)" \
	  $(PAGE) $(FLAME_GRAPHS)/build $(or $(DURATION),20) $(or $(RATE),100)
else
flame-graphs screenshots: stand-in page $(if $(PID),,$(JAR) runners)
	@$(MAKE) -s -C $(FLAME_GRAPHS) $(if $(filter screenshots,$@),screenshots,run) JAVA=$(JAVA) PID='$(PID)' \
	  MVN='$(MVN)' MVN_FLAGS='$(MVN_FLAGS)' STAND_IN=$(abspath $(STAND_IN_PROFILER)) \
	  $(if $(PID),,SHOP_CLASSPATH='$(SHOP_CLASSPATH)' PLUGIN_CLASSPATH="$$($(MAKE) -s classpath)")
endif

CAUSES ?= .
known-causes: $(EMBEDDED) page runners # Slow applications with a known cause, as with flame-graphs APP=: do three rows of an answer name it?
#   CAUSES selects by regular expression.
	$(QUIET_PACKAGE) -f $(TESTBED)/pom.xml -pl known-causes
	@$(MAKE) -s -C $(JAVA_AGENT) agent MVN='$(MVN)' MVN_FLAGS='$(MVN_FLAGS)'
	JAVA='$(JAVA)' AGENT="$(AGENT)" EXTENSION=$(EMBEDDED:.jar=-agent.jar) RATE=100 \
	  PAGE_JAR=$(PAGE) $(RUN).causes.KnownCauses $(FLAME_GRAPHS)/own.sh \
	  '$(abspath $(TESTBED))/known-causes/target/classes:$(abspath $(TESTBED))/known-causes/target/lib/*' \
	  $(PAGE) $(TESTBED)/known-causes/target/runs '$(CAUSES)'

POOL := $(TESTBED)/runners/target/gate
gate-check: $(EMBEDDED) page runners # Runs of the same shop: how often does compare --fail-above call one dearer? Half an hour.
#   RUNS is the number of runs, DURATION their seconds.
	$(RUN).page.EmbeddedRuns "$(SHOP_CLASSPATH):$$($(MAKE) -s classpath-embedded)" $(POOL) \
	  $(or $(RUNS),24) $(or $(DURATION),60) 100
	$(MVN) $(MVN_FLAGS) -f page/pom.xml test -Dtest=GateRealRunsTest,GateCalibrationTest,GroupComparisonTest -Dtest.gates=4 -Dtest.simulations=100 \
	  -Dpage.test.runs=$(abspath $(POOL))

REQUESTS ?= 100
ENDPOINTS ?= .*
TIMES_JAVA ?= $(JAVA)
known-times: $(EMBEDDED) page runners # An application that knows what each of its requests did: does the page tell the same?
#   REQUESTS of each endpoint, ENDPOINTS=regular-expression selects some, TIMES_JAVA='/path/to/java -XX:+UseZGC' takes another JVM,
#   or a script that limits its CPU time.
#   By samples alone, and with exact times of spans.
	$(QUIET_PACKAGE) -f $(TESTBED)/known-times/pom.xml
	for times in off all; do \
	  $(RUN).times.KnownTimesCheck $(PAGE) $(TESTBED)/known-times/target/run $(REQUESTS) '$(ENDPOINTS)' $(TIMES_JAVA) \
	  -Dflamespan.span.times=$$times -Dflamespan.embedded.profiler=on -Dflamespan.embedded.profiler.period=10ms \
	  -Dflamespan.embedded.profiler.events=cpu,wall,stops,holders -Dotel.service.name=known-times \
	  -Dotel.traces.exporter=none -Dotel.metrics.exporter=none -Dotel.logs.exporter=none \
	  -cp "$(TESTBED)/known-times/target/classes:$(TESTBED)/known-times/target/lib/*:$$($(MAKE) -s classpath-embedded)" \
	  io.flamespan.testbed.times.KnownTimes || exit; \
	done

## Costs

.PHONY: bench
BENCH ?=
BENCH_PAGE ?= target/benchmarks.md
BENCH_MODES ?=
BENCH_CPU_TIME ?= false
FORKS ?= 20
AGENT = $$(ls $(JAVA_AGENT)/build/opentelemetry-javaagent-*.jar)
BENCHMARKS := $(TESTBED)/benchmarks
bench: $(JAR) $(EMBEDDED) stand-in # Benchmarks, load figures, whole servers and starts, an hour and a half, into target/benchmarks.md.
#   BENCH selects by regular expression (server- is the whole servers, embedded- those with a profiler inside), BENCH_PAGE is where the tables
#   go. FORKS, 20, is the number of JVMs for each row and mode of the first table,
#   BENCH_MODES=auto,elastic adds modes to it, BENCH_CPU_TIME=true states CPU time.
	$(MAKE) -s -C native bench
	$(MVN) $(MVN_FLAGS) -q -f $(BENCHMARKS)/pom.xml test-compile dependency:build-classpath -Dmdep.outputFile=target/classpath
	$(QUIET_PACKAGE) -f examples/pom.xml -pl spring-boot -am
	$(MAKE) -s -C $(JAVA_AGENT) agent MVN='$(MVN)' MVN_FLAGS='$(MVN_FLAGS)'
	$(JAVA) -Dbench.forks=$(FORKS) -Dbench.modes='$(BENCH_MODES)' \
	  -Dbench.cpu-time=$(BENCH_CPU_TIME) -Dbench.sender=native/build/datagram_sender \
	  -Dbench.spring-boot=$(SPRING_BOOT)/target/shop.jar -Dbench.extension=$(JAR) \
	  -Dbench.agent="$(AGENT)" -Dbench.embedded=$(EMBEDDED:.jar=-agent.jar) -Dtest.stand-in=$(STAND_IN_PROFILER) \
	  -cp "$(JAR):$(BENCHMARKS)/target/test-classes:$$(cat $(BENCHMARKS)/target/classpath)" \
	  io.flamespan.correlation.benchmark.BenchmarkReport "$(BENCH_PAGE)" "$(BENCH)"
