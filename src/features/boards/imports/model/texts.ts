import { eq } from 'drizzle-orm'
import { contentFor, type Format } from '../../../../content/index.ts'
import type { PrepareContext } from '../../../../kernel/caller.ts'
import { tasksById } from '../../../tasks/tasks/model/index.ts'
import type { WrittenRecord } from './schema.ts'
import { KnownRows } from './store.ts'
import { sourceImports } from './tables.ts'

export interface StorableText {
  text: string
  format: Format
}

/** The cleaned text of each record that has one, and the records with links to unknown tasks. */
export interface PreparedTexts {
  texts: ReadonlyMap<number, StorableText | null>
  unresolved: ReadonlySet<number>
}

/** The target of a link to a task of the source, as `taskLink` of the readers writes it. */
const LINK = /(?<=[("'<])task:((?:[\w.-]|%[0-9A-Fa-f]{2})+)/g

/** Cleans the texts of records, and turns links between tasks of the source into links here. */
export async function prepareTexts(
  ask: PrepareContext,
  import_id: number,
  records: readonly WrittenRecord[],
): Promise<PreparedTexts> {
  const inputs = records.flatMap((record, at) => {
    const text = record.task?.description ?? record.comment?.text ?? record.board?.description
    const format = record.task?.content_type ?? record.comment?.content_type
    return text === undefined ? [] : { at, text, format }
  })
  const tickets = await ticketsOf(
    ask,
    import_id,
    inputs.flatMap(({ text }) => linkedIds(text)),
  )
  const unresolved = new Set<number>()
  const content = contentFor(ask)
  const cleaned = await Promise.all(
    inputs.map(async ({ at, text, format }) => {
      const linked = replaceLinks(text, tickets, () => unresolved.add(at))
      const result = await content.clean(linked, format, `records.${at}`)
      return [at, result.text ? { text: result.text, format: result.format } : null] as const
    }),
  )
  return { texts: new Map(cleaned), unresolved }
}

const linkedIds = (text: string): string[] =>
  text.includes('task:') ? Array.from(text.matchAll(LINK), ([, id]) => decodeId(id!)) : []

function decodeId(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

function replaceLinks(
  text: string,
  tickets: ReadonlyMap<string, string>,
  onUnknown: () => void,
): string {
  if (!text.includes('task:')) return text
  return text.replace(LINK, (whole, id: string) => {
    const ticket = tickets.get(decodeId(id))
    if (ticket) return `/t/${ticket}`
    onUnknown()
    return whole
  })
}

async function ticketsOf(
  ask: PrepareContext,
  import_id: number,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (!ids.length) return new Map()
  return ask.read(async (tx) => {
    const [source] = await tx
      .select()
      .from(sourceImports)
      .where(eq(sourceImports.import_id, import_id))
    if (!source) return new Map()
    const known = new KnownRows(tx, source)
    await known.load('task', ids)
    const rowIds = ids.flatMap((id) => known.get('task', id)?.row_id ?? [])
    const rows = await tasksById(tx, rowIds)
    return new Map(
      ids.flatMap((id) => {
        const task = rows.get(known.get('task', id)?.row_id ?? 0)
        return task ? [[id, task.ticket_number] as const] : []
      }),
    )
  })
}
