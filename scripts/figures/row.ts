/** A row of the table of results. */
export interface Row {
  figure: string
  /** Percentiles, if there are many samples. */
  p50?: number
  p95?: number
  p99?: number
  /** A single value. */
  value?: number
  unit: string
  /** The targets for p95 or the value. Without one, the row is only for comparison. */
  max?: number
  min?: number
  samples?: number
}

const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

export function rowOf(figure: string, times: readonly number[], max?: number): Row {
  const sorted = times.toSorted((a, b) => a - b)
  return {
    ...{ figure, unit: 'ms', samples: sorted.length },
    ...{
      p50: percentile(sorted, 0.5),
      p95: percentile(sorted, 0.95),
      p99: percentile(sorted, 0.99),
    },
    ...(max !== undefined && { max }),
  }
}

/** Whether the target is missed. A missing measurement counts as missed. */
export function isMissed({ p95, value, max, min }: Row): boolean {
  const figure = p95 ?? value ?? Number.NaN
  if (max !== undefined) return !(figure <= max)
  return min !== undefined && !(figure >= min)
}

const format = (number: number | undefined) =>
  number === undefined
    ? ''
    : Number.isInteger(number)
      ? String(number)
      : number.toFixed(number < 10 ? 2 : 1)

const cellsOf = (row: Row) => [
  row.figure,
  ...[row.value, row.p50, row.p95, row.p99].map(format),
  row.unit,
  row.samples ? String(row.samples) : '',
  row.max !== undefined ? `≤ ${row.max}` : row.min !== undefined ? `≥ ${row.min}` : '',
  row.max === undefined && row.min === undefined ? '' : isMissed(row) ? 'MISSED' : 'ok',
]

const HEAD = ['figure', 'value', 'p50', 'p95', 'p99', 'unit', 'n', 'target', '']

export function tableOf(rows: readonly Row[]): string {
  const lines = [HEAD, ...rows.map(cellsOf)]
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => (column ? cell.padStart(widths[column]!) : cell.padEnd(widths[0]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
