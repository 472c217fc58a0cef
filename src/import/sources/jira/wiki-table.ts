import { type InlineContext, inline } from './wiki-inline.ts'

export const isTableRow = (line: string): boolean => /^\s*\|(?=.*\S)/.test(line)

interface Row {
  isHeader: boolean
  cells: string[]
}

/** Converts a table. Cells may span several lines; without headings the header row is empty. */
export function tableOf(lines: readonly string[], context: InlineContext): string {
  const rows: string[] = []
  for (const line of lines)
    if (isTableRow(line)) rows.push(line.trim())
    else rows[rows.length - 1] += `\n${line.trim()}`
  const [first, ...others] = rows.map((row) => rowOf(row, context))
  const width = Math.max(first!.cells.length, ...others.map(({ cells }) => cells.length))
  const head = first!.isHeader ? first!.cells : []
  const body = first!.isHeader ? others : [first!, ...others]
  return [
    written(head, width),
    `|${' --- |'.repeat(width)}`,
    ...body.map((row) => written(row.isHeader ? row.cells.map(bold) : row.cells, width)),
  ].join('\n')
}

function rowOf(text: string, context: InlineContext): Row {
  const isHeader = text.startsWith('||')
  const cells: string[] = []
  let cell = ''
  // Bars within links, images and braces do not separate cells.
  const PIECES = /\\.|\[[^\][\n]*\]|![^!\s|][^!|\n]*\|[^!\n]*!|\{[^}\n]*\}|\|+|[^\\[!{|]+|[\s\S]/g
  for (const [piece] of text.matchAll(PIECES))
    if (piece.startsWith('|')) {
      cells.push(cell)
      cell = ''
    } else cell += piece
  cells.push(cell)
  cells.shift()
  if (!cells.at(-1)!.trim()) cells.pop()
  return { isHeader, cells: cells.map((content) => cellOf(content, context)) }
}

const cellOf = (text: string, context: InlineContext) =>
  text
    .split('\n')
    .map((line) => inline(listMark(line.trim()), context).trim())
    .join('\n')
    .replace(/\|/g, '\\|')
    .replace(/\n+/g, '<br>')

/** A list in a cell keeps only its bullets, since a cell of markdown is a single line. */
const listMark = (line: string) => line.replace(/^(?:[*#-]{1,5})\s+(?=\S)/, '• ')

const bold = (cell: string) => (cell ? `**${cell}**` : '')

const written = (cells: readonly string[], width: number) =>
  `| ${Array.from({ length: width }, (_, at) => cells[at] ?? '').join(' | ')} |`
