-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- A part of statements: the stacks with their frames, the outermost first.
    stacks AS (
        SELECT StackKey,
            -- The comparable name, as io.flamespan.page.results.ComparableName has it, the file, the name, and the kind.
            arrayMap(frame -> (
                toString(replaceRegexpAll(if(frame.1 != '', toString(frame.1), concat('[',
                    if(frame.3 = '', if(frame.4 = '', 'unknown', frame.4), arrayElement(splitByChar('/', toString(frame.3)), -1)), ']')) AS original,
                    '(\\$\\$Lambda|\\$\\$InjectedInvoker|LambdaForm\\$[A-Z]+)(?:\\$?[0-9]+)?(?:[/+._](?:0x[0-9a-f]+|[0-9]+))?|(Generated(?:Method|Constructor|SerializationConstructor)Accessor|\\$Proxy|jdk[./]proxy)[0-9]+|(\\$\\$[A-Za-z]*CGLIB\\$\\$(?:FastClass\\$\\$)?|\\$\\$[A-Za-z]+ByGuice\\$\\$|4Jackson(?:Ser|Deser)ializer)[0-9a-f]+\\b|(\\$(?:ByteBuddy|auxiliary|MockitoMock|Hibernate(?:Basic)?Proxy|HibernateInstantiator|HibernateAccessOptimizer)\\$)[0-9A-Za-z]+|(_\\$\\$_(?:jvst|javassist_))[0-9a-f_]+|[/+._]0x[0-9a-f]{16}\\b|/[0-9]{7,}\\b|((?:x86|amd|aarch|arm|ppc|riscv|loongarch)_?64)?[-_.]?[0-9]{9,}(\\.(?:so|tmp|dylib|jnilib|dll)\\b|/)|[-_]?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|-[0-9a-f]{16}(-lib|\\.so\\b)|(/proc/|perf-|jitted-|\\[stack:)[0-9]+(?:-[0-9]+)?| \\(deleted\\)', '\\1\\2\\3\\4\\5\\6\\7\\8\\9')),
                if(frame.1 != '', toString(frame.2), toString(frame.3)), original, frame.4), received) AS named,
            -- Consecutive frames without a function in the same file become one frame.
            arrayFilter((frame, before) -> NOT (startsWith(frame.1, '[') AND frame = before),
                named, arrayShiftRight(named, 1)) AS kept,
            arrayMap(frame -> (frame.1, frame.2, frame.4), kept) AS Frames, arrayMap(frame -> frame.3, kept) AS RawNames
        FROM receivedStacks
    )
