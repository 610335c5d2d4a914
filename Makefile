# Copyright The OpenTelemetry Profiling Correlation Authors
# SPDX-License-Identifier: Apache-2.0
#
# "make help" lists the targets and their settings. JAVA_HOME selects the JDK, 17 or later.

MVN ?= mvn
MVN_FLAGS ?= -B -ntp
VERSION := $(shell sed -n 's:^  <version>\(.*\)</version>:\1:p' pom.xml)
JAR := target/otel-profiling-correlation-$(VERSION).jar
DOCTOR := doctor/target/otel-profiling-correlation-doctor-$(VERSION).jar
ELASTIC := elastic/target/otel-profiling-correlation-elastic-$(VERSION).jar
JAVA := $(if $(JAVA_HOME),$(JAVA_HOME)/bin/java,java)
SOURCES := $(shell find .mvn src/main native/src native/include native/*.map -type f) \
  native/Makefile pom.xml LICENSE
DEMO := examples/demo
SPRING_BOOT := examples/spring-boot
IN_CODE := examples/in-code
DECLARATIVE := examples/declarative
JAVA_AGENT := examples/java-agent
FLAME_GRAPHS := examples/flame-graphs
TESTBED := src/testbed
STAND_IN := $(TESTBED)/stand-in-profiler
STAND_IN_PROFILER := $(STAND_IN)/build/stand-in-profiler
EBPF_PROFILER := $(TESTBED)/ebpf-profiler
COMPATIBILITY := $(TESTBED)/compatibility
SHOP_CLASSPATH := $(abspath $(DEMO))/target/classes:$(abspath $(DEMO))/target/lib/*
RUNNERS_CLASSPATH := $(TESTBED)/runners/target/classes:$(TESTBED)/runners/target/lib/*
RUN := $(JAVA) -cp '$(RUNNERS_CLASSPATH)' io.otelprofiling.testbed
empty :=
space := $(empty) $(empty)
QUIET_PACKAGE := $(MVN) $(MVN_FLAGS) -q package -DskipTests -Dmaven.javadoc.skip=true

.PHONY: help
help: # Lists the targets.
	@awk -F ':.*# ' '/^## / { print "\n" substr($$0, 4) } \
	  /^[a-z][a-z -]*:.*# / { printf "  make %-22s %s\n", $$1, $$2 } \
	  /^#   / { printf "%29s%s\n", "", substr($$0, 5) }' $(firstword $(MAKEFILE_LIST))

## The plug-in

.PHONY: tools package doctor elastic native check-symbols classpath classpath-elastic clean
# Names a missing tool here, rather than by the first strange error that follows from it.
tools:
	@for tool in $(MVN) $(JAVA) $(if $(filter default undefined,$(origin CC)),gcc,$(CC)) readelf; do \
	  command -v $$tool > /dev/null || { echo "$$tool is missing: JDK 17+, Maven 3.8+, gcc and binutils are needed" >&2; exit 1; }; \
	done

$(JAR): $(SOURCES) | tools
	@$(QUIET_PACKAGE) >&2
	@touch $(JAR)

$(DOCTOR): $(JAR) doctor/pom.xml $(shell find doctor/src/main -type f)
	@$(QUIET_PACKAGE) -f doctor/reactor.xml >&2
	@touch $(JAR) $(DOCTOR)

$(ELASTIC): elastic/pom.xml LICENSE $(shell find elastic/src/main -type f) | tools
	@$(QUIET_PACKAGE) -f elastic/pom.xml >&2
	@touch $(ELASTIC)

package: $(JAR) $(ELASTIC) # Builds the jars that applications add.

doctor: $(DOCTOR) # Builds the doctor, one jar that one can copy.

elastic: $(ELASTIC) # Builds the jar for moving from Elastic's agent.

native: tools # Builds the native libraries for this machine, and for the other CPU if a cross compiler exists.
	$(MAKE) -s -C native

check-symbols: tools # Checks with readelf that profilers find what they need in the native libraries.
	$(MAKE) -s -C native symbols

classpath: $(JAR) # Prints what to add to an application's class path; with -s, only that.
	@echo $(abspath $(JAR))

classpath-elastic: $(ELASTIC) # Prints what to add for moving from Elastic's agent.
	@echo $(abspath $(ELASTIC))

clean: # Removes everything that was built.
	$(MAKE) -s -C native clean
	$(MAKE) -s -C $(STAND_IN) clean
	$(MAKE) -s -C $(EBPF_PROFILER) clean
	$(MAKE) -s -C $(JAVA_AGENT) clean
	$(MAKE) -s -C $(FLAME_GRAPHS) clean
	rm -rf target doctor/target elastic/target $(IN_CODE)/build examples/*/target $(TESTBED)/*/target $(COMPATIBILITY)/*/target

## Tests

.PHONY: check test test-c test-doctor test-elastic test-plugin test-oldest check-mutations other-user faults hostile mutations test-libraries
# Of single classes and of pages; left out are those that start other processes, or are long.
UNIT_TESTS := **/SdkWithDefaultsTest,**/internal/**/*Test,**/fuzz/*Test,ArchitectureTest,*PagesTest,ConformancePageTest,\
!SpanQueueStressTest,!ThreadContextLibraryTest
check: tools check-mutations # Compiles, and runs formatter, static checks and unit tests; before each commit.
	@if command -v python3 > /dev/null; then .ci/words; fi
	@rm -rf target/surefire-reports elastic/target/surefire-reports
	$(MVN) $(MVN_FLAGS) -q verify -Dtest='$(subst $(space),,$(UNIT_TESTS))' -Dskip.sanitized=true \
	  -Dmaven.javadoc.skip=true -Dmaven.source.skip=true -Dcyclonedx.skip=true -Dmaven.test.redirectTestOutputToFile=true
	@$(MAKE) -s test-doctor
	$(MVN) $(MVN_FLAGS) -q test -f elastic/pom.xml
	@echo "ok: $$(cat target/surefire-reports/*.txt doctor/target/surefire-reports/*.txt elastic/target/surefire-reports/*.txt | awk -F '[:,]' '/^Tests run/ { n += $$2 } END { print n }') tests"

test: tools check-symbols stand-in test-libraries check-mutations test-doctor # All tests: C, native library, stand-in profiler, doctor, plug-in.
	@$(MAKE) -j 2 test-c test-plugin

# They mostly wait, and so run at the same time as the others.
test-c:
	$(MAKE) -s -C native check
	$(MAKE) -s -C $(STAND_IN) check

# The tests of its classes. Those of the plug-in run in the phase after package.
test-doctor: tools
	$(MVN) $(MVN_FLAGS) -q package -f doctor/reactor.xml -Dmaven.javadoc.skip=true -Dmaven.source.skip=true \
	  -Dcyclonedx.skip=true -Dskip.sanitized=true
	@touch $(JAR) $(DOCTOR)

test-elastic: # The tests for moving from Elastic's agent.
	$(MVN) $(MVN_FLAGS) -q verify -f elastic/pom.xml -Dmaven.javadoc.skip=true -Dmaven.source.skip=true
	@touch $(ELASTIC)

test-plugin: doctor test-elastic
	$(MVN) $(MVN_FLAGS) verify

# Only the tests' class path changes: what is tested is the jar that users get.
OPENTELEMETRY ?= 1.42.1
OPENTELEMETRY_CONTRIB ?= 1.42.0-alpha
test-oldest: tools stand-in test-libraries doctor # The plug-in's tests with the oldest OpenTelemetry that it supports.
#   OPENTELEMETRY=1.50.0 selects another.
	$(MVN) $(MVN_FLAGS) -q package -Dmaven.javadoc.skip=true
	$(MVN) $(MVN_FLAGS) -q test-compile -f elastic/pom.xml
	$(MVN) $(MVN_FLAGS) -q -f elastic/pom.xml surefire:test@default-test surefire:test@long-tests -Dopentelemetry.version=$(OPENTELEMETRY)
	$(MVN) $(MVN_FLAGS) surefire:test@default-test -Dopentelemetry.version=$(OPENTELEMETRY) \
	  -Dopentelemetry-inferred-spans.version=$(OPENTELEMETRY_CONTRIB) \
	  -Dopentelemetry-baggage-processor.version=$(OPENTELEMETRY_CONTRIB) \
	  -Dopentelemetry-aws-xray-propagator.version=$(OPENTELEMETRY_CONTRIB) \
	  -Dopentelemetry-exporter-zipkin.version=$(OPENTELEMETRY) \
	  -Dopentelemetry-api-incubator.version=$(OPENTELEMETRY)-alpha -Dtest.left-out=none:none

test-libraries: $(ELASTIC)
	$(MVN) $(MVN_FLAGS) -q -f $(TESTBED)/libraries/pom.xml package
	$(MVN) $(MVN_FLAGS) -q -f $(TESTBED)/old-libraries/pom.xml package

# Part of make test as well, with fewer races.
RACES ?= 3000
other-user: tools # Attacks by another user of the host, and races with one; needs root.
#   RACES says how often.
	$(MVN) $(MVN_FLAGS) verify -Dtest='OtherUserTest,RivalUserTest,ExchangedDirectoryTest,PrivateDirectoryTest,StaleSocketsTest' \
	  -Dtest.races=$(RACES) -Dmaven.javadoc.skip=true

faults: $(ELASTIC) # Errors at every point of the plug-in, and limits of the operating system.
#   POINTS=elastic selects points by regular expression.
	$(MVN) $(MVN_FLAGS) verify -Dtest='InjectedFaultsTest,SystemFaultsTest' -Dtest.faults=all \
	  -Dtest.faults.points='$(POINTS)' -Dmaven.javadoc.skip=true

DATAGRAMS ?= 10000000
hostile: tools stand-in # Forged datagrams at full rate during real traffic; DATAGRAMS is their number.
	$(MVN) $(MVN_FLAGS) verify -Dtest=HostileDatagramsTest -Dtest.datagrams=$(DATAGRAMS) -Dmaven.javadoc.skip=true

MUTATIONS ?= .
mutations: tools # Mistakes in a copy of the tree, each of which a test has to find; up to an hour.
#   MUTATIONS selects by regular expression, TURN=1/6 each sixth.
	MVN='$(MVN)' MVN_FLAGS='$(MVN_FLAGS)' src/test/mutations/run '$(MUTATIONS)' $(TURN)

check-mutations:
	@if command -v python3 > /dev/null; then src/test/mutations/run --check; \
	else echo "SKIPPED the check of the mutations: no python3 (apt-get install python3)" >&2; test "$(SKIP)" != no; fi

## Concurrency, fuzzing, endurance

.PHONY: jcstress lincheck fuzz fuzz-merge soak
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

# Without declarative configuration, like the tests: it has a different version than the SDK.
WITHOUT_DECLARATIVE := -DexcludeArtifactIds=opentelemetry-sdk-extension-declarative-config,opentelemetry-sdk-extension-incubator,opentelemetry-api-incubator
MINUTES ?= 3
SEED ?=
soak: $(JAR) stand-in # Applications under load, a profiler and random disturbances: is anything lost?
#   MINUTES sets the duration, SEED repeats a run; root enables more disturbances.
	$(MVN) $(MVN_FLAGS) -q test-compile dependency:build-classpath -Dmdep.outputFile=target/test.classpath $(WITHOUT_DECLARATIVE)
	@touch $(JAR)
	$(JAVA) -Dsoak.minutes=$(MINUTES) -Dsoak.seed=$(SEED) -Dsoak.stand-in=$(STAND_IN_PROFILER) \
	  -Dsoak.logging=src/test/resources/soak-logging.properties \
	  -cp "$(abspath $(JAR)):$(abspath target/test-classes):$$(cat target/test.classpath)" \
	  io.otelprofiling.correlation.soak.Soak

## Demo and examples

.PHONY: stand-in runners demo example-spring-boot example-agent example-in-code example-declarative example-elastic
stand-in:
	$(MAKE) -s -C $(STAND_IN)

# With the demo, whose shop and libraries other examples use, and without the Java agents of test-libraries.
runners: | tools
	$(MVN) $(MVN_FLAGS) -q -f $(TESTBED)/pom.xml -pl runners -am package

demo: $(JAR) stand-in runners # Shows CPU by endpoint on this machine, with a stand-in profiler; less than a minute.
	$(RUN).demo.Demo --stand-in $(STAND_IN_PROFILER) --shop-classpath '$(SHOP_CLASSPATH)' \
	  --plugin-classpath "$$($(MAKE) -s classpath)"

example-spring-boot: stand-in runners # A Spring Boot application with the plug-in, under the stand-in profiler.
#   With virtual threads as well if the JDK is 21 or later.
	$(QUIET_PACKAGE) -f examples/pom.xml -pl spring-boot -am
	$(RUN).springboot.SpringBootExample $(STAND_IN_PROFILER) $(SPRING_BOOT)/target/shop.jar

example-agent: $(JAR) $(ELASTIC) stand-in runners # The plug-in as an extension of the OpenTelemetry Java agent; a minute.
	@$(MAKE) -s -C $(JAVA_AGENT) build JAVAC=$(JAVA)c MVN='$(MVN)' MVN_FLAGS='$(MVN_FLAGS)'
	$(RUN).agent.AgentExample --stand-in $(STAND_IN_PROFILER) --agent $(AGENT) --extension $(JAR) --elastic $(ELASTIC) \
	  --config-file $(JAVA_AGENT)/otel.yaml --application $(JAVA_AGENT)/build/app \
	  --plugin-shop "$(SHOP_CLASSPATH):$$($(MAKE) -s classpath)"

example-in-code: $(JAR) stand-in runners # An application that builds its SDK in code.
	@mkdir -p $(IN_CODE)/build
	application="$(DEMO)/target/lib/*:$$($(MAKE) -s classpath)" && \
	  $(JAVA)c -Xlint:all,-try -Werror -cp "$$application" -d $(IN_CODE)/build $(IN_CODE)/*.java && \
	  $(RUN).incode.InCodeExample $(STAND_IN_PROFILER) "$(IN_CODE)/build:$$application"

example-declarative: $(JAR) stand-in runners # The demo's application with an SDK that a file configures.
	$(MVN) $(MVN_FLAGS) -q -f $(DECLARATIVE)/pom.xml package
	$(RUN).declarative.DeclarativeExample $(STAND_IN_PROFILER) \
	  "$(DEMO)/target/classes:$(DECLARATIVE)/target/lib/*:$$($(MAKE) -s classpath)" $(DECLARATIVE)/otel.yaml

example-elastic: runners # A service with all options for moving from Elastic's agent, and recording servers; a minute.
	$(QUIET_PACKAGE) -f examples/pom.xml -pl elastic -am
	$(RUN).elastic.ElasticExample 'examples/elastic/target/classes:examples/elastic/target/lib/*' \
	  examples/elastic/settings.properties $(VERSION)

## Compatibility and the real profiler

.PHONY: compatibility example-event-loop interop flame-graphs screenshots
# A turn or rows, or several of them, separated by commas.
ROWS ?= $(or $(TURN),all)
COMPATIBILITY_JAVAS ?= $(or $(JAVA_HOME),$(patsubst %/bin/java,%,$(realpath $(shell command -v java)))) \
  $(wildcard /usr/lib/jvm/*) $(patsubst %/bin/java,%,$(shell .ci/jre 11.0.13.1))
compatibility: $(JAR) stand-in # The plug-in with other libraries, frameworks and runtimes that hook the same places.
#   TURN=fast, 0, 1 or 2, or ROWS=row,row selects some, SKIP=no allows none to be skipped.
	modules=$$(awk -F '\t+' -v wanted=,$(ROWS), '/^[^#]/ && $$5 != "-" && \
	    (wanted ~ /,all,/ || index(wanted, "," $$1 ",") || index(wanted, "," $$2 ",")) { print $$5 }' \
	    $(COMPATIBILITY)/matrix.tsv | sort -u | paste -sd,) && \
	  $(QUIET_PACKAGE) -f $(COMPATIBILITY)/pom.xml -pl runner$${modules:+,$$modules} -am
	@touch $(JAR)
	$(JAVA) -cp '$(COMPATIBILITY)/runner/target/classes:$(COMPATIBILITY)/runner/target/lib/*' \
	  io.otelprofiling.testbed.compatibility.runner.Compatibility $(abspath $(STAND_IN_PROFILER)) \
	  $(abspath $(COMPATIBILITY)) "$$($(MAKE) -s classpath)" \
	  $(subst $(space),:,$(strip $(COMPATIBILITY_JAVAS))) $(ROWS) $(if $(filter no,$(SKIP)),no-skips)

example-event-loop: # Vert.x and Quarkus, under the Java agent and without it; four rows of make compatibility.
	$(MAKE) compatibility ROWS=vertx,vertx-agent,quarkus,quarkus-agent

interop: $(JAR) runners # The plug-in under the real OpenTelemetry eBPF profiler; needs root and Go.
#   SCENARIO selects some, separated by commas.
	@$(MAKE) -s -C $(EBPF_PROFILER) run JAVA=$(JAVA) JAVAC=$(JAVA)c SCENARIO=$(SCENARIO) \
	  MVN='$(MVN)' MVN_FLAGS='$(MVN_FLAGS)' \
	  CLASSPATH="$(abspath $(DEMO))/target/lib/*:$$($(MAKE) -s classpath)"

flame-graphs: # A page with the flame graphs of the demo's endpoints, made with a profiler and a collector.
#   A minute; needs Go, npm, and root for the real profiler. DURATION and RATE are seconds and samples
#   per second, OFF_CPU=1 records waits. PROFILER=stand-in uses the stand-in; with it, PROTOCOL=otel
#   links samples to current spans.
screenshots: # The same, and renews the screenshots in docs.
flame-graphs screenshots: $(JAR) stand-in runners
	@$(MAKE) -s -C $(FLAME_GRAPHS) $(if $(filter screenshots,$@),screenshots,run) JAVA=$(JAVA) \
	  MVN='$(MVN)' MVN_FLAGS='$(MVN_FLAGS)' STAND_IN=$(abspath $(STAND_IN_PROFILER)) \
	  SHOP_CLASSPATH='$(SHOP_CLASSPATH)' PLUGIN_CLASSPATH="$$($(MAKE) -s classpath)"

## Costs

.PHONY: bench
BENCH ?=
BENCH_PAGE ?= target/benchmarks.md
BENCH_MODES ?=
BENCH_CPU_TIME ?= false
FORKS ?= 20
AGENT = $$(ls $(JAVA_AGENT)/build/opentelemetry-javaagent-*.jar)
bench: $(JAR) stand-in # Benchmarks, load figures, whole servers and starts, an hour and a half, into target/benchmarks.md.
#   BENCH selects by regular expression (server- is the whole servers), BENCH_PAGE is where the tables
#   go. FORKS, 20, is the number of JVMs for each row and mode of the first table,
#   BENCH_MODES=auto,elastic adds modes to it, BENCH_CPU_TIME=true states CPU time.
	$(MAKE) -s -C native bench
	$(MVN) $(MVN_FLAGS) -q test-compile dependency:build-classpath -Dmdep.outputFile=target/test.classpath $(WITHOUT_DECLARATIVE)
	$(QUIET_PACKAGE) -f examples/pom.xml -pl spring-boot -am
	@touch $(JAR)
	$(MAKE) -s -C $(JAVA_AGENT) agent MVN='$(MVN)' MVN_FLAGS='$(MVN_FLAGS)'
	$(JAVA) -Dbench.forks=$(FORKS) -Dbench.modes='$(BENCH_MODES)' \
	  -Dbench.cpu-time=$(BENCH_CPU_TIME) -Dbench.sender=native/build/datagram_sender \
	  -Dbench.spring-boot=$(SPRING_BOOT)/target/shop.jar -Dbench.extension=$(JAR) \
	  -Dbench.agent="$(AGENT)" -Dtest.stand-in=$(STAND_IN_PROFILER) \
	  -cp "$(JAR):target/test-classes:$$(cat target/test.classpath)" \
	  io.otelprofiling.correlation.benchmark.BenchmarkReport "$(BENCH_PAGE)" "$(BENCH)"
