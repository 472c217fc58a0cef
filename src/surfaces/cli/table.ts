import { stripVTControlCharacters } from 'node:util'

/** The width and colours of the output. */
export interface Screen {
  /** Undefined if the output is no terminal. Then nothing is truncated. */
  width?: number
  colour: boolean
}

/** The width and colours of standard output. */
export const screenOf = (
  { isTTY, columns }: { isTTY?: boolean; columns?: number } = process.stdout,
  env: Record<string, string | undefined> = process.env,
): Screen => ({
  ...(isTTY && { width: columns || 80 }),
  colour: Boolean(isTTY) && !env.NO_COLOR && env.TERM !== 'dumb',
})

const GAP = 2
const MIN_WIDTH = 8

/**
 * Renders a table. Columns fit their contents; if the table is too wide, the widest shrink first.
 */
export function table(
  rows: readonly (readonly unknown[])[],
  titles: readonly string[],
  screen: Screen = screenOf(),
): string {
  const cells = rows.map((row) => titles.map((_, at) => plain(row[at])))
  const headings = titles.map((title) => title.toUpperCase())
  const idealWidths = headings.map((head, at) =>
    Math.max(...[head, ...cells.map((row) => row[at]!)].map((text) => Bun.stringWidth(text))),
  )
  const widths = fitWidths(idealWidths, screen.width)
  const line = (texts: readonly string[]) =>
    texts
      .map((text, at) => padText(text, widths[at]!))
      .join(' '.repeat(GAP))
      .trimEnd()
  const head = screen.colour ? `\x1b[1m${line(headings)}\x1b[22m` : line(headings)
  return [head, ...cells.map(line)].join('\n')
}

/** Converts a value to one line without terminal control sequences. */
export function plain(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return stripVTControlCharacters(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** Removes terminal control sequences, but keeps line breaks. */
export const safe = (text: string): string =>
  stripVTControlCharacters(text).replace(/(?![\n\t])\p{Cc}/gu, '')

function fitWidths(idealWidths: number[], width: number | undefined): number[] {
  const widths = [...idealWidths]
  if (width === undefined) return widths
  let excess = widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1)) - width
  while (excess > 0) {
    const widest = Math.max(...widths)
    if (widest <= MIN_WIDTH) break
    widths[widths.lastIndexOf(widest)] = widest - 1
    excess--
  }
  return widths
}

function padText(text: string, width: number): string {
  const textWidth = Bun.stringWidth(text)
  if (textWidth <= width) return text + ' '.repeat(width - textWidth)
  let truncated = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (Bun.stringWidth(truncated + segment) > width - 1) break
    truncated += segment
  }
  return `${truncated}…${' '.repeat(width - 1 - Bun.stringWidth(truncated))}`
}
