import { getTableColumns } from 'drizzle-orm'
import {
  type Cleaned,
  cleanedIn as cleanAgain,
  type Format,
  type Resolver,
} from '../../../content/index.ts'
import { checkVisible, type Sender, storable, warnOfRemoved } from '../../../content/storable.ts'
import type { Context, Writer } from '../../../kernel/caller.ts'
import { param, prepared } from '../../../store/prepared.ts'
import type { Task } from '../address.ts'
import { descriptionVersions } from './tables.ts'

declare const isClean: unique symbol
/** A text that may be kept; only cleaning makes one, so none is written past it. */
export type Clean = string & { readonly [isClean]: true }

/** A text that may be stored, and how it is written. */
export interface CleanText {
  text: Clean
  type: Format
}

/** What was sent of a description: a text, or only how the one there is is written. */
export type Described = CleanText | { type: Format }

export interface Sent {
  description?: string
  content_type?: Format
}

/** Cleans what was sent, before a transaction begins. */
export async function described(
  sender: Sender,
  { description, content_type }: Sent,
  field = 'description',
): Promise<Described | undefined> {
  if (description !== undefined) return cleaned(sender, description, content_type, field)
  return content_type && { type: content_type }
}

/** A text as it may be stored; the format is detected where the caller names none. */
export const cleaned = async (
  sender: Sender,
  given: string,
  type: Format | undefined,
  field = 'description',
): Promise<CleanText> => marked(await storable(sender, given, type, field))

/** The same of a text that a transaction read. */
export function cleanedIn(
  ctx: Resolver & Sender,
  given: string,
  type: Format,
  field = 'description',
): CleanText {
  const kept = cleanAgain(ctx, given, type, field)
  checkVisible(kept, given, field)
  warnOfRemoved(ctx, kept, field)
  return marked(kept)
}

/** The text there is; markdown that is called HTML from now on has to be fit for that. */
export function recast(ctx: Context, { description, content_type }: Task, { type }: Described) {
  const stays = description === null || type === content_type
  return stays ? description : cleanedIn(ctx, description, type).text
}

const marked = ({ text, format }: Cleaned): CleanText => ({ text: text as Clean, type: format })

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
