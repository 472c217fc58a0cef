import type uPlot from 'uplot'
import type { Theme } from './theme.ts'

/** A chart definition with its data points. */
export interface Plot {
  options: Omit<uPlot.Options, 'width' | 'height'>
  data: uPlot.AlignedData
  /** The index of the data point nearest to the pointer. */
  nearest(plot: uPlot, left: number, top: number): number
  /** The position of a data point in axis units. */
  pointOf(at: number): { x: number; y: number }
}

export type Draw = (theme: Theme, kit: typeof uPlot) => Plot

export interface AxisLabels {
  x(value: number): string
  y(value: number): string
}

const DAYS = [1, 2, 7, 14, 28, 56, 84, 168]
const GAP = 6

/** The options that all charts share: two axes with their labels. */
export function baseOptions(
  theme: Theme,
  { x, y }: AxisLabels,
  steps: readonly number[] | undefined,
) {
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

/** Axis steps for whole numbers. */
export const COUNTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000]

/** Draws a text with an outline, so that it is readable on any background. */
export function drawText(
  { ctx }: uPlot,
  theme: Theme,
  { text, x, y, align }: { text: string; x: number; y: number; align: CanvasTextAlign },
) {
  ctx.save()
  ctx.font = `600 ${scaleFont(theme.font)}`
  ctx.textAlign = align
  ctx.textBaseline = 'middle'
  ctx.lineJoin = 'round'
  ctx.lineWidth = 4 * devicePixelRatio
  ctx.strokeStyle = theme.card
  ctx.strokeText(text, x, y)
  ctx.fillStyle = theme.ink
  ctx.fillText(text, x, y)
  ctx.restore()
}

const scaleFont = (font: string) =>
  font.replace(/^\d+/, (size) => String(Number(size) * devicePixelRatio))

/** Renders the chart as a PNG file with its title above it. */
export function renderPicture({ ctx }: uPlot, theme: Theme, title: string): Promise<Blob | null> {
  const { canvas: source } = ctx
  const headerHeight = 40 * devicePixelRatio
  const canvas = document.createElement('canvas')
  canvas.width = source.width
  canvas.height = source.height + headerHeight
  const context = canvas.getContext('2d')!
  context.fillStyle = theme.card
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = theme.ink
  context.font = `600 ${scaleFont(theme.font)}`
  context.textBaseline = 'middle'
  context.fillText(title, 16 * devicePixelRatio, headerHeight / 2)
  context.drawImage(source, 0, headerHeight)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}
