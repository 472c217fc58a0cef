import { type CsvError, parse } from 'csv-parse/browser/esm/sync'
import { ImportProblem } from './problem.ts'
import type { SourceFile } from './source.ts'
import { textOf } from './text.ts'

export interface CsvRow {
  /** The line on which it begins, from 1. */
  line: number
  /** The values of a column; exports of some products repeat a column for each value. */
  all(column: string): string[]
  /** The first value of a column; empty if there is none. */
  get(column: string): string
}

export interface Csv {
  /** The names of the columns, in order, with repetitions. */
  header: string[]
  rows: CsvRow[]
}

const DELIMITERS = [',', ';', '\t', '|']

/** Parses a CSV or TSV file with a header. The delimiter is the one that the header has most of. */
export async function csvOf(file: SourceFile): Promise<Csv> {
  return parseCsv(await textOf(file), file.path)
}

export function parseCsv(text: string, path: string, delimiter = delimiterOf(text)): Csv {
  const [first, ...others] = recordsOf(text, path, delimiter)
  const header = (first?.record ?? []).map((name) => name.trim())
  if (!header.some(Boolean))
    throw new ImportProblem('The file has no header', 'Its first line must name the columns', {
      file: path,
    })
  const positions = Map.groupBy(header.keys(), (at) => header[at]!)
  return {
    header,
    rows: others
      .filter(({ record }) => record.some((value) => value !== ''))
      .map(({ record, info }) => {
        const all = (column: string) =>
          (positions.get(column) ?? []).map((at) => plain(record[at] ?? '')).filter(Boolean)
        return { line: info.lines - linesIn(record), all, get: (column) => all(column)[0] ?? '' }
      }),
  }
}

/** Spreadsheets show a text that begins with `=`, `+`, `-` or `@` behind an apostrophe. */
const plain = (value: string) => (/^'[=+\-@]/.test(value) ? value.slice(1) : value)

const linesIn = (record: readonly string[]) =>
  record.reduce((sum, value) => sum + (value.match(/\n/g)?.length ?? 0), 0)

interface Parsed {
  record: string[]
  info: { lines: number }
}

function recordsOf(text: string, path: string, delimiter: string): Parsed[] {
  try {
    return parse(text, {
      delimiter,
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as Parsed[]
  } catch (error) {
    const { message, lines, column } = error as CsvError & { lines?: number; column?: number }
    throw new ImportProblem(
      `The file is not valid CSV (${message})`,
      'Export it again, or fix the quotes of that line',
      { file: path, line: lines, ...(typeof column === 'number' && { column: column + 1 }) },
    )
  }
}

function delimiterOf(text: string): string {
  const start = text.slice(0, 64 * 1024)
  const header = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(start)![0].replace(/"(?:[^"]|"")*"/g, '')
  const count = (delimiter: string) => header.split(delimiter).length
  return DELIMITERS.toSorted((a, b) => count(b) - count(a))[0]!
}
