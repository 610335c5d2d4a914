# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# A part of the Makefile of the tree, with whose directory all paths begin.

## Packages of Linux distributions

.PHONY: packages test-packages
PACKAGES := target/packages
packages: $(JAR) # Builds the Debian and the RPM package of the plug-in; needs dpkg-deb and rpmbuild.
	@rm -rf $(PACKAGES) && mkdir -p $(PACKAGES)
	packaging/build $(VERSION) $(JAR) $(PACKAGES)

test-packages: packages # Installs both packages into root file systems of their own, and starts Java there; needs root.
	@$(MAKE) -s -C $(JAVA_AGENT) agent MVN='$(MVN)' MVN_FLAGS='$(MVN_FLAGS)'
	SKIP=$(SKIP) packaging/test $(PACKAGES) $(AGENT) $(JAVA)
