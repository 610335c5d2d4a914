// Copyright The Flamespan Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const versionHeader = "otlp-profiles-development-version"

var startedHTTP = regexp.MustCompile(`Starting HTTP server.*"endpoint": "([^"]+)"`)

// The stand-in profiler sends version 1.
func TestReceiver_versionOfProfiles_isAcceptedIfItIsOneOrMissing(t *testing.T) {
	url := "http://" + start(t) + "/v1development/profiles"
	for version, wanted := range map[string]int{"1": http.StatusOK, "": http.StatusOK, "2": http.StatusBadRequest} {
		request, err := http.NewRequest(http.MethodPost, url, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		if version != "" {
			request.Header.Set(versionHeader, version)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != wanted {
			t.Errorf("version %q: status %d and %q, wanted %d (%v)", version, response.StatusCode, answer, wanted, err)
		}
		if wanted != http.StatusOK && !strings.Contains(string(answer), versionHeader) {
			t.Errorf("version %q: %q does not name the header", version, answer)
		}
	}
}

// start runs the collector with config.yaml as a process, and returns its HTTP address.
func start(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "collector")
	if output, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	command := exec.Command(binary, "--config", "config.yaml", "--feature-gates", "service.profilesSupport")
	command.Env = append(os.Environ(), "OTLP_GRPC=127.0.0.1:0", "OTLP_HTTP=127.0.0.1:0", "OTLP_FILES="+t.TempDir())
	log, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(os.Interrupt)
		_, _ = io.Copy(io.Discard, log)
		_ = command.Wait()
	})
	var lines []string
	for scanner := bufio.NewScanner(log); scanner.Scan(); {
		lines = append(lines, scanner.Text())
		if found := startedHTTP.FindStringSubmatch(scanner.Text()); found != nil {
			return found[1]
		}
	}
	t.Fatalf("the collector did not start:\n%s", strings.Join(lines, "\n"))
	return ""
}
