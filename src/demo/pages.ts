/** Pages of the demo team. They give the search by meaning something to find. */
export const CAUSES = `# Why large exports time out

Nine tenths of the time goes into counting. Each page of rows asks \`COUNT(*)\` again, although the
total was known from the first page on.

## What we measured

| rows   | counting | reading | writing the file |
| ------ | -------- | ------- | ---------------- |
| 1,000  | 0.2 s    | 0.1 s   | 0.1 s            |
| 20,000 | 27 s     | 2 s     | 1 s              |

## What follows

- Count once and carry the total along, or leave it out.
- Read with a cursor: an offset walks over every row that was sent before.
- The proxy gives up after 30 s, so a longer answer has to begin sooner: send rows as they are read.
`

export const DECISION = `# Sending rows as they are read

Chosen over a job that mails a link, because nobody has to keep the file and nothing is left behind
when the reader hangs up.

## How

1. The header line goes out before the first query.
2. 500 rows at a time, by the last key of the rows before them.
3. A slow reader holds the query back; nothing piles up in memory.

## Still open

Who cancels a download half way leaves a cursor open until the connection is closed. Ten of them at
once were no trouble.
`

export const EXPLORATION = `# Dark theme: three ways to get there

## Swap the colours in one place

Every colour becomes a variable, and the theme sets the variables. Two days of work, most of it in the
charts, which paint with colours of their own.

## Invert the screen

One line of CSS. Photographs and avatars turn into negatives, and people find it hard on their eyes at
night: five of six who tried it switched it off again.

## Follow the system

Whoever set their computer to dark gets a dark board without asking. It needs the first way anyhow, and
a switch for those who want it otherwise.

**So far:** the first, then the third.
`

/** The text that Beacon appends to the page on the next morning. */
export const APPENDED = `## Next morning

With the count left out, 20,000 rows take 3.1 s and 200,000 take 31 s. Memory stays at 90 MB.
`

/** The CSV file that Beacon attaches to a comment. */
export const TIMINGS = `rows,counting_s,reading_s,writing_s
1000,0.2,0.1,0.1
20000,27,2,1
`
