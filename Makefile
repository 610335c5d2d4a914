# Copyright The OpenTelemetry Profiling Correlation Authors
# SPDX-License-Identifier: Apache-2.0
#
#   make test           all tests: C, native library, stand-in profiler, plug-in
#   make test-oldest    the plug-in's tests, as built against the newest OpenTelemetry, with the oldest
#                       that it supports; OPENTELEMETRY selects another
#   make jcstress       what several threads share, under jcstress; a minute or two. MODE is sanity, quick,
#                       default or tough (hours), TESTS selects by regular expression
#   make lincheck       the same under Lincheck: stress, and model checking, ten minutes; SCENARIOS=2 is
#                       less of each
#   make fuzz           hostile bytes for whatever decodes them, by Jazzer, and by libFuzzer with clang:
#                       SECONDS, 20, for each target, TARGETS selects by regular expression
#   make fuzz-merge     puts what fuzzing has found to be different into the corpora of the tests
#   make other-user     attacks by another user of the host, and races with one; needs root; RACES
#                       says how often
#   make faults         errors at every point of the plug-in, and limits of the operating system;
#                       POINTS=elastic selects points whose names match this
#   make mutations      mistakes in a copy of the tree, each of which a test has to see; half an hour.
#                       MUTATIONS selects by regular expression, TURN=1/6 each sixth; needs python3
#   make demo           the main job on this machine, with a stand-in profiler; under a minute
#   make example-spring-boot
#                       a Spring Boot application with the plug-in, under the stand-in profiler;
#                       with virtual threads too if the JDK is 21 or later
#   make native         the native libraries: for this machine, and for the other CPU where a cross
#                       compiler is there
#   make check-symbols  readelf proves what profilers need of the native libraries
#   make interop        the plug-in under the real OpenTelemetry eBPF profiler; needs root and Go;
#                       SCENARIO selects some, separated by commas
#   make flame-graphs   a page with the flame graphs of the demo's endpoints, by way of a profiler and
#                       an OpenTelemetry Collector; a minute, needs Go, npm, and root for the real
#                       profiler; DURATION and RATE are seconds and samples per second, OFF_CPU=1
#                       records waits,
#                       PROFILER=stand-in does without the real one, PROTOCOL=otel then has Links to
#                       current spans
#   make screenshots    the same, and takes the pictures of the page that are in the documents
#   make bench          benchmarks, load figures, whole servers and starts, an hour and a half, into
#                       target/benchmarks.md; BENCH selects by regular expression (server- is the whole
#                       servers), BENCH_PAGE is where the tables go.
#                       FORKS, 20, is the number of JVMs for each row and mode of the first table,
#                       BENCH_MODES=auto,elastic adds modes to it, BENCH_CPU_TIME=true states CPU time
#   make soak           applications under load, a profiler and random disturbances: is anything lost?
#                       MINUTES=60 is how long, 3 by default, SEED repeats a run; root does more
#   make hostile        forged datagrams at full rate beside real traffic; DATAGRAMS is their number
#   make example-declarative
#                       the demo's application with an SDK that a file configures
#   make example-event-loop
#                       Vert.x and Quarkus, under the Java agent and by themselves; four rows of make compatibility
#   make compatibility  the plug-in with other libraries, frameworks and runtimes that hook the same places;
#                       TURN=fast, 0, 1 or 2, or ROWS=row,row selects some, SKIP=no lets none be left out
#   make example-agent  the plug-in as an extension of the OpenTelemetry Java agent; a minute
#   make example-elastic
#                       a service with all options for moving from Elastic's agent, and recording
#                       servers; a minute
#   make classpath      prints what to add to an application's class path (with -s: only that)
#   make clean
#
# JAVA_HOME selects the JDK, 17 or later.

