import { cpus, loadavg, release, totalmem, type } from 'node:os'
import type { RunSettings, Sample, Spread } from './sample.ts'

export interface Row {
  group: string
  measurement: string
  connections?: number
  sample?: Sample
  /** The name of what the figure is compared with, or of the percentile that it is. */
  baselineName?: string
  baseline?: Sample
  figure?: Spread
  unit: '×' | '%' | 'µs' | 'MB' | 'KB' | 'ms' | 's' | 'M/s'
  target?: { min: number } | { max: number }
  /** For example, why there is no figure. */
  note?: string
}

const COLUMNS = [
  ...['Group', 'Measurement', 'Conn.', 'Rate/s', 'p50 ms', 'p95 ms', 'p99 ms'],
  ...[
    'Baseline',
    'Baseline rate/s',
    'Baseline p50 ms',
    'Figure',
    'Spread',
    'Target',
    'Reached',
    'Note',
  ],
]
const LEFT_ALIGNED = ['Group', 'Measurement', 'Baseline', 'Note']

/** Formats a number with three significant digits, or with two below 0.1. */
export function short(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return ''
  if (Math.abs(value) >= 100) return value.toFixed(0)
  if (Math.abs(value) >= 10) return value.toFixed(1)
  return Math.abs(value) >= 0.1 ? value.toFixed(2) : `${Number(value.toPrecision(2))}`
}

export function isReached({ figure, target }: Pick<Row, 'figure' | 'target'>): boolean | undefined {
  if (!target || !figure) return undefined
  return 'min' in target ? figure.median >= target.min : figure.median <= target.max
}

function cellsOf(row: Row): string[] {
  const { sample, baseline, figure, unit, target } = row
  const withUnit = (value: number | undefined) =>
    value === undefined ? '' : `${short(value)}${unit === '×' ? '' : ' '}${unit}`
  const bound = target && ('min' in target ? `≥ ${target.min}` : `≤ ${target.max}`)
  const isOk = isReached(row)
  return [
    ...[row.group, row.measurement, row.connections?.toString() ?? ''],
    ...[sample?.rate, sample?.p50, sample?.p95, sample?.p99].map(short),
    ...[row.baselineName ?? '', short(baseline?.rate), short(baseline?.p50)],
    withUnit(figure?.median),
    figure && figure.low !== figure.high ? `${short(figure.low)}–${short(figure.high)}` : '',
    bound ? bound + unit : '',
    isOk === undefined ? (target ? 'not measured' : '') : isOk ? 'yes' : 'NO',
    row.note ?? '',
  ]
}

/** Renders a Markdown table whose columns are aligned, so that a terminal shows it well too. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [COLUMNS, ...rows.map(cellsOf)]
  const widths = COLUMNS.map((_, at) => Math.max(...lines.map((cells) => cells[at]!.length)))
  const isText = COLUMNS.map((name) => LEFT_ALIGNED.includes(name))
  const shown = lines.map((cells) =>
    cells.map((cell, at) => (isText[at] ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))),
  )
  const rule = widths.map((width, at) => '-'.repeat(width - 1) + (isText[at] ? '-' : ':'))
  shown.splice(1, 0, rule)
  return shown.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Describes the machine, the commit and the settings of a run, as a Markdown list. */
export function environmentOf({ rounds, seconds }: RunSettings): string {
  const cores = cpus()
  const lines = {
    Date: new Date().toISOString().slice(0, 16).replace('T', ' ') + ' UTC',
    Commit: commit(),
    Machine: `${cores.length} × ${cores[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()} ${release()}`,
    'Load at the end': loadavg()
      .map((load) => load.toFixed(2))
      .join(' '),
    Bun: Bun.version,
    Rounds: `${rounds}, each with ${seconds} s per side in alternation; figures are medians`,
  }
  return Object.entries(lines)
    .map(([name, text]) => `- ${name}: ${text}`)
    .join('\n')
}

/** The commit of the tree, and whether the tree has changed since. */
export function commit(): string {
  const git = (...args: string[]) => Bun.spawnSync(['git', ...args], { cwd: import.meta.dir })
  const head = git('rev-parse', '--short', 'HEAD')
  if (head.exitCode !== 0) return 'unknown'
  const changed = git('status', '--porcelain', '--untracked-files=no').stdout.toString().trim()
  return head.stdout.toString().trim() + (changed ? ', with changes' : '')
}
