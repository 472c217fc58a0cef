import { getTableColumns } from 'drizzle-orm'
import type { Cleaned, Format } from '../../../../content/content.ts'
import { cleanInTransaction as cleanAgain, type Resolver } from '../../../../content/index.ts'
import {
  checkVisible,
  storable,
  type WarningOwner,
  warnOfRemoved,
} from '../../../../content/storable.ts'
import type { Context, WriteContext } from '../../../../kernel/caller.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { send } from '../../../../store/send.ts'
import type { Task } from '../../tasks/model/index.ts'
import { descriptionVersions } from './tables.ts'

declare const cleanBrand: unique symbol
/**
 * Text that may be stored. Only cleaning produces this type, so uncleaned text cannot be written.
 */
export type CleanString = string & { readonly [cleanBrand]: true }

/** Cleaned text and its format. */
export interface CleanText {
  text: CleanString
  type: Format
  /** The text is what people have typed into the shared text, which has it already. */
  isShared?: true
}

/** The description of an input: a new text, or only a new format for the existing text. */
export type DescriptionInput = CleanText | { type: Format }

export interface DescriptionDraft {
  description?: string
  content_type?: Format
}

/** Cleans the description of an input, before the transaction begins. */
export async function prepareDescription(
  sender: WarningOwner,
  { description, content_type }: DescriptionDraft,
  field = 'description',
): Promise<DescriptionInput | undefined> {
  if (description !== undefined) return cleanText(sender, description, content_type, field)
  return content_type && { type: content_type }
}

/** Cleans a text. Detects the format if the caller names none. */
export const cleanText = async (
  sender: WarningOwner,
  text: string,
  type: Format | undefined,
  field = 'description',
): Promise<CleanText> => toCleanText(await storable(sender, text, type, field))

/** Cleans a text that was read inside the transaction. */
export function cleanStoredText(
  ctx: Resolver & WarningOwner,
  text: string,
  type: Format,
  field = 'description',
): CleanText {
  const cleaned = cleanAgain(ctx, text, type, field)
  checkVisible(cleaned, text, field)
  warnOfRemoved(ctx, cleaned, field)
  return toCleanText(cleaned)
}

/** The existing text under a new format. Markdown that becomes HTML is cleaned again. */
export function recast(
  ctx: Context,
  { description, content_type }: Task,
  { type }: DescriptionInput,
) {
  const stays = description === null || type === content_type
  return stays ? description : cleanStoredText(ctx, description, type).text
}

const toCleanText = ({ text, format }: Cleaned): CleanText => ({
  text: text as CleanString,
  type: format,
})

/** Saves the current description as a version. */
export async function saveVersion({ tx, caller, now }: WriteContext, task: Task): Promise<void> {
  const { team_id, task_id, description, description_version, content_type } = task
  if (description === null) return
  const row = {
    team_id,
    task_id,
    version: description_version,
    content: description,
    content_type,
    author_id: caller.actor_id,
    created_at: now,
  }
  await send(tx, insertVersion(tx).execute(row))
}

const insertVersion = prepared((tx) => {
  const { version_id: _, ...columns } = getTableColumns(descriptionVersions)
  const values = Object.fromEntries(Object.keys(columns).map((name) => [name, param(name)]))
  return tx
    .insert(descriptionVersions)
    .values(values as never)
    .prepare('description_insert')
})
