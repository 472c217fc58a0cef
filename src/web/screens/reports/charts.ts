import type uPlot from 'uplot'
import { dateOf } from '../../kit/days.ts'
import { type Day, dayOf, timeOf } from '../../kit/zone.ts'
import { formatDuration, formatNumber, shortDay } from './format.ts'
import { baseOptions, COUNTS, type Draw, drawText } from './plot.ts'
import { type BandStyle, fillPattern } from './theme.ts'

export interface Bar {
  day: Day
  value: number
}

const nearestX = (plot: uPlot, left: number) => plot.posToIdx(left)

/** A bar chart by day or week. */
export const bars =
  (values: readonly Bar[]): Draw =>
  (theme, { paths }) => ({
    options: {
      ...baseOptions(
        theme,
        { x: (at) => (values[at] ? shortDay(values[at].day) : ''), y: formatNumber },
        COUNTS,
      ),
      scales: {
        x: { time: false, range: [-0.6, values.length - 0.4] },
        y: { range: (_, __, max) => [0, Math.max(2, max * 1.08)] },
      },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      series: [
        {},
        {
          ...{ stroke: theme.done, fill: theme.done, points: { show: false } },
          paths: paths.bars!({ size: [0.7, 36], radius: 0.15 }),
        },
      ],
    },
    // Null instead of 0, because an empty bar would still draw its border.
    data: [values.map((_, at) => at), values.map(({ value }) => value || null)],
    nearest: nearestX,
    pointOf: (at) => ({ x: at, y: values[at]!.value }),
  })

export interface Band {
  title: string
  style: BandStyle
  values: readonly number[]
}

/** Stacked areas, the first column on top and the done column at the bottom. */
export const layers =
  (days: readonly Day[], bands: readonly Band[]): Draw =>
  (theme) => {
    const tops = bands.map((_, index) =>
      days.map((_, day) => bands.slice(index).reduce((sum, { values }) => sum + values[day]!, 0)),
    )
    return {
      options: {
        ...baseOptions(
          theme,
          { x: (at) => (days[at] ? shortDay(days[at]) : ''), y: formatNumber },
          COUNTS,
        ),
        scales: {
          x: { time: false, range: days.length < 2 ? [-0.5, 0.5] : [0, days.length - 1] },
          y: { range: (_, __, max) => [0, Math.max(2, max * 1.05)] },
        },
        cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
        series: [
          {},
          ...bands.map(({ style }) => ({
            ...{ stroke: theme[style.token], width: 1.5, points: { show: days.length < 2 } },
            fill: fillPattern(theme[style.token], style.hatch) as string,
          })),
        ],
        bands: bands.slice(1).map((_, at) => ({ series: [at + 1, at + 2] as [number, number] })),
        hooks: { draw: [(plot) => labelBands(plot, { theme, bands, tops })] },
      },
      data: [days.map((_, at) => at), ...tops],
      nearest: nearestX,
      pointOf: (at) => ({ x: at, y: tops[0]?.[at] ?? 0 }),
    }
  }

interface BandLabels {
  theme: Parameters<Draw>[0]
  bands: readonly Band[]
  tops: readonly (readonly number[])[]
}

const MIN_LABEL_HEIGHT = 18

/** Labels each band at its right end if it is high enough. */
function labelBands(plot: uPlot, { theme, bands, tops }: BandLabels) {
  const { left, width } = plot.bbox
  const last = (tops[0]?.length ?? 1) - 1
  for (const [index, { title }] of bands.entries()) {
    const top = plot.valToPos(tops[index]![last]!, 'y', true)
    const bottom = plot.valToPos(tops[index + 1]?.[last] ?? 0, 'y', true)
    if (bottom - top < MIN_LABEL_HEIGHT * devicePixelRatio) continue
    const x = left + width - 8 * devicePixelRatio
    drawText(plot, theme, { text: title, x, y: (top + bottom) / 2, align: 'right' })
  }
}

export interface Point {
  completed_at: string
  seconds: number
}

export interface Line {
  seconds: number
  label: string
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const DURATION_STEPS = [
  ...[1, 5, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 4, 8, 12].map((hours) => hours * HOUR),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((days) => days * DAY),
]

/** A point for each completed task, with a line for each percentile. */
export const points =
  (days: readonly Day[], tasks: readonly Point[], lines: readonly Line[]): Draw =>
  (theme) => {
    const xs = tasks.map(({ completed_at }) => fractionalDay(days, completed_at))
    const longest = Math.max(HOUR, ...tasks.map(({ seconds }) => seconds))
    const position = (at: number) => ({ x: xs[at]!, y: tasks[at]!.seconds })
    return {
      options: {
        ...baseOptions(
          theme,
          {
            x: (at) => (days[at] ? shortDay(days[at]) : ''),
            y: (at) => (at ? formatDuration(at) : '0'),
          },
          DURATION_STEPS,
        ),
        scales: {
          x: { time: false, range: [-0.6, days.length - 0.4] },
          y: { range: [0, longest * 1.1] },
        },
        cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false } },
        series: [
          {},
          {
            ...{ stroke: theme.cork, paths: () => null },
            points: { show: true, size: 8, stroke: theme.cork, fill: theme.card, width: 2 },
          },
        ],
        hooks: { draw: [(plot) => drawRules(plot, theme, lines)] },
      },
      data: [xs, tasks.map(({ seconds }) => seconds)],
      nearest: (plot, left, top) =>
        closestIndex(
          plot,
          tasks.map((_, at) => position(at)),
          { left, top },
        ),
      pointOf: position,
    }
  }

/** The position on the day axis, as a fraction of the day by the hour. */
function fractionalDay([first = '']: readonly Day[], moment: string): number {
  const date = new Date(moment)
  const day = (dateOf(dayOf(date)).getTime() - dateOf(first).getTime()) / (DAY * 1000)
  return day + (Number(timeOf(date).slice(0, 2)) + 0.5) / 24 - 0.5
}

function closestIndex(
  plot: uPlot,
  positions: readonly { x: number; y: number }[],
  { left, top }: { left: number; top: number },
): number {
  const distances = positions.map(({ x, y }) =>
    Math.hypot(plot.valToPos(x, 'x') - left, plot.valToPos(y, 'y') - top),
  )
  return distances.indexOf(Math.min(...distances))
}

const DASHES = [[], [8, 4], [2, 4]]

function drawRules(plot: uPlot, theme: Parameters<Draw>[0], lines: readonly Line[]) {
  const { ctx, bbox } = plot
  const right = bbox.left + bbox.width
  const gap = 10 * devicePixelRatio
  let last = Number.NEGATIVE_INFINITY
  for (const [index, { seconds, label }] of [...lines.entries()].reverse()) {
    const y = plot.valToPos(seconds, 'y', true)
    ctx.save()
    ctx.strokeStyle = theme.soft
    ctx.lineWidth = 1.5 * devicePixelRatio
    ctx.setLineDash(DASHES[index]!.map((part) => part * devicePixelRatio))
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(right, y)
    ctx.stroke()
    ctx.restore()
    // Of two close lines, one label is drawn above and one below.
    last = y - gap < last + 1.5 * gap ? y + gap : y - gap
    drawText(plot, theme, { text: label, x: right - 4 * devicePixelRatio, y: last, align: 'right' })
  }
}
