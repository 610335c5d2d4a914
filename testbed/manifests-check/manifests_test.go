// Copyright The Flamespan Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	root         = "../.."
	dockerPath   = containers + "/Dockerfile"
	composePath  = containers + "/compose.yaml"
	manifests    = kubernetes + "/"
	operatorPath = operator + "/"
	valuesPath   = kubernetes + "/profiler-values.yaml"
)

func TestFiles_asTheyAre_haveNoProblem(t *testing.T) {
	if err := check(root, ""); err != nil {
		t.Error(err)
	}
}

// Each change breaks one file. The error of check must then contain the text.
func TestFiles_brokenInOnePlace_haveThatProblem(t *testing.T) {
	for _, test := range []struct{ name, file, old, new, problem string }{
		{"unknown instruction", dockerPath, "EXPOSE 8080", "EXPOZE 8080", "unknown instruction: EXPOZE"},
		{"linter's warning", dockerPath, "AS npm", "as npm", "FromAsCasing"},
		{"missing source", dockerPath, "COPY native native", "COPY nativ native", "COPY nativ: no such file"},
		{"missing stage", dockerPath, "--from=npm", "--from=npn", "--from=npn is not the name"},
		{"base without version", dockerPath, "node:22-bookworm-slim", "node", `image "node" has no version`},

		{"unknown key", composePath, "read_only:", "readonly:", "readonly"},
		{"unknown stage", composePath, "target: profiler", "target: profile", `"profile" is not a stage`},
		{"other context", composePath, "context: ../../..", "context: ../..", "build.context is"},
		{"undefined volume", composePath, "otlp:/data:ro", "otel:/data:ro", "otel"},
		{"floating version", composePath, "collector:0.1.0", "collector:latest", "has no version"},

		{"unknown field", manifests + "profiler/profiler.yaml", "hostPID", "hostPid", `unknown field "spec.template.spec.hostPid"`},
		{"wrong type", manifests + "clients.yaml", "replicas: 2", "replicas: two", "Deployment clients"},
		{"unknown kind", manifests + "profiler/profiler.yaml", "DaemonSet", "Daemon", `no kind "Daemon"`},
		{"selector", manifests + "app.yaml", "matchLabels:\n      app.kubernetes.io/name: app",
			"matchLabels:\n      app.kubernetes.io/name: ap", "Deployment app: its selector does not match"},
		{"service's selector", manifests + "app.yaml", "selector:\n    app.kubernetes.io/name: app",
			"selector:\n    app.kubernetes.io/name: ap", "Service app: its selector matches no pod"},
		{"service's port", manifests + "app.yaml", "targetPort: http", "targetPort: htp", "has no port htp"},
		{"unnamed volume", manifests + "app.yaml", "- name: tmp\n          emptyDir", "- name: temp\n          emptyDir",
			"mounts the volume tmp"},
		{"missing ConfigMap", manifests + "collector.yaml", "configMap:\n            name: collector",
			"configMap:\n            name: collect", "there is no ConfigMap collect"},
		{"image of no stage", manifests + "app.yaml", "flame-graphs/app:", "flame-graphs/shopp:", `"shopp" is not a stage`},
		{"missing file", manifests + "kustomization.yaml", "app.yaml", "apps.yaml", "apps.yaml"},

		{"operator: unknown field", operatorPath + "instrumentation.yaml", "extensions:", "extension:",
			`unknown field "spec.java.extension"`},
		{"operator: image of no stage", operatorPath + "instrumentation.yaml", "flame-graphs/extension:",
			"flame-graphs/extensions:", `"extensions" is not a stage`},
		{"operator: folder that is not in the image", operatorPath + "instrumentation.yaml", "dir: /extensions",
			"dir: /extension", "the image has no folder /extension"},
		{"operator: agent beside the extension", operatorPath + "instrumentation.yaml",
			"extension:0.1.0\n        dir: /extensions", "plugin:0.1.0\n        dir: /otel", "brings an agent, too"},
		{"operator: unknown service", operatorPath + "instrumentation.yaml", "http://collector:", "http://collect:",
			"no Service has the address"},
		{"operator: nobody asks for the agent", operatorPath + "kustomization.yaml", "inject-java", "inject-go",
			"no pod has the annotation"},
		{"operator: patch of nothing", operatorPath + "kustomization.yaml", "volumeMounts/0", "volumeMounts/7",
			"volumeMounts/7"},

		{"values: not YAML", valuesPath, "image:", "image", "profiler-values.yaml: "},
		{"values: base without version", valuesPath, "tag: 0.159.0", "tag:", "has no version"},
		{"values: no feature gate", valuesPath, "service.profilesSupport", "service.profileSupport", "lacks --feature-gates="},
		{"values: unknown service", valuesPath, "collector.flame-graphs:", "collect.flame-graphs:", "no Service has the address"},
		{"values: unknown port", valuesPath, "flame-graphs:4317", "flame-graphs:4319", "no Service has the address"},
		{"values: no exporter", valuesPath, "exporters:\n    otlp_grpc:", "others:\n    otlp_grpc:", "lacks exporters"},
	} {
		t.Run(test.name, func(t *testing.T) {
			copied := copyTree(t)
			replace(t, filepath.Join(copied, test.file), test.old, test.new)
			err := check(copied, "")
			if err == nil || !strings.Contains(err.Error(), test.problem) {
				t.Errorf("check returned %v, which does not contain %q", err, test.problem)
			}
		})
	}
}

// A shell script plays the collector: the file that it is asked to validate must be that of the
// ConfigMap.
func TestCollector_refusesItsConfiguration_isProblem(t *testing.T) {
	collector := filepath.Join(t.TempDir(), "collector")
	script := "#!/bin/sh\necho \"$OTLP_FILES: $*: $(grep -c endpoint \"$5\")\"; exit 1\n"
	if err := os.WriteFile(collector, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	err := check(root, collector)
	if err == nil || !strings.Contains(err.Error(), "/data: validate --feature-gates service.profilesSupport --config") ||
		!strings.HasSuffix(strings.TrimSpace(err.Error()), "config.yaml: 2") {
		t.Errorf("check returned %v", err)
	}
}

// copyTree returns a folder with copies of the files that are checked, and links to the rest of the
// repository.
func copyTree(t *testing.T) string {
	t.Helper()
	copied := t.TempDir()
	for _, folder := range []string{containers, kubernetes, operator, "examples/flame-graphs/collector"} {
		if err := os.CopyFS(filepath.Join(copied, folder), os.DirFS(filepath.Join(root, folder))); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{".", "examples", "examples/flame-graphs"} {
		linkMissing(t, filepath.Join(root, folder), filepath.Join(copied, folder))
	}
	return copied
}

func linkMissing(t *testing.T, from, to string) {
	t.Helper()
	entries, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	absolute, err := filepath.Abs(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		err := os.Symlink(filepath.Join(absolute, entry.Name()), filepath.Join(to, entry.Name()))
		if err != nil && !os.IsExist(err) {
			t.Fatal(err)
		}
	}
}

func replace(t *testing.T, path, old, new string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), old) {
		t.Fatalf("%s does not contain %q", path, old)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), old, new, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}
