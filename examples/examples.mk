# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# A part of the Makefile of the tree, with whose directory all paths begin.

## Demo and examples

DEMO := examples/demo
SPRING_BOOT := examples/spring-boot
IN_CODE := examples/in-code
DECLARATIVE := examples/declarative
JAVA_AGENT := examples/java-agent
FLAME_GRAPHS := examples/flame-graphs
SHOP_CLASSPATH := $(abspath $(DEMO))/target/classes:$(abspath $(DEMO))/target/lib/*
RUNNERS_CLASSPATH := $(TESTBED)/runners/target/classes:$(TESTBED)/runners/target/lib/*
RUN := $(JAVA) -cp '$(RUNNERS_CLASSPATH)' io.flamespan.testbed

.PHONY: stand-in runners demo example-spring-boot example-agent example-in-code example-declarative example-elastic \
  example-pull-request example-junit
stand-in:
	$(MAKE) -s -C $(STAND_IN)

# With the demo, whose shop and libraries other examples use, and without the Java agents of test-libraries.
runners: | tools
	$(MVN) $(MVN_FLAGS) -q -f $(TESTBED)/pom.xml -pl runners -am package

demo: $(JAR) $(EMBEDDED) stand-in runners # Shows CPU by endpoint on this machine, with a stand-in profiler and without; a minute or two.
	$(RUN).demo.Demo --stand-in $(STAND_IN_PROFILER) --shop-classpath '$(SHOP_CLASSPATH)' \
	  --plugin-classpath "$$($(MAKE) -s classpath)"
	$(RUN).page.EmbeddedTable "$(SHOP_CLASSPATH):$$($(MAKE) -s classpath-embedded)" $(DEMO)/target/embedded 15 50

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

example-pull-request: $(EMBEDDED) page runners # Compares the demo with itself, as in a pull request; a minute.
	PATH="$$(dirname "$$(command -v $(JAVA))"):$$PATH" \
	  examples/pull-request/check.sh $(PAGE) "$(SHOP_CLASSPATH):$$($(MAKE) -s classpath-embedded)"

example-junit: $(JUNIT) page # Profiles of tests, with Maven and several versions of JUnit; half a minute.
	MVN='$(MVN)' MVN_FLAGS='$(MVN_FLAGS)' PATH="$$(dirname "$$(command -v $(JAVA))"):$$PATH" \
	  examples/junit/check.sh $(JUNIT) $(PAGE)
