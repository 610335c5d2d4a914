/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.kotlin

import io.opentelemetry.api.GlobalOpenTelemetry
import io.opentelemetry.api.trace.Tracer
import io.opentelemetry.extension.kotlin.asContextElement
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk
import io.flamespan.testbed.compatibility.plain.PlainServer
import io.flamespan.testbed.compatibility.workload.ServerSpan
import io.flamespan.testbed.compatibility.workload.Workload
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield

/**
 * Serves each request with coroutines, which take turns on the server's thread and on the threads of two dispatchers. In
 * between, the dispatchers' threads compute for no request. Without the argument `agent`, the application traces itself.
 */
fun main(arguments: Array<String>) {
  if (arguments[0] != "agent") {
    AutoConfiguredOpenTelemetrySdk.initialize()
  }
  val app = KotlinApp(GlobalOpenTelemetry.getTracer("compatibility"))
  CoroutineScope(Dispatchers.Default).launch { app.serveNobodyForEver() }
  PlainServer.start(app)
}

private class KotlinApp(private val tracer: Tracer) : PlainServer.Requests {
  private val workload = Workload()

  override fun serve(traceParent: String) {
    val span = ServerSpan.of(tracer, traceParent)
    runBlocking(span.context().asContextElement()) { serveInTurns(Workload.traceId(traceParent)) }
    span.end()
  }

  override fun serveNobody() = workload.serveNobody(2)

  suspend fun serveNobodyForEver() {
    while (true) {
      serveNobody()
      delay(5)
    }
  }

  /** The coroutines without a dispatcher take turns on one thread. */
  private suspend fun serveInTurns(traceId: String) = coroutineScope {
    workload.serve(traceId, 1)
    val inSpans = List(2) {
      async {
        val inner = tracer.spanBuilder("inner").startSpan()
        withContext(inner.asContextElement()) {
          repeat(3) {
            workload.serve(traceId, 1)
            yield()
          }
        }
        inner.end()
        workload.serve(traceId, 1)
      }
    }
    val elsewhere = async(Dispatchers.Default) {
      workload.serve(traceId, 1)
      delay(3)
      workload.serve(traceId, 1)
      withContext(Dispatchers.IO) { workload.serve(traceId, 2) }
    }
    (inSpans + elsewhere).awaitAll()
    workload.serve(traceId, 1)
  }

}
