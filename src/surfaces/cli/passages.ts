import { type Screen, safe } from './table.ts'

type Row = Record<string, unknown>

/** What a passage is told by: where it stands, its address, and what it says. */
type Parts = [above: unknown[], address: unknown, text: unknown]

/** What is read and not compared: these are no table. */
const READ: Record<string, (row: Row) => Parts> = {
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

export const isRead = (name: string) => Object.hasOwn(READ, name)

/** Passages one below another, the best first. */
export function passages(name: string, rows: readonly Row[], { colour }: Screen): string {
  const bold = (text: string) => (colour ? `\x1b[1m${text}\x1b[22m` : text)
  return rows
    .map((row) => {
      const [above, address, text] = READ[name]!(row)
      const head = safe(above.filter(Boolean).join(' › '))
      return `${bold(head)}\n${safe(String(address))}\n\n${safe(String(text)).trim()}\n`
    })
    .join('\n')
    .trimEnd()
}
