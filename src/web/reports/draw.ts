import type uPlot from 'uplot'
import { dateOf } from '../parts/days.ts'
import { type Day, dayOf, timeOf } from '../parts/zone.ts'
import { around, COUNTS, type Draw, write } from './plot.ts'
import { groundOf, type Look } from './theme.ts'
import { lasting, plain, shortDay } from './words.ts'

export interface Bar {
  day: Day
  value: number
}

const nearestX = (plot: uPlot, left: number) => plot.posToIdx(left)

/** A bar for each day or week. */
export const bars =
  (some: readonly Bar[]): Draw =>
  (theme, { paths }) => ({
    options: {
      ...around(theme, { x: (at) => (some[at] ? shortDay(some[at].day) : ''), y: plain }, COUNTS),
      scales: {
        x: { time: false, range: [-0.6, some.length - 0.4] },
        y: { range: (_, __, most) => [0, Math.max(2, most * 1.08)] },
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
    // A bar of nothing would still have an edge.
    data: [some.map((_, at) => at), some.map(({ value }) => value || null)],
    nearest: nearestX,
    place: (at) => ({ x: at, y: some[at]!.value }),
  })

export interface Band {
  title: string
  look: Look
  values: readonly number[]
}

/** Columns upon each other: the first on top, what is done at the bottom. */
export const layers =
  (days: readonly Day[], bands: readonly Band[]): Draw =>
  (theme) => {
    const tops = bands.map((_, at) =>
      days.map((_, day) => bands.slice(at).reduce((sum, { values }) => sum + values[day]!, 0)),
    )
    return {
      options: {
        ...around(theme, { x: (at) => (days[at] ? shortDay(days[at]) : ''), y: plain }, COUNTS),
        scales: {
          x: { time: false, range: days.length < 2 ? [-0.5, 0.5] : [0, days.length - 1] },
          y: { range: (_, __, most) => [0, Math.max(2, most * 1.05)] },
        },
        cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
        series: [
          {},
          ...bands.map(({ look }) => ({
            ...{ stroke: theme[look.token], width: 1.5, points: { show: days.length < 2 } },
            fill: groundOf(theme[look.token], look.hatch) as string,
          })),
        ],
        bands: bands.slice(1).map((_, at) => ({ series: [at + 1, at + 2] as [number, number] })),
        hooks: { draw: [(plot) => name(plot, { theme, bands, tops })] },
      },
      data: [days.map((_, at) => at), ...tops],
      nearest: nearestX,
      place: (at) => ({ x: at, y: tops[0]?.[at] ?? 0 }),
    }
  }

interface Named {
  theme: Parameters<Draw>[0]
  bands: readonly Band[]
  tops: readonly (readonly number[])[]
}

const LETTERS = 18

/** Each band says its own name where it has the room. */
function name(plot: uPlot, { theme, bands, tops }: Named) {
  const { left, width } = plot.bbox
  const last = (tops[0]?.length ?? 1) - 1
  for (const [at, { title }] of bands.entries()) {
    const top = plot.valToPos(tops[at]![last]!, 'y', true)
    const bottom = plot.valToPos(tops[at + 1]?.[last] ?? 0, 'y', true)
    if (bottom - top < LETTERS * devicePixelRatio) continue
    const x = left + width - 8 * devicePixelRatio
    write(plot, theme, { words: title, x, y: (top + bottom) / 2, align: 'right' })
  }
}

export interface Point {
  completed_at: string
  seconds: number
}

export interface Line {
  seconds: number
  words: string
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const SPANS = [
  ...[1, 5, 15, 30].map((some) => some * MINUTE),
  ...[1, 2, 4, 8, 12].map((some) => some * HOUR),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((some) => some * DAY),
]

/** A point for each task that got done, and how long so many of them took at most. */
export const points =
  (days: readonly Day[], some: readonly Point[], lines: readonly Line[]): Draw =>
  (theme) => {
    const xs = some.map(({ completed_at }) => dayAt(days, completed_at))
    const most = Math.max(HOUR, ...some.map(({ seconds }) => seconds))
    const place = (at: number) => ({ x: xs[at]!, y: some[at]!.seconds })
    return {
      options: {
        ...around(
          theme,
          { x: (at) => (days[at] ? shortDay(days[at]) : ''), y: (at) => (at ? lasting(at) : '0') },
          SPANS,
        ),
        scales: {
          x: { time: false, range: [-0.6, days.length - 0.4] },
          y: { range: [0, most * 1.1] },
        },
        cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false } },
        series: [
          {},
          {
            ...{ stroke: theme.cork, paths: () => null },
            points: { show: true, size: 8, stroke: theme.cork, fill: theme.card, width: 2 },
          },
        ],
        hooks: { draw: [(plot) => rule(plot, theme, lines)] },
      },
      data: [xs, some.map(({ seconds }) => seconds)],
      nearest: (plot, left, top) =>
        closest(
          plot,
          some.map((_, at) => place(at)),
          { left, top },
        ),
      place,
    }
  }

/** Within its day, by the hour. */
function dayAt([first = '']: readonly Day[], moment: string): number {
  const date = new Date(moment)
  const day = (dateOf(dayOf(date)).getTime() - dateOf(first).getTime()) / (DAY * 1000)
  return day + (Number(timeOf(date).slice(0, 2)) + 0.5) / 24 - 0.5
}

function closest(
  plot: uPlot,
  places: readonly { x: number; y: number }[],
  { left, top }: { left: number; top: number },
): number {
  const far = places.map(({ x, y }) =>
    Math.hypot(plot.valToPos(x, 'x') - left, plot.valToPos(y, 'y') - top),
  )
  return far.indexOf(Math.min(...far))
}

const DASHES = [[], [8, 4], [2, 4]]

function rule(plot: uPlot, theme: Parameters<Draw>[0], lines: readonly Line[]) {
  const { ctx, bbox } = plot
  const right = bbox.left + bbox.width
  const gap = 10 * devicePixelRatio
  let last = Number.NEGATIVE_INFINITY
  for (const [at, { seconds, words }] of [...lines.entries()].reverse()) {
    const y = plot.valToPos(seconds, 'y', true)
    ctx.save()
    ctx.strokeStyle = theme.soft
    ctx.lineWidth = 1.5 * devicePixelRatio
    ctx.setLineDash(DASHES[at]!.map((part) => part * devicePixelRatio))
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(right, y)
    ctx.stroke()
    ctx.restore()
    // Of two that are near each other, one is named above and one below.
    last = y - gap < last + 1.5 * gap ? y + gap : y - gap
    write(plot, theme, { words, x: right - 4 * devicePixelRatio, y: last, align: 'right' })
  }
}
