import type uPlot from 'uplot'
import type { Theme } from './theme.ts'

/** What is drawn, and where the keys go in it. */
export interface Plot {
  options: Omit<uPlot.Options, 'width' | 'height'>
  data: uPlot.AlignedData
  /** Which of its things is nearest to the pointer. */
  nearest(plot: uPlot, left: number, top: number): number
  /** Where one of them stands, in its own measures. */
  place(at: number): { x: number; y: number }
}

export type Draw = (theme: Theme, kit: typeof uPlot) => Plot

export interface AxisWords {
  x(value: number): string
  y(value: number): string
}

const DAYS = [1, 2, 7, 14, 28, 56, 84, 168]
const GAP = 6

/** What all pictures have alike: two axes, words for their values, one line under the pointer. */
export function around(theme: Theme, { x, y }: AxisWords, steps: readonly number[] | undefined) {
  const grid = { stroke: theme.line, width: 1 }
  const axis = { stroke: theme.soft, font: theme.font, ticks: { show: false }, gap: GAP }
  return {
    legend: { show: false },
    padding: [12, 16, 0, 0] as uPlot.Padding,
    axes: [
      {
        ...{ ...axis, grid: { show: false }, incrs: DAYS, space: 64, size: 34 },
        values: (_: uPlot, splits: number[]) => splits.map(x),
      },
      {
        ...{ ...axis, grid, size: 64, space: 36, ...(steps && { incrs: [...steps] }) },
        values: (_: uPlot, splits: number[]) => splits.map(y),
      },
    ],
  }
}

/** Whole tasks only. */
export const COUNTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000]

/** Words that can be read on whatever is below them. */
export function write(
  { ctx }: uPlot,
  theme: Theme,
  { words, x, y, align }: { words: string; x: number; y: number; align: CanvasTextAlign },
) {
  ctx.save()
  ctx.font = `600 ${scaled(theme.font)}`
  ctx.textAlign = align
  ctx.textBaseline = 'middle'
  ctx.lineJoin = 'round'
  ctx.lineWidth = 4 * devicePixelRatio
  ctx.strokeStyle = theme.card
  ctx.strokeText(words, x, y)
  ctx.fillStyle = theme.ink
  ctx.fillText(words, x, y)
  ctx.restore()
}

const scaled = (font: string) =>
  font.replace(/^\d+/, (size) => String(Number(size) * devicePixelRatio))

/** The picture as a file, with its name above it. */
export function picture({ ctx }: uPlot, theme: Theme, title: string): Promise<Blob | null> {
  const { canvas: from } = ctx
  const head = 40 * devicePixelRatio
  const canvas = document.createElement('canvas')
  canvas.width = from.width
  canvas.height = from.height + head
  const pen = canvas.getContext('2d')!
  pen.fillStyle = theme.card
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.fillStyle = theme.ink
  pen.font = `600 ${scaled(theme.font)}`
  pen.textBaseline = 'middle'
  pen.fillText(title, 16 * devicePixelRatio, head / 2)
  pen.drawImage(from, 0, head)
  return new Promise((give) => canvas.toBlob(give, 'image/png'))
}
