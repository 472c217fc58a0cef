import { stripVTControlCharacters } from 'node:util'

/** Where a text goes, and what that place can show. */
export interface Screen {
  /** Undefined where it is no terminal: then nothing is cut and nothing is coloured. */
  width?: number
  colour: boolean
}

/** What standard output is, this time. */
export const screenOf = (
  { isTTY, columns }: { isTTY?: boolean; columns?: number } = process.stdout,
  env: Record<string, string | undefined> = process.env,
): Screen => ({
  ...(isTTY && { width: columns || 80 }),
  colour: Boolean(isTTY) && !env.NO_COLOR && env.TERM !== 'dumb',
})

const GAP = 2
const LEAST = 8

/** Rows under their titles, each column as wide as what it holds; the widest give way first. */
export function table(
  rows: readonly (readonly unknown[])[],
  titles: readonly string[],
  screen: Screen = screenOf(),
): string {
  const cells = rows.map((row) => titles.map((_, at) => plain(row[at])))
  const heads = titles.map((title) => title.toUpperCase())
  const wanted = heads.map((head, at) =>
    Math.max(...[head, ...cells.map((row) => row[at]!)].map((text) => Bun.stringWidth(text))),
  )
  const widths = fitted(wanted, screen.width)
  const line = (texts: readonly string[]) =>
    texts
      .map((text, at) => padded(text, widths[at]!))
      .join(' '.repeat(GAP))
      .trimEnd()
  const head = screen.colour ? `\x1b[1m${line(heads)}\x1b[22m` : line(heads)
  return [head, ...cells.map(line)].join('\n')
}

/** What a cell can hold: one line, and nothing that would steer the terminal. */
export function plain(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return stripVTControlCharacters(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** Lines stay, but nothing that would steer the terminal. */
export const safe = (text: string): string =>
  stripVTControlCharacters(text).replace(/(?![\n\t])\p{Cc}/gu, '')

function fitted(wanted: number[], width: number | undefined): number[] {
  const widths = [...wanted]
  if (width === undefined) return widths
  let over = widths.reduce((sum, one) => sum + one, GAP * (widths.length - 1)) - width
  while (over > 0) {
    const most = Math.max(...widths)
    if (most <= LEAST) break
    widths[widths.lastIndexOf(most)] = most - 1
    over--
  }
  return widths
}

function padded(text: string, width: number): string {
  const own = Bun.stringWidth(text)
  if (own <= width) return text + ' '.repeat(width - own)
  let cut = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (Bun.stringWidth(cut + segment) > width - 1) break
    cut += segment
  }
  return `${cut}…${' '.repeat(width - 1 - Bun.stringWidth(cut))}`
}
