import type { RecordCollector } from '../shared/record-collector.ts'

/** The people of a cell: `Ana, Ben`, `Ana <ana@example.com>; Ben`. */
export function peopleIn(text: string, collector: RecordCollector): string[] {
  const separator = text.includes(';') ? ';' : text.includes('\n') ? '\n' : ','
  return text.split(separator).flatMap((part) => {
    const plain = part.trim().replace(/^@/, '')
    const [, name = plain, email = ''] =
      /^(.*?)\s*[<(]([^\s<>()]+@[^\s<>()]+)[>)]$/.exec(plain) ?? []
    const address = email || (/^[^\s@]+@[^\s@]+$/.test(name) ? name : '')
    const id = collector.person(address || name, name.trim(), address)
    return id ? [id] : []
  })
}
