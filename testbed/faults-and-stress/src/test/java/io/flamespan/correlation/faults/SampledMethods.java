/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.faults;

import io.flamespan.correlation.ProfilingCorrelation;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The methods whose points are tried in every build: those through which the application and the
 * SDK call the plug-in, those that start and stop it, and those that pass spans on. They are listed
 * by name because the order in which threads reach points varies between runs.
 */
final class SampledMethods {
  private static final List<String> NAMES =
      List.of(
          "START autoconfigure.ProfilingCorrelationAutoConfig.registerContextStorage()",
          "START autoconfigure.ProfilingCorrelationAutoConfig.addCustomizers(AutoConfigurationCustomizer)",
          "START autoconfigure.ProfilingCorrelationAutoConfig.prepare(AutoConfigurationCustomizer,Resource,ConfigProperties)",
          "START runtime.Correlator.follow(SdkTracerProviderBuilder)",
          "START delay.SpanProcessors.delaying(SpanProcessor,int)",
          "START runtime.ProcessState.<clinit>()",
          "START localroot.StackTraceIds.<clinit>()",
          "START runtime.Correlator.startParts()",
          "START publication.ProcessPublication.createOnce(CorrelationConfig,Resource,FilesThread)",
          "START samples.ExactTimes.begin(String)",
          "START nativelib.NativeReceiver.<init>(int)",
          "START transport.QueueLength.<clinit>()",
          "START threads.DaemonThread.create(Runnable,String)",
          "START threads.LastingThread.startUnlessAlive()",
          "WORK localroot.LocalRootSpans.onStart(SpanContext)",
          "WORK localroot.LocalRootSampler.withLocalRoot(SamplingResult,Span)",
          "WORK localroot.LocalRootSampler$ResultWithLocalRoot.getUpdatedTraceState(TraceState)",
          "WORK localroot.LocalRootTraceState.<init>()",
          "WORK localroot.TimedLocalRoot.<init>(Object,SpanTimes)",
          "WORK localroot.TimedLocalRoot.read(int)",
          "WORK localroot.TimedLocalRoot.times(long)",
          "WORK context.ContextMirror.create()",
          "WORK context.RecordFactory.ofCurrentThread()",
          "WORK context.ThreadMirrors.add(ThreadMirror,boolean)",
          "WORK protocol.OrderingFence.order()",
          "WORK delay.SpanProcessors.started(SpanProcessor)",
          "WORK delay.PendingResults.ask()",
          "WORK delay.Downstream.into(CompletableResultCode,boolean)",
          "WORK delay.Downstream.withIds(ReadableSpan,LocalRoot,Pace,long)",
          "WORK localroot.StackTraceIds.collected()",
          "WORK wrapping.SampleReport.attributes(List,long)",
          "WORK telemetry.SampleMetric.series(ReadableSpan)",
          "WORK wrapping.CorrelatedSpan.toSpanData()",
          "WORK wrapping.CorrelatedSpan.withAdded(Attributes)",
          "WORK hostid.HostIdExporter.withHostId(Object[])",
          "STOP transport.Worker.execute(Runnable)",
          "STOP runtime.Correlator.succeedElsewhere()",
          "STOP runtime.Correlator.deleteSocket()",
          "STOP transport.ProfilerSocket.deleteFile()",
          "STOP threads.PositionValue.lazySet(long)");

  private SampledMethods() {}

  static List<String> names() {
    return NAMES;
  }

  /** Returns the method that an order refers to, as in {@link #names}. */
  static String nameIn(String order) {
    String[] fields = order.split("\t", 3);
    return fields[0] + " " + fields[2].substring(0, fields[2].indexOf(')') + 1);
  }

  /** Returns one order for each n-th point of each method, beginning with the first. */
  static List<String> orders(int step) throws IOException {
    List<String> orders = new ArrayList<>();
    for (String name : NAMES) {
      List<String> ofMethod = orders(name);
      for (int i = 0; i < ofMethod.size(); i += step) {
        orders.add(ofMethod.get(i));
      }
    }
    return orders;
  }

  /** Returns one order for each point of a method. */
  static List<String> orders(String name) throws IOException {
    List<String> orders = new ArrayList<>();
    String phase = name.substring(0, name.indexOf(' '));
    String method = name.substring(phase.length() + 1);
    for (String point : FaultyClass.points(classOf(method))) {
      if (point.startsWith(method + " ")) {
        orders.add(phase + "\t" + ErrorKind.MEMORY + "\t" + point);
      }
    }
    return orders;
  }

  private static byte[] classOf(String method) throws IOException {
    String name = method.substring(0, method.lastIndexOf('.', method.indexOf('(')));
    String file = "/io/flamespan/correlation/internal/" + name.replace('.', '/') + ".class";
    try (InputStream in = ProfilingCorrelation.class.getResourceAsStream(file)) {
      return in.readAllBytes();
    }
  }
}
