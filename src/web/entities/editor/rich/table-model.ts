/** A cell of a Markdown table: the range of its text without the space around it. */
export interface Cell {
  from: number
  to: number
  text: string
}

interface Row {
  /** The range of the line. */
  from: number
  to: number
  cells: Cell[]
  /** The positions of the pipes that separate cells. */
  pipes: number[]
}

export type Align = 'start' | 'center' | 'end'

export interface Table {
  header: Row
  delimiter: Row
  rows: Row[]
  aligns: (Align | undefined)[]
}

function parseRow(text: string, offset: number): Row {
  const pipes = [...text.matchAll(/\\.|\|/g)].flatMap((match) =>
    match[0] === '|' ? match.index : [],
  )
  const inner = text.trimEnd().length
  const isFirstOuter = pipes[0] !== undefined && !text.slice(0, pipes[0]).trim()
  const isLastOuter = pipes.length > 1 && pipes.at(-1) === inner - 1
  const starts = isFirstOuter ? pipes.map((at) => at + 1) : [0, ...pipes.map((at) => at + 1)]
  const ends = isFirstOuter ? [...pipes.slice(1), text.length] : [...pipes, text.length]
  const count = isLastOuter ? starts.length - 1 : starts.length
  const cells = starts.slice(0, count).map((start, at) => cellIn(text, start, ends[at]!, offset))
  const shifted = pipes.map((at) => at + offset)
  return { from: offset, to: offset + text.length, cells, pipes: shifted }
}

function cellIn(text: string, start: number, end: number, offset: number): Cell {
  const raw = text.slice(start, end)
  const trimmed = raw.trim()
  // An empty cell is written into between its spaces.
  const lead = trimmed ? raw.length - raw.trimStart().length : Math.min(1, raw.length)
  const from = offset + start + lead
  return { from, to: from + trimmed.length, text: trimmed }
}

/** Parses the source of a table. Positions are relative to its beginning. */
export function parseTable(source: string): Table | undefined {
  let offset = 0
  const rows = source.split('\n').map((line) => {
    const row = parseRow(line.replace(/\r$/, ''), offset)
    offset += line.length + 1
    return row
  })
  const [header, delimiter, ...others] = rows
  if (!header || !delimiter) return undefined
  return { header, delimiter, rows: others, aligns: delimiter.cells.map(alignOf) }
}

function alignOf({ text }: Cell): Align | undefined {
  if (text.endsWith(':')) return text.startsWith(':') ? 'center' : 'end'
  return text.startsWith(':') ? 'start' : undefined
}

/** The text of a cell as somebody edits it. */
export const cellText = (source: string): string =>
  source.replace(/\\\|/g, '|').replace(/<br\s*\/?>/gi, '\n')

/** The source of a cell: pipes are escaped, and a line break is a tag. */
export const cellSource = (text: string): string =>
  text.replace(/\|/g, '\\|').replace(/\n$/, '').replace(/\r?\n/g, '<br>')
