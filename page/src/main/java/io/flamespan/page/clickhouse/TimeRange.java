/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A range from the first instant to the second, without the second. */
public record TimeRange(Instant from, Instant to) {
  private static final Pattern RELATIVE = Pattern.compile("-([0-9]{1,9})([smhd])");
  private static final DateTimeFormatter PARAMETER =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSSSSS").withZone(ZoneOffset.UTC);

  /** ClickHouse counts nanoseconds in 64 bits. The limits leave a margin. */
  private static final Instant FIRST = Instant.parse("1970-01-02T00:00:00Z");

  private static final Instant LAST = Instant.parse("2262-01-01T00:00:00Z");

  /**
   * Parses a time in ISO 8601, in UTC unless it has a zone, or an age such as -90m.
   *
   * @throws IllegalArgumentException with a message that names what is wrong
   */
  public static TimeRange of(
      String fromOption, String from, String toOption, String to, Instant now) {
    TimeRange range = new TimeRange(instant(fromOption, from, now), instant(toOption, to, now));
    if (!range.from.isBefore(range.to)) {
      throw new IllegalArgumentException(
          fromOption + " " + from + " is not before " + toOption + " " + to);
    }
    return range;
  }

  private static Instant instant(String option, String text, Instant now) {
    Matcher relative = RELATIVE.matcher(text);
    try {
      Instant instant =
          relative.matches()
              ? now.minus(unit(relative.group(2)).multipliedBy(Long.parseLong(relative.group(1))))
              : absolute(text);
      if (instant.isBefore(FIRST) || instant.isAfter(LAST)) {
        throw new DateTimeException("out of range");
      }
      return instant;
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException(
          option
              + " is "
              + text
              + ": it has to be a time such as 2026-01-31T12:00:00Z, or -30s, -90m, -1h or -7d",
          e);
    }
  }

  private static Instant absolute(String text) {
    return (Instant)
        DateTimeFormatter.ISO_DATE_TIME.parseBest(
            text, time -> OffsetDateTime.from(time).toInstant(), TimeRange::inUtc);
  }

  private static Instant inUtc(TemporalAccessor time) {
    return LocalDateTime.from(time).toInstant(ZoneOffset.UTC);
  }

  private static Duration unit(String letter) {
    return switch (letter) {
      case "s" -> Duration.ofSeconds(1);
      case "m" -> Duration.ofMinutes(1);
      case "h" -> Duration.ofHours(1);
      default -> Duration.ofDays(1);
    };
  }

  /** The hours in which it begins and ends, and those between. */
  public TimeRange wholeHours() {
    Instant begin = from.truncatedTo(ChronoUnit.HOURS);
    Instant end = to.truncatedTo(ChronoUnit.HOURS);
    return new TimeRange(begin, end.equals(to) ? end : end.plus(1, ChronoUnit.HOURS));
  }

  String fromParameter() {
    return PARAMETER.format(from);
  }

  String toParameter() {
    return PARAMETER.format(to);
  }
}
