import { Type as t } from '@sinclair/typebox'
import type { Context } from '../../../../kernel/caller.ts'
import { operation } from '../../../../kernel/operation.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import {
  applyAll,
  asShared,
  changesAfter,
  lastChange,
  parseUnsaved,
  SharedChange,
  type TextChange,
  unsavedChanges,
} from '../model/index.ts'
import { locateText, textAddress } from './locate.ts'

/** More missing changes than this are slower to apply than a new text is to load. */
const MAX_MISSING = 1000

export const get = operation({
  name: 'shared_texts.get',
  summary: 'The text that people edit, with unsaved changes; or the changes after a number',
  needs: 'tasks:read',
  elevatedScope: ({ page_id }) => (page_id === undefined ? undefined : 'pages:read'),
  dependsOn: [],
  uncached: true,
  on: { rest: 'GET /api/v1/shared-text' },
  input: t.Object({
    ...textAddress('pages:read'),
    after: t.Optional(
      t.Integer({
        minimum: 0,
        maximum: 2_147_483_647,
        description: 'Only the changes after this number, if they are still stored',
      }),
    ),
  }),
  output: t.Object({
    number: t.Integer({ description: 'Counts the changes of the text' }),
    version: t.Integer({ description: 'Version of the saved text' }),
    is_saved: t.Boolean({ description: 'Whether the saved version has all changes' }),
    text: t.Optional(t.String({ description: 'Markdown; absent if changes are returned' })),
    changes: t.Optional(t.Array(SharedChange)),
  }),
  async run({ after, ...address }, ctx) {
    const { ref, version, saved } = await locateText(ctx, address)
    const number = (await lastChange(ctx.tx, ref))?.number ?? version
    const unsaved = await unsavedChanges(ctx.tx, ref)
    const state = { number, version, is_saved: !unsaved.length }
    const missing = after !== undefined && (await missingChanges(ctx, ref, after, number))
    if (missing) return { ...state, changes: missing }
    return {
      ...state,
      text: applyAll(
        saved,
        unsaved.map((row) => parseUnsaved(row).changes),
      ),
    }
  },
})

type Ref = Parameters<typeof changesAfter>[1]

/** The changes after a number; undefined if some of them are no longer stored. */
export async function missingChanges(ctx: Context, ref: Ref, after: number, number: number) {
  if (after > number || number - after > MAX_MISSING) return undefined
  const rows = await changesAfter(ctx.tx, ref, after)
  return rows.length === number - after ? toShared(ctx, rows) : undefined
}

async function toShared({ tx }: Context, rows: readonly TextChange[]): Promise<SharedChange[]> {
  const authors = await actorsOf(
    tx,
    rows.map(({ author_id }) => author_id),
  )
  return rows.flatMap((row) => asShared(asActor(authors.get(row.author_id)!), [row]))
}
