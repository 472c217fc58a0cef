import { type Screen, safe } from './table.ts'

type Row = Record<string, unknown>

/** The parts of a passage: where it is, its address and its text. */
type PassageParts = [above: unknown[], address: unknown, text: unknown]

/** Operations whose rows are shown as passages instead of a table. */
const PASSAGE_PARTS: Record<string, (row: Row) => PassageParts> = {
  'search.help': ({ article, heading, url, text }) => [[article, heading], url, text],
  'search.semantic': ({ source, text }) => {
    const { ticket_number, title, headings, url } = source as Row
    return [[ticket_number, title, ...(headings as unknown[])], url, text]
  },
  'search.related': ({ ticket_number, title, url, passage }) => [
    [ticket_number, title],
    url,
    passage,
  ],
}

export const hasPassages = (name: string) => Object.hasOwn(PASSAGE_PARTS, name)

/** Renders passages one below another, in the order of the rows. */
export function renderPassages(name: string, rows: readonly Row[], { colour }: Screen): string {
  const bold = (text: string) => (colour ? `\x1b[1m${text}\x1b[22m` : text)
  return rows
    .map((row) => {
      const [path, address, text] = PASSAGE_PARTS[name]!(row)
      const heading = safe(path.filter(Boolean).join(' › '))
      return `${bold(heading)}\n${safe(String(address))}\n\n${safe(String(text)).trim()}\n`
    })
    .join('\n')
    .trimEnd()
}