MVN ?= mvn
MVN_FLAGS ?= -B -ntp
OPENTELEMETRY ?= 1.42.1
OPENTELEMETRY_CONTRIB ?= 1.42.0-alpha
MINUTES ?= 3
SEED ?=
RACES ?= 3000
DATAGRAMS ?= 10000000
BENCH ?=
BENCH_PAGE ?= target/benchmarks.md
BENCH_MODES ?=
BENCH_CPU_TIME ?= false
FORKS ?= 20
MODE ?= quick
TESTS ?= .*
SECONDS ?= 20
TARGETS ?= .
MUTATIONS ?= .
VERSION := $(shell sed -n 's:^  <version>\(.*\)</version>:\1:p' pom.xml)
JAR := target/otel-profiling-correlation-$(VERSION).jar
EXTENSION := $(JAR:.jar=-agent-extension.jar)
JAVA := $(if $(JAVA_HOME),$(JAVA_HOME)/bin/java,java)
STAND_IN := examples/stand-in-profiler
HARNESS := examples/harness
DEMO := examples/demo
SPRING := examples/spring-boot
IN_CODE := examples/in-code
DECLARATIVE := examples/declarative
ELASTIC := examples/elastic
COMPANY_DIRECTORY := examples/company
HARNESS_CLASSPATH := $(HARNESS)/target/classes:$(HARNESS)/target/lib/*
CONCURRENCY := target/concurrency
# The short modes have one configuration of the JVM, in which C2 orders instructions by chance. The
# long ones have all, with each actor interpreted, and compiled by C1 and C2.
JCSTRESS_SHORT := -sc false -jvmArgs '-Xmx256m -XX:-TieredCompilation -XX:+UnlockDiagnosticVMOptions \
  -XX:+StressLCM -XX:+StressGCM -XX:+StressIGVN -XX:+StressCCP'
JCSTRESS_sanity := -m sanity $(JCSTRESS_SHORT)
JCSTRESS_quick := -m quick -iters 3 $(JCSTRESS_SHORT)
JCSTRESS_default := -m default
JCSTRESS_tough := -m tough
SOURCES := $(shell find src/main native/src native/include native/exports.map -type f) pom.xml

.PHONY: test test-oldest jcstress lincheck fuzz fuzz-merge demo example-spring-boot example-agent \
  example-in-code example-declarative example-elastic example-event-loop native check-symbols interop \
  flame-graphs screenshots bench classpath clean tools package stand-in harness soak compatibility other-user faults \
  hostile mutations check-mutations

# Named by a tool that is missing, not by the first strange error that follows from it.
tools:
	@for tool in $(MVN) $(JAVA) $(or $(CC),cc) readelf; do \
	  command -v $$tool > /dev/null || { echo "$$tool is missing: JDK 17+, Maven 3.8+, gcc and binutils are needed" >&2; exit 1; }; \
	done

test: tools check-symbols stand-in check-mutations
	$(MAKE) -s -C native check
	$(MAKE) -s -C $(STAND_IN) check
	$(MVN) $(MVN_FLAGS) verify

# Only the tests' class path changes: what is tested is the jar that users get.
test-oldest: tools stand-in
	$(MVN) $(MVN_FLAGS) -q package -Dmaven.javadoc.skip=true
	$(MVN) $(MVN_FLAGS) surefire:test@default-test -Dopentelemetry.version=$(OPENTELEMETRY) \
	  -Dopentelemetry-inferred-spans.version=$(OPENTELEMETRY_CONTRIB) \
	  -Dopentelemetry-baggage-processor.version=$(OPENTELEMETRY_CONTRIB) \
	  -Dopentelemetry-aws-xray-propagator.version=$(OPENTELEMETRY_CONTRIB) \
	  -Dopentelemetry-exporter-zipkin.version=$(OPENTELEMETRY) \
	  -Dopentelemetry-api-incubator.version=$(OPENTELEMETRY)-alpha -Dtest.left-out=none:none

# jcstress throws from main if an outcome is forbidden or a test failed.
jcstress: $(JAR)
	$(if $(JCSTRESS_$(MODE)),,$(error MODE is $(MODE): it can be sanity, quick, default or tough))
	$(MVN) $(MVN_FLAGS) -q -f src/concurrency/pom.xml compile dependency:build-classpath \
	  -Dmdep.outputFile=$(abspath $(CONCURRENCY))/classpath
	@mkdir -p $(CONCURRENCY)/jcstress
	cd $(CONCURRENCY)/jcstress && $(JAVA) -cp "../classes:$$(cat ../classpath)" org.openjdk.jcstress.Main \
	  -r report -t '$(TESTS)' $(JCSTRESS_$(MODE))

lincheck: $(JAR)
	$(MVN) $(MVN_FLAGS) -q -f src/concurrency/pom.xml test \
	  $(if $(SCENARIOS),-Dlincheck.scenarios.stress=$(SCENARIOS) -Dlincheck.scenarios.model=$(SCENARIOS))

fuzz fuzz-merge: $(JAR)
	$(MAKE) -s -C native fuzzers
	$(MVN) $(MVN_FLAGS) -q -f src/fuzz/pom.xml dependency:build-classpath \
	  -Dmdep.outputFile=$(abspath target/fuzz/classpath)
	$(MVN) $(MVN_FLAGS) -q test-compile dependency:build-classpath -Dmdep.outputFile=target/test.classpath
	@touch $(JAR)
	src/fuzz/fuzz.sh $(if $(filter fuzz,$@),run,merge) $(JAVA) \
	  "$(JAR):target/test-classes:$$(cat target/test.classpath)" $(SECONDS) '$(TARGETS)'

# Part of make test, too, with fewer races.
other-user: tools
	$(MVN) $(MVN_FLAGS) verify -Dtest='OtherUserTest,RivalUserTest,PrivateDirectoryTest,StaleSocketsTest' \
	  -Dtest.races=$(RACES) -Dmaven.javadoc.skip=true

faults: tools
	$(MVN) $(MVN_FLAGS) verify -Dtest='InjectedFaultsTest,SystemFaultsTest' -Dtest.faults=all \
	  -Dtest.faults.points='$(POINTS)' -Dmaven.javadoc.skip=true

mutations: tools
	src/test/mutations/run '$(MUTATIONS)' $(TURN)

check-mutations:
	@if command -v python3 > /dev/null; then src/test/mutations/run --check; \
	else echo "SKIPPED the check of the mutations: no python3 (apt-get install python3)" >&2; test "$(SKIP)" != no; fi

native: tools
	$(MAKE) -s -C native

check-symbols: tools
	$(MAKE) -s -C native symbols

stand-in:
	$(MAKE) -s -C $(STAND_IN)

# With the demo: its shop and its libraries are those of other examples too.
harness: | tools
	$(MVN) $(MVN_FLAGS) -q -f examples/pom.xml package

$(JAR): $(SOURCES) | tools
	@$(MVN) $(MVN_FLAGS) -q package -DskipTests -Dmaven.javadoc.skip=true >&2
	@touch $(JAR)

package: $(JAR)

demo: $(JAR) stand-in harness
	$(JAVA) -cp '$(DEMO)/target/classes:$(DEMO)/target/lib/*' io.otelprofiling.examples.demo.Demo \
	  --stand-in $(STAND_IN)/build/stand-in-profiler --plugin-classpath "$$($(MAKE) -s classpath)"

example-spring-boot: tools stand-in
	$(MVN) $(MVN_FLAGS) -q -f $(SPRING)/pom.xml package -DskipTests -Dmaven.javadoc.skip=true
	$(JAVA) -cp '$(SPRING)/runner/target/classes:$(HARNESS_CLASSPATH)' \
	  io.otelprofiling.examples.springboot.runner.SpringBootExample \
	  $(STAND_IN)/build/stand-in-profiler $(SPRING)/application/target/shop.jar

example-in-code: $(JAR) stand-in harness
	@mkdir -p $(IN_CODE)/build
	application="$(DEMO)/target/lib/*:$$($(MAKE) -s classpath)" && \
	  $(JAVA)c -Xlint:all,-try -Werror -cp "$$application" -d $(IN_CODE)/build $(IN_CODE)/*.java && \
	  $(JAVA) -cp '$(IN_CODE)/build:$(HARNESS_CLASSPATH)' io.otelprofiling.examples.incode.InCodeExample \
	    $(STAND_IN)/build/stand-in-profiler "$(IN_CODE)/build:$$application"

example-declarative: $(JAR) stand-in harness
	$(MVN) $(MVN_FLAGS) -q -f $(DECLARATIVE)/pom.xml package
	$(JAVA) -cp '$(HARNESS_CLASSPATH)' $(DECLARATIVE)/DeclarativeExample.java \
	  $(STAND_IN)/build/stand-in-profiler \
	  "$(DEMO)/target/classes:$(DECLARATIVE)/target/lib/*:$$($(MAKE) -s classpath)" $(DECLARATIVE)/otel.yaml

example-elastic: tools
	$(MVN) $(MVN_FLAGS) -q -f $(ELASTIC)/pom.xml package -DskipTests -Dmaven.javadoc.skip=true
	$(JAVA) -cp '$(ELASTIC)/runner/target/classes:$(ELASTIC)/runner/target/lib/*' \
	  io.otelprofiling.examples.elastic.runner.ElasticExample \
	  '$(ELASTIC)/application/target/classes:$(ELASTIC)/application/target/lib/*' \
	  $(ELASTIC)/settings.properties $(VERSION)

# A turn or rows, or several of them, separated by commas.
ROWS ?= $(or $(TURN),all)
COMPANY_JAVAS ?= $(or $(JAVA_HOME),$(patsubst %/bin/java,%,$(realpath $(shell command -v java)))) \
  $(wildcard /usr/lib/jvm/*) $(patsubst %/bin/java,%,$(shell .ci/jre 11.0.13.1))
empty :=
space := $(empty) $(empty)

compatibility: $(JAR) stand-in
	modules=$$(awk -F '\t+' -v wanted=,$(ROWS), '/^[^#]/ && $$5 != "-" && \
	    (wanted ~ /,all,/ || index(wanted, "," $$1 ",") || index(wanted, "," $$2 ",")) { print $$5 }' \
	    $(COMPANY_DIRECTORY)/matrix.tsv | sort -u | paste -sd,) && \
	  $(MVN) $(MVN_FLAGS) -q -f $(COMPANY_DIRECTORY)/pom.xml package -pl runner$${modules:+,$$modules} -am \
	    -DskipTests -Dmaven.javadoc.skip=true
	@touch $(JAR)
	$(JAVA) -cp '$(COMPANY_DIRECTORY)/runner/target/classes:$(COMPANY_DIRECTORY)/runner/target/lib/*' \
	  io.otelprofiling.examples.company.runner.Company $(abspath $(STAND_IN))/build/stand-in-profiler \
	  $(abspath $(COMPANY_DIRECTORY)) "$$($(MAKE) -s classpath)" $(abspath $(EXTENSION)) \
	  $(subst $(space),:,$(strip $(COMPANY_JAVAS))) $(ROWS) $(if $(filter no,$(SKIP)),no-skips)

example-event-loop:
	$(MAKE) compatibility ROWS=vertx,vertx-agent,quarkus,quarkus-agent

interop: $(JAR) harness
	@$(MAKE) -s -C examples/ebpf-profiler run JAVA=$(JAVA) JAVAC=$(JAVA)c SCENARIO=$(SCENARIO) \
	  MVN='$(MVN)' MVN_FLAGS='$(MVN_FLAGS)' \
	  CLASSPATH="$(abspath $(DEMO))/target/lib/*:$$($(MAKE) -s classpath)"

flame-graphs screenshots: $(JAR) stand-in harness
	@$(MAKE) -s -C examples/flame-graphs $(if $(filter screenshots,$@),screenshots,run) JAVA=$(JAVA) MVN='$(MVN)' MVN_FLAGS='$(MVN_FLAGS)' \
	  STAND_IN=$(abspath $(STAND_IN))/build/stand-in-profiler \
	  SHOP_CLASSPATH='$(abspath $(DEMO))/target/classes:$(abspath $(DEMO))/target/lib/*' \
	  PLUGIN_CLASSPATH="$$($(MAKE) -s classpath)"

example-agent: $(JAR) stand-in harness
	@$(MAKE) -s -C examples/java-agent run JAVA=$(JAVA) JAVAC=$(JAVA)c MVN='$(MVN)' MVN_FLAGS='$(MVN_FLAGS)' \
	  STAND_IN=$(abspath $(STAND_IN))/build/stand-in-profiler EXTENSION=$(abspath $(EXTENSION)) \
	  HARNESS_CLASSPATH='$(abspath $(HARNESS))/target/classes:$(abspath $(HARNESS))/target/lib/*' \
	  SHOP_CLASSPATH='$(abspath $(DEMO))/target/classes:$(abspath $(DEMO))/target/lib/*' \
	  PLUGIN_CLASSPATH="$$($(MAKE) -s classpath)"

classpath: $(JAR)
	@printf '%s:%s\n' "$(abspath $(JAR))" "$$(cat target/plugin.classpath)"

hostile: tools stand-in
	$(MVN) $(MVN_FLAGS) verify -Dtest=HostileDatagramsTest -Dtest.datagrams=$(DATAGRAMS) -Dmaven.javadoc.skip=true

# Without declarative configuration, as the tests: its version is another than the SDK's.
bench: $(JAR) stand-in
	$(MAKE) -s -C native bench
	$(MVN) $(MVN_FLAGS) -q test-compile dependency:build-classpath -Dmdep.outputFile=target/test.classpath \
	  -DexcludeArtifactIds=opentelemetry-sdk-extension-declarative-config,opentelemetry-sdk-extension-incubator,opentelemetry-api-incubator
	$(MVN) $(MVN_FLAGS) -q -f $(SPRING)/pom.xml package -DskipTests -Dmaven.javadoc.skip=true
	@touch $(JAR)
	$(MAKE) -s -C examples/java-agent agent MVN='$(MVN)' MVN_FLAGS='$(MVN_FLAGS)'
	$(JAVA) -Dbench.forks=$(FORKS) -Dbench.modes='$(BENCH_MODES)' \
	  -Dbench.cpu-time=$(BENCH_CPU_TIME) -Dbench.sender=native/build/datagram_sender -Dbench.plugin.classpath=target/plugin.classpath \
	  -Dbench.spring-boot=$(SPRING)/application/target/shop.jar -Dbench.extension=$(EXTENSION) \
	  -Dbench.agent="$$(ls examples/java-agent/build/opentelemetry-javaagent-*.jar)" -Dtest.stand-in=$(STAND_IN)/build/stand-in-profiler \
	  -cp "$(JAR):target/test-classes:$$(cat target/test.classpath)" \
	  io.otelprofiling.correlation.benchmark.BenchmarkReport "$(BENCH_PAGE)" "$(BENCH)"

soak: $(JAR) stand-in
	$(MVN) $(MVN_FLAGS) -q test-compile dependency:build-classpath -Dmdep.outputFile=target/test.classpath \
	  -DexcludeArtifactIds=opentelemetry-sdk-extension-declarative-config,opentelemetry-sdk-extension-incubator,opentelemetry-api-incubator
	@touch $(JAR)
	$(JAVA) -Dsoak.minutes=$(MINUTES) -Dsoak.seed=$(SEED) -Dsoak.stand-in=$(STAND_IN)/build/stand-in-profiler \
	  -Dsoak.logging=src/test/resources/soak-logging.properties \
	  -cp "$(abspath $(JAR)):$(abspath target/test-classes):$$(cat target/test.classpath)" \
	  io.otelprofiling.correlation.soak.Soak

clean:
	$(MAKE) -s -C native clean
	$(MAKE) -s -C $(STAND_IN) clean
	$(MAKE) -s -C examples/ebpf-profiler clean
	$(MAKE) -s -C examples/java-agent clean
	$(MAKE) -s -C examples/flame-graphs clean
	rm -rf target $(HARNESS)/target $(DEMO)/target $(SPRING)/*/target $(IN_CODE)/build $(DECLARATIVE)/target \
	  $(ELASTIC)/*/target \
	  $(COMPANY_DIRECTORY)/*/target
