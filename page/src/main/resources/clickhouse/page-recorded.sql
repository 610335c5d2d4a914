-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For the page: of each process, whether there are samples of threads on CPU or ready, and of holders of locks, and the
-- periods of its samples.
--
-- from, to   the range of time, UTC
-- service    of the profiles, '' for all
WITH
-- The program puts spans-and-samples.sql here.
    ,
-- The program puts parts-of-spans.sql here.
SELECT reinterpretAsInt64(ProfileProcess) AS process, max(IsRunnable) AS hasRunnable,
    max(IsHolder) AS hasHolders,
    toInt64(round(max(if(IsCpu, PeriodNanos, 0)))) AS cpuPeriod, toInt64(round(any(WaitPeriod))) AS waitPeriod
FROM samples
LEFT JOIN looks ON looks.LookProcess = samples.ProfileProcess
WHERE {service:String} = '' OR ProfileService = {service:String}
GROUP BY process
