/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.declarative;

import io.flamespan.correlation.internal.config.Settings;
import io.opentelemetry.common.ComponentLoader;
import io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfigurationCustomizerProvider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Creates components of the SDK from their models, through a class of the SDK that is not public,
 * because no public class does so.
 *
 * @param <T> the type of the components
 */
final class SdkComponentFactory<T> {
  private final Object factory;
  private final Method create;

  private final Class<T> component;

  /** Fails if the SDK is different, before anything has been changed. */
  SdkComponentFactory(Class<T> component, Class<?> modelType) throws ReflectiveOperationException {
    Class<?> neighbour = DeclarativeConfigurationCustomizerProvider.class;
    Class<?> type =
        Class.forName(
            neighbour.getPackage().getName() + "." + component.getSimpleName() + "Factory",
            true,
            neighbour.getClassLoader());
    Method getInstance = type.getDeclaredMethod("getInstance");
    getInstance.setAccessible(true);
    factory = getInstance.invoke(null);
    create = createMethod(type, component, modelType);
    create.setAccessible(true);
    this.component = component;
  }

  /** Finds a method such as {@code Sampler create(SamplerModel, DeclarativeConfigContext)}. */
  private static Method createMethod(Class<?> type, Class<?> component, Class<?> modelType)
      throws NoSuchMethodException {
    for (Method method : type.getDeclaredMethods()) {
      Class<?>[] parameters = method.getParameterTypes();
      if (method.getName().equals("create")
          && parameters.length == 2
          && parameters[0] == modelType
          && ComponentLoader.class.isAssignableFrom(parameters[1])
          && method.getReturnType() == component) {
        return method;
      }
    }
    throw new NoSuchMethodException(type + ".create(" + modelType + ", ComponentLoader)");
  }

  /**
   * Creates a component, and fails, as the SDK does. Also fails in versions with a different type
   * of context, which cannot be detected earlier.
   *
   * @param model the model of the component
   * @param context the loader that components receive
   */
  T create(Object model, ComponentLoader context) {
    try {
      return component.cast(create.invoke(factory, model, context));
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException) {
        throw (RuntimeException) e.getCause();
      }
      if (e.getCause() instanceof Error) {
        throw (Error) e.getCause();
      }
      throw new IllegalStateException(e.getCause());
    } catch (IllegalAccessException | IllegalArgumentException e) {
      throw new IllegalStateException(
          "Flamespan does not work with this version of OpenTelemetry's declarative"
              + " configuration: set "
              + Settings.ENABLED
              + " to false",
          e);
    }
  }
}
