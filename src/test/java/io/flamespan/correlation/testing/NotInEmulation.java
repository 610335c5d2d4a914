/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Leaves tests out where an emulator runs them, as the property {@code test.emulated} says. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NotInEmulation.Condition.class)
public @interface NotInEmulation {
  /** The reason. */
  String value();

  /** Evaluates the annotation. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return AnnotationSupport.findAnnotation(context.getElement(), NotInEmulation.class)
          .filter(annotation -> Boolean.getBoolean("test.emulated"))
          .map(annotation -> ConditionEvaluationResult.disabled(annotation.value()))
          .orElseGet(() -> ConditionEvaluationResult.enabled("not emulated"));
    }
  }
}
