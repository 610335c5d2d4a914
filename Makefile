# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# "make help" lists the targets and their settings. JAVA_HOME selects the JDK, 17 or later.

MVN ?= $(if $(shell command -v mvn),mvn,$(abspath mvnw))
MVN_FLAGS ?= -B -ntp
VERSION := $(shell sed -n 's:^  <version>\(.*\)</version>:\1:p' parent/pom.xml)
JAR := target/flamespan-$(VERSION).jar
DOCTOR := doctor/target/flamespan-doctor-$(VERSION).jar
ELASTIC := elastic/target/flamespan-elastic-$(VERSION).jar
EMBEDDED := embedded/target/flamespan-embedded-$(VERSION).jar
PAGE := page/target/flamespan-page-$(VERSION).jar
STARTER := spring-boot-starter/target/flamespan-spring-boot-starter-$(VERSION).jar
JUNIT := junit/target/flamespan-junit-$(VERSION).jar
JAVA := $(if $(JAVA_HOME),$(JAVA_HOME)/bin/java,java)
SOURCES := $(shell find .mvn src/main native/src native/include native/*.map -type f) \
  native/Makefile packaging/SmallJar.java pom.xml parent/pom.xml LICENSE
# The folders of what is published.
HOUSES := $(shell .ci/artifacts | sed 's: .*:/:')
TESTBED := testbed
FAULTS := $(TESTBED)/faults-and-stress
STAND_IN := $(TESTBED)/stand-in-profiler
STAND_IN_PROFILER := $(STAND_IN)/build/stand-in-profiler
space := $(subst ,, )
QUIET_PACKAGE := $(MVN) $(MVN_FLAGS) -q package -DskipTests -Dmaven.javadoc.skip=true

.PHONY: help
help: # Lists the targets.
	@awk -F ':.*# ' '/^## / { print "\n" substr($$0, 4) } \
	  /^[a-z][a-z -]*:.*# / { printf "  make %-22s %s\n", $$1, $$2 } \
	  /^#   / { printf "%29s%s\n", "", substr($$0, 5) }' $(MAKEFILE_LIST)

## The plug-in

.PHONY: tools package install doctor elastic embedded page native check-symbols clean
.PHONY: classpath classpath-elastic classpath-embedded loader-path
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

$(ELASTIC): elastic/pom.xml parent/pom.xml LICENSE $(shell find elastic/src/main -type f) | tools
	@$(QUIET_PACKAGE) -f elastic/pom.xml >&2
	@touch $(ELASTIC)

$(PAGE): page/pom.xml parent/pom.xml LICENSE $(shell find page/src/main page/npm -type f) | tools
	@$(QUIET_PACKAGE) -f page/pom.xml >&2
	@touch $(PAGE)

# With the jars that it needs in embedded/target/lib.
$(EMBEDDED): $(JAR) embedded/pom.xml embedded/reactor.xml $(shell find embedded/src/main -type f)
	@$(QUIET_PACKAGE) -f embedded/reactor.xml >&2
	@touch $(JAR) $(EMBEDDED)

$(STARTER): $(JAR) spring-boot-starter/pom.xml spring-boot-starter/reactor.xml $(shell find spring-boot-starter/src/main -type f)
	@$(QUIET_PACKAGE) -f spring-boot-starter/reactor.xml >&2
	@touch $(JAR) $(STARTER)

$(JUNIT): $(EMBEDDED) junit/pom.xml junit/reactor.xml $(shell find junit/src/main -type f)
	@$(QUIET_PACKAGE) -f junit/reactor.xml >&2
	@touch $(JAR) $(EMBEDDED) $(JUNIT)

package: tools # Builds the jars of all artifacts, with their bills of materials.
	@$(QUIET_PACKAGE) -T 2 -f parent/reactor.xml
	@touch $(HOUSES:%=%target/*-$(VERSION).jar)

install: tools # Installs all artifacts into the local Maven repository, where other builds find them.
	@$(MVN) $(MVN_FLAGS) -q -f parent/reactor.xml install -DskipTests -Dmaven.javadoc.skip=true

doctor: $(DOCTOR) # Builds the doctor, one jar that one can copy.

elastic: $(ELASTIC) # Builds the jar for moving from Elastic's agent.

embedded: $(EMBEDDED) # Builds the embedded profiler, and one jar with everything for the Java agent.

page: $(PAGE) # Builds the program that makes pages of flame graphs, one jar that one can copy.

native: tools # Builds the native libraries for this machine, and for the other CPU if a cross compiler exists.
	$(MAKE) -s -C native

check-symbols: tools # Checks with readelf that profilers find what they need in the native libraries.
	$(MAKE) -s -C native symbols

classpath: $(JAR) # Prints what to add to an application's class path; with -s, only that.
	@echo $(abspath $(JAR))

classpath-elastic: $(ELASTIC) # Prints what to add for moving from Elastic's agent.
	@echo $(abspath $(ELASTIC))

classpath-embedded: $(EMBEDDED) # Prints what to add for the embedded profiler, all of it.
	@echo $(abspath $(JAR)):$(abspath $(EMBEDDED)):$(subst $(space),:,$(abspath $(wildcard embedded/target/lib/*.jar)))

loader-path: $(EMBEDDED) $(STARTER) # Prints the same and the Spring Boot starter, for -Dloader.path of an executable jar.
	@$(MAKE) -s classpath-embedded | sed 's#^#$(abspath $(STARTER)),#; s#:#,#g'

clean: # Removes everything that was built.
	$(MAKE) -s -C native clean
	$(MAKE) -s -C $(STAND_IN) clean
	$(MAKE) -s -C $(EBPF_PROFILER) clean
	$(MAKE) -s -C $(JAVA_AGENT) clean
	$(MAKE) -s -C $(FLAME_GRAPHS) clean
	rm -rf $(HOUSES:%=%target) $(IN_CODE)/build examples/*/target $(TESTBED)/*/target $(COMPATIBILITY)/*/target

## Tests

.PHONY: check format test test-all test-c test-java test-plugin test-faults test-elastic test-oldest pages mutations
.PHONY: test-libraries
REACTOR := $(MVN) $(MVN_FLAGS) -T 2 -f parent/reactor.xml
HOUSE ?=
check: tools # Compiles, and runs formatter, static checks and the tests of single classes; before each commit.
#   HOUSE=page, or HOUSE=. for the plug-in, checks only that folder, while you work.
	@rm -rf $(HOUSES:%=%target/surefire-reports)
	$(REACTOR) -q test -Dmaven.test.redirectTestOutputToFile=true \
	  $(if $(HOUSE),-pl ../$(HOUSE)/pom.xml -am $(if $(filter .,$(HOUSE)),,-Dskip.unit=true))
	@echo "ok: $$(cat $(HOUSES:%=%target/surefire-reports/*.xml) 2> /dev/null | grep -c '<testcase ') tests"

format: tools # Formats the Java code of all artifacts, of the examples and of the testbed.
	@for house in $(HOUSES); do $(MVN) $(MVN_FLAGS) -q -f $${house}pom.xml spotless:apply || exit; done

test: tools check-symbols stand-in test-libraries # C, native library, stand-in profiler, all artifacts; no long tests.
	@$(MAKE) -j 2 test-c test-java

test-all: # The same with those of src/test/long-tests.
	@$(MAKE) test LONG=yes

# They mostly wait, and so run at the same time as the others.
test-c:
	$(MAKE) -s -C native check
	$(MAKE) -s -C $(STAND_IN) check MVN='$(MVN)' MVN_FLAGS='$(MVN_FLAGS)'

# Those of single classes and of the other artifacts, then all others of the plug-in, with the jars that users get.
WITH_LONG := $(if $(LONG),-Dtest.long=/dev/null)
test-java:
	$(REACTOR) verify -DskipITs $(WITH_LONG) -Dmaven.javadoc.skip=true -Dmaven.source.skip=true
	@touch $(HOUSES:%=%target/*-$(VERSION).jar)
	@$(MAKE) -j 2 test-plugin test-faults

# Neither builds the jar anew, which the other has open.
test-plugin:
	$(MVN) $(MVN_FLAGS) failsafe:integration-test@jar-tests failsafe:integration-test@jni-checks failsafe:verify@jar-tests \
	  $(WITH_LONG)

test-faults:
	$(MVN) $(MVN_FLAGS) test -f $(FAULTS)/pom.xml $(WITH_LONG)

# The tests for moving from Elastic's agent.
test-elastic: tools
	$(MVN) $(MVN_FLAGS) verify -f elastic/pom.xml -Dmaven.javadoc.skip=true -Dmaven.source.skip=true
	@touch $(ELASTIC)

# Only the tests' class path changes: what is tested is the jar that users get.
OPENTELEMETRY ?= 1.42.1
OPENTELEMETRY_CONTRIB ?= 1.42.0-alpha
OLDER := $(WITH_LONG) -Dopentelemetry.version=$(OPENTELEMETRY) \
  -Dopentelemetry-inferred-spans.version=$(OPENTELEMETRY_CONTRIB) \
  -Dopentelemetry-baggage-processor.version=$(OPENTELEMETRY_CONTRIB) \
  -Dopentelemetry-aws-xray-propagator.version=$(OPENTELEMETRY_CONTRIB) \
  -Dopentelemetry-api-incubator.version=$(OPENTELEMETRY)-alpha -Dtest.left-out=none:none
test-oldest: tools stand-in test-libraries # The plug-in's tests with the oldest OpenTelemetry that it supports.
#   OPENTELEMETRY=1.50.0 selects another.
	$(MVN) $(MVN_FLAGS) -q test-compile -f elastic/pom.xml
	$(MVN) $(MVN_FLAGS) -f elastic/pom.xml surefire:test@default-test surefire:test@long-tests -Dopentelemetry.version=$(OPENTELEMETRY)
	$(MVN) $(MVN_FLAGS) -q -f doctor/reactor.xml package -Dskip.unit=true -Dskip.unit.doctor=true -Dmaven.javadoc.skip=true
	$(MVN) $(MVN_FLAGS) surefire:test@default-test failsafe:integration-test@jar-tests failsafe:verify@jar-tests $(OLDER)
	$(MVN) $(MVN_FLAGS) -f doctor/reactor.xml -pl :flamespan,:flamespan-doctor compile surefire:test@processes \
	  -Dmaven.main.skip=true -Dskip.unit=true -Denforcer.skip=true $(OLDER)
	$(MVN) $(MVN_FLAGS) -q -f $(FAULTS)/pom.xml test-compile
	$(MVN) $(MVN_FLAGS) -f $(FAULTS)/pom.xml surefire:test@default-test $(OLDER)

pages: tools # Writes what pages say of code: settings and their defaults, verdicts of the doctor.
	$(REACTOR) -q test -pl :flamespan-doctor -am -Drenew=true -Dtest='SettingsPagesTest#lines*+defaults_in*+spring*,VerdictsPageTest#page*' -Dsurefire.failIfNoSpecifiedTests=false

test-libraries: $(ELASTIC)
	$(MVN) $(MVN_FLAGS) -q -f $(TESTBED)/libraries/pom.xml package
	$(MVN) $(MVN_FLAGS) -q -f $(TESTBED)/old-libraries/pom.xml package

MUTATIONS ?= .
mutations: tools # Mistakes in a copy of the tree, each of which a test has to find; up to an hour.
#   MUTATIONS selects by regular expression, TURN=1/6 each sixth.
	MVN='$(MVN)' MVN_FLAGS='$(MVN_FLAGS)' src/test/mutations/run '$(MUTATIONS)' $(TURN)

include packaging/packages.mk examples/examples.mk testbed/testbed.mk
