import { getTableColumns } from 'drizzle-orm'
import {
  type Cleaned,
  cleanedIn as cleanAgain,
  contentFor,
  type Format,
  type Owner,
  type Resolver,
} from '../../../content/index.ts'
import type { Context, Writer } from '../../../kernel/caller.ts'
import { fault } from '../../../kernel/fault.ts'
import { param, prepared } from '../../../store/prepared.ts'
import type { Task } from '../address.ts'
import { descriptionVersions } from './tables.ts'

declare const clean: unique symbol
/** A text that may be kept; only cleaning makes one, so none is written past it. */
export type Clean = string & { readonly [clean]: true }

/** A text that may be kept, how it is written, and what was taken out of it. */
export interface CleanText {
  text: Clean
  type: Format
  removed?: readonly string[]
}

/** What was sent of a description: a text, or only how the one there is is written. */
export type Described = CleanText | { type: Format }

export interface Sent {
  description?: string
  content_type?: Format
}

/** Cleans what was sent, before a transaction begins. */
export async function described(
  owner: Owner,
  { description, content_type }: Sent,
  field = 'description',
): Promise<Described | undefined> {
  if (description !== undefined) return cleaned(owner, description, content_type, field)
  return content_type && { type: content_type }
}

/** A text as it is kept; one that shows nothing is refused. */
export const cleaned = async (
  owner: Owner,
  given: string,
  type: Format | undefined,
  field = 'description',
): Promise<CleanText> => visible(await contentFor(owner).clean(given, type, field), given, field)

/** The same of a text that a transaction read. */
export const cleanedIn = (
  ctx: Resolver,
  given: string,
  type: Format,
  field = 'description',
): CleanText => visible(cleanAgain(ctx, given, type, field), given, field)

/** The text there is; markdown that is called HTML from now on has to be fit for that. */
export function recast(ctx: Context, { description, content_type }: Task, { type }: Described) {
  const stays = description === null || type === content_type
  return stays ? description : cleanedIn(ctx, description, type).text
}

function visible({ text, format, removed }: Cleaned, given: string, field: string): CleanText {
  if (text) return { text: text as Clean, type: format, removed }
  const hint = given.trim() && 'Nothing of it is left without what may not stand in a text'
  throw fault.invalid(field, 'required', `${field} must not be empty`, given, hint || undefined)
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
