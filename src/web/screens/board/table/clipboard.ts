/**
 * Parses text with tabs between cells and lines between rows, as spreadsheets copy it: a cell with
 * a tab, a line break or a quote is in quotes, with its own quotes doubled.
 */
export function parseTsv(text: string): string[][] {
  const rows: string[][] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/gy
  let row: string[] = []
  for (let match = cell.exec(text); match; match = cell.exec(text)) {
    const [, quoted, plain, end] = match
    row.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'))
    if (end === '\t') continue
    rows.push(row)
    row = []
    if (!end) break
  }
  // A line break at the end of the text begins no row.
  if (rows.at(-1)?.join('') === '' && rows.length > 1) rows.pop()
  return rows
}

const quoteIfNeeded = (cell: string) =>
  /[\t\r\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

export const toTsv = (rows: readonly (readonly string[])[]) =>
  rows.map((row) => row.map(quoteIfNeeded).join('\t')).join('\n')

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\n': '<br>' }
const escapeHtml = (text: string) => text.replaceAll(/[&<>\n]/g, (found) => ESCAPES[found]!)

/** A table in HTML, which documents and mail programs paste as a table. */
export const toHtml = (rows: readonly (readonly string[])[]) =>
  `<table><tbody>${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`)
    .join('')}</tbody></table>`
