/** One line of the table. */
export interface Row {
  figure: string
  /** Of many samples. */
  p50?: number
  p95?: number
  p99?: number
  /** Of one, or of all together. */
  value?: number
  unit: string
  /** Of the 95th of 100 samples, or of the value; none: for comparing only. */
  most?: number
  least?: number
  samples?: number
}

const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

export function rowOf(figure: string, times: readonly number[], most?: number): Row {
  const sorted = times.toSorted((a, b) => a - b)
  return {
    ...{ figure, unit: 'ms', samples: sorted.length },
    ...{ p50: at(sorted, 0.5), p95: at(sorted, 0.95), p99: at(sorted, 0.99) },
    ...(most !== undefined && { most }),
  }
}

/** What was not measured is missed too. */
export function isMissed({ p95, value, most, least }: Row): boolean {
  const figure = p95 ?? value ?? Number.NaN
  if (most !== undefined) return !(figure <= most)
  return least !== undefined && !(figure >= least)
}

const spelled = (number: number | undefined) =>
  number === undefined
    ? ''
    : Number.isInteger(number)
      ? String(number)
      : number.toFixed(number < 10 ? 2 : 1)

const cellsOf = (row: Row) => [
  row.figure,
  ...[row.value, row.p50, row.p95, row.p99].map(spelled),
  row.unit,
  row.samples ? String(row.samples) : '',
  row.most !== undefined ? `≤ ${row.most}` : row.least !== undefined ? `≥ ${row.least}` : '',
  row.most === undefined && row.least === undefined ? '' : isMissed(row) ? 'MISSED' : 'ok',
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
