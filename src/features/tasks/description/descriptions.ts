import { getTableColumns } from 'drizzle-orm'
import { type Content, type Format, loadContent } from '../../../content/index.ts'
import type { Writer } from '../../../kernel/caller.ts'
import { fault } from '../../../kernel/fault.ts'
import { param, prepared } from '../../../store/prepared.ts'
import type { Task } from '../address.ts'
import { descriptionVersions } from './tables.ts'

declare const clean: unique symbol
/** A text that may be kept; only cleaning makes one, so none is written past it. */
export type Clean = string & { readonly [clean]: true }

/** What was sent of a description: a text, or only how the one there is is written. */
export type Described =
  | { type: Format; text: Clean }
  | { type: Format; recast(before: string): Clean }

export interface Sent {
  description?: string
  content_type?: Format
}

/** Cleans what was sent, before a transaction begins. */
export async function described(
  { description, content_type }: Sent,
  field = 'description',
): Promise<Described | undefined> {
  if (description === undefined && content_type === undefined) return undefined
  const content = await loadContent()
  // A new text is HTML unless it is said to be markdown, whatever the one before it was.
  const type = content_type ?? 'html'
  if (description === undefined)
    return { type, recast: (before) => cleaned(content, before, type, field) }
  return { type, text: cleaned(content, description, type, field) }
}

/** A text as it is kept; what shows nothing describes nothing. */
export function cleaned(
  content: Content,
  text: string,
  type: Format,
  field = 'description',
): Clean {
  const kept = content.clean(text, type, field)
  if (kept) return kept as Clean
  const hint = text.trim() && 'Nothing of it is left without what may not stand in a text'
  throw fault.invalid(field, 'required', `${field} must not be empty`, text, hint || undefined)
}

/** Keeps the text a task has now beside those it had before. */
export async function keepVersion({ tx, caller, now }: Writer, task: Task): Promise<void> {
  const { team_id, task_id, description, description_version, content_type } = task
  if (description === null) return
  await inserts(tx).execute({
    team_id,
    task_id,
    version: description_version,
    content: description,
    content_type,
    author_id: caller.actor_id,
    created_at: now,
  })
}

const inserts = prepared((tx) => {
  const { version_id: _, ...columns } = getTableColumns(descriptionVersions)
  const values = Object.fromEntries(Object.keys(columns).map((name) => [name, param(name)]))
  return tx
    .insert(descriptionVersions)
    .values(values as never)
    .prepare('description_insert')
})
