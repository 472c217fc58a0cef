import { convertInTransaction, type Format } from '../../../../content/index.ts'
import type { Context } from '../../../../kernel/caller.ts'
import { changesBetween } from '../../../../kernel/text-changes/index.ts'
import { taskById } from '../../tasks/model/index.ts'
import { rebase } from './rules.ts'
import type { TextRef } from './schema.ts'
import { announce } from './signals.ts'
import { insertChanges, lastChange, parseUnsaved, setUnsaved, unsavedChanges } from './store.ts'

interface StoredText {
  text: string
  type: Format
}

/** The markdown that people edit: the text as it is stored, or converted from HTML. */
export const markdownOf = (ctx: Context, { text, type }: StoredText): string =>
  type === 'markdown' ? text : convertInTransaction(ctx, 'markdown', text, type)

/**
 * Lets a write of a whole text reach those who edit it: its differences become a change of the
 * shared text, and unsaved changes are rebased over it. The caller must hold the lock of the task.
 */
export async function shareWrite(
  ctx: Context,
  ref: TextRef & { task_id: number },
  before: StoredText,
  after: StoredText,
): Promise<void> {
  const { tx, caller, now } = ctx
  const last = await lastChange(tx, ref)
  const { project_id } = (await taskById(tx, ref.task_id))!
  // Nobody has changed the text together yet, so editors have to load it.
  if (!last) return announce(ctx, { ...ref, project_id }, [])
  const rows = await unsavedChanges(tx, ref)
  const written = changesBetween(markdownOf(ctx, before), markdownOf(ctx, after))
  if (written.empty) return
  const { pending, over } = rebase(
    rows.map((row) => parseUnsaved(row).changes),
    written,
  )
  for (const [index, row] of rows.entries()) await setUnsaved(tx, row, pending[index]!)
  const { team_id, kind, text_id } = ref
  const change = {
    ...{ team_id, kind, text_id, number: last.number + 1, author_id: caller.actor_id },
    ...{ client_id: '', changes: over.toJSON(), unsaved: null, created_at: now },
  }
  await insertChanges(tx, [change])
  announce(ctx, { ...ref, project_id }, [change])
}
