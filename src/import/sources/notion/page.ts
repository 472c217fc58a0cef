import type { SourceFile } from '../../source.ts'
import { textOf } from '../../text.ts'

export interface Page {
  path: string
  id: string
  title: string
  /** The lines below the title, of the form `Status: Open`. */
  properties: Map<string, string>
  body: string
}

/** Splits a page into its title, its properties and its text. */
export async function pageOf(
  file: SourceFile,
  id: string,
  columns: ReadonlySet<string>,
): Promise<Page> {
  const text = (await textOf(file)).replaceAll('\r\n', '\n')
  const [heading, title = ''] = /^\s*# ([^\n]*)\n*/.exec(text) ?? ['']
  const rest = text.slice(heading.length)
  const end = rest.search(/\n[ \t]*(?:\n|$)/)
  const head = end < 0 ? rest : rest.slice(0, end)
  const isHead = columns.has(/^([^:\n]+):/.exec(head)?.[1]?.trim() ?? '')
  return {
    path: file.path,
    id,
    title: title.trim(),
    properties: isHead ? propertiesIn(head) : new Map(),
    body: (isHead ? rest.slice(head.length) : rest).trim(),
  }
}

function propertiesIn(head: string): Map<string, string> {
  const properties = new Map<string, string>()
  for (const line of head.split('\n')) {
    const [, name, value] = /^([^:]+):\s?(.*)$/.exec(line) ?? []
    if (name) properties.set(name.trim(), value!.trim())
  }
  return properties
}
