import type { Sample, Spread } from './sample.ts'

export interface Row {
  group: string
  what: string
  connections?: number
  sample?: Sample
  /** What the figure compares with. */
  yardstick?: string
  base?: Sample
  figure?: Spread
  unit: '×' | 'µs' | 'MB' | 'KB' | 'ms' | 'M/s'
  target?: { least: number } | { most: number }
  /** What else there is to say, for instance why there is no figure. */
  note?: string
}

const COLUMNS = [
  ...['Group', 'What', 'Conn.', 'Rate/s', 'p50 ms', 'p95 ms', 'p99 ms'],
  ...['Against', 'Its rate/s', 'Its p50 ms', 'Figure', 'Spread', 'Target', 'Reached', 'Note'],
]
const TEXTS = ['Group', 'What', 'Against', 'Note']

/** Three digits tell enough, and two of what is small. */
export function short(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return ''
  if (Math.abs(value) >= 100) return value.toFixed(0)
  if (Math.abs(value) >= 10) return value.toFixed(1)
  return Math.abs(value) >= 0.1 ? value.toFixed(2) : `${Number(value.toPrecision(2))}`
}

export function reached({ figure, target }: Pick<Row, 'figure' | 'target'>): boolean | undefined {
  if (!target || !figure) return undefined
  return 'least' in target ? figure.median >= target.least : figure.median <= target.most
}

function cellsOf(row: Row): string[] {
  const { sample, base, figure, unit, target } = row
  const with_ = (value: number | undefined) =>
    value === undefined ? '' : `${short(value)}${unit === '×' ? '' : ' '}${unit}`
  const bound = target && ('least' in target ? `≥ ${target.least}` : `≤ ${target.most}`)
  const verdict = reached(row)
  return [
    ...[row.group, row.what, row.connections?.toString() ?? ''],
    ...[sample?.rate, sample?.p50, sample?.p95, sample?.p99].map(short),
    ...[row.yardstick ?? '', short(base?.rate), short(base?.p50)],
    with_(figure?.median),
    figure && figure.low !== figure.high ? `${short(figure.low)}–${short(figure.high)}` : '',
    bound ? bound + unit : '',
    verdict === undefined ? (target ? 'not measured' : '') : verdict ? 'yes' : 'NO',
    row.note ?? '',
  ]
}

/** As Markdown, which a terminal shows just as well when its columns are even. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [COLUMNS, ...rows.map(cellsOf)]
  const widths = COLUMNS.map((_, at) => Math.max(...lines.map((cells) => cells[at]!.length)))
  const isText = COLUMNS.map((name) => TEXTS.includes(name))
  const shown = lines.map((cells) =>
    cells.map((cell, at) => (isText[at] ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))),
  )
  const rule = widths.map((width, at) => '-'.repeat(width - 1) + (isText[at] ? '-' : ':'))
  shown.splice(1, 0, rule)
  return shown.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
