import { ChangeSet } from '@codemirror/state'
import { Type as t } from '@sinclair/typebox'
import { fault } from '../../../../kernel/fault.ts'
import { leaseInput, operation } from '../../../../kernel/operation.ts'
import {
  announce,
  ChangeSetJson,
  insertChanges,
  lastChange,
  MAX_CHANGES,
  MAX_TEXT_LENGTH,
  parseUnsaved,
  SharedChange,
  unsavedChanges,
} from '../model/index.ts'
import { missingChanges } from './get.ts'
import { type LocatedText, locateText, textAddress } from './locate.ts'

export const push = operation({
  name: 'shared_texts.push',
  summary: 'Add changes to a text that several people edit; it is saved when they pause',
  needs: 'tasks:write',
  elevatedScope: ({ page_id }) => (page_id === undefined ? undefined : 'pages:write'),
  on: { rest: 'POST /api/v1/shared-text' },
  input: t.Object({
    ...textAddress('pages:write'),
    number: t.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'Number of the text that the changes apply to',
    }),
    client_id: t.String({ minLength: 1, maxLength: 50, description: 'Identifies the editor' }),
    changes: t.Array(ChangeSetJson, { maxItems: MAX_CHANGES }),
    is_leaving: t.Optional(
      t.Boolean({ description: 'The editor closes, so the text is saved at once' }),
    ),
    ...leaseInput,
  }),
  output: t.Object({
    accepted: t.Boolean({ description: 'False if the text has changed since that number' }),
    number: t.Integer({ description: 'Number of the text now' }),
    missing: t.Optional(
      t.Array(SharedChange, {
        description: 'What to rebase over; absent if it is no longer stored',
      }),
    ),
  }),
  guard: {
    by: 'lease',
    tasks: async (input, ctx) =>
      input.page_id === undefined ? [(await locateText(ctx, input)).ref.task_id] : [],
  },
  async run({ number, client_id, changes, is_leaving = false, ...address }, ctx) {
    const { ref, saved, version } = await locateText(ctx, address)
    const last = (await lastChange(ctx.tx, ref))?.number ?? version
    if (number !== last) {
      const missing = await missingChanges(ctx, ref, number, last)
      return { accepted: false, number: last, ...(missing && { missing }) }
    }
    const length = await lengthNow(ctx, { ref, saved })
    const { team_id, kind, text_id } = ref
    const rows = parseChanges(changes, length).map((change, index) => ({
      ...{ team_id, kind, text_id, client_id, number: last + index + 1 },
      ...{ author_id: ctx.caller.actor_id, changes: change, unsaved: change },
      created_at: ctx.now,
    }))
    if (rows.length) await insertChanges(ctx.tx, rows)
    if (rows.length || is_leaving) announce(ctx, ref, rows, is_leaving)
    return { accepted: true, number: last + rows.length }
  },
})

async function lengthNow(
  { tx }: Parameters<typeof locateText>[0],
  { ref, saved }: Pick<LocatedText, 'ref' | 'saved'>,
): Promise<number> {
  const last = (await unsavedChanges(tx, ref)).at(-1)
  return last ? parseUnsaved(last).changes.newLength : saved.length
}

/** Checks that each change applies to the text that the one before leaves. */
function parseChanges(changes: readonly unknown[], length: number): unknown[] {
  let before = length
  for (const [index, json] of changes.entries()) {
    const change = parseChange(json, `changes.${index}`)
    if (change.length !== before) throw wrongLength(`changes.${index}`, before, change.length)
    before = change.newLength
  }
  if (before > MAX_TEXT_LENGTH)
    throw fault.invalid(
      'changes',
      'too_long',
      `The text would have ${before} characters; the limit is ${MAX_TEXT_LENGTH}`,
    )
  return [...changes]
}

function parseChange(json: unknown, field: string): ChangeSet {
  try {
    if (hasLineBreak(json)) throw new RangeError('a line contains a line break or a null')
    return ChangeSet.fromJSON(json)
  } catch (error) {
    const { message } = error as Error
    throw fault.invalid(field, 'invalid_format', `${field} is no change set: ${message}`)
  }
}

/** Each string is a line, without its line break. */
const hasLineBreak = (json: unknown) =>
  Array.isArray(json) && json.flat().some((part) => typeof part === 'string' && /[\n\0]/.test(part))

const wrongLength = (field: string, expected: number, value: number) =>
  fault.invalid(
    field,
    'conflict',
    `${field} applies to ${value} characters, but the text has ${expected}`,
    value,
    'Load the text again: GET /api/v1/shared-text',
  )
