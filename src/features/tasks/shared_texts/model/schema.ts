import { type Static, Type as t } from '@sinclair/typebox'
import { Actor } from '../../../identity/people/model/index.ts'

/** A text that several people can edit at once: the description of a task, or a page. */
export type TextKind = 'task' | 'page'

/** Names a shared text. */
export interface TextRef {
  team_id: number
  kind: TextKind
  text_id: number
}

export const MAX_TEXT_LENGTH = 1_048_576
/** Changes in one request. A client with more sends the rest afterwards. */
export const MAX_CHANGES = 200
const MAX_PARTS = 10_000

/**
 * A change set of CodeMirror as JSON: for each section, how many characters stay, or how many go
 * and the lines that replace them.
 */
export const ChangeSetJson = t.Array(
  t.Union([
    t.Integer({ minimum: 0, maximum: MAX_TEXT_LENGTH }),
    t.Array(
      t.Union([
        t.Integer({ minimum: 0, maximum: MAX_TEXT_LENGTH }),
        t.String({ maxLength: MAX_TEXT_LENGTH }),
      ]),
      { minItems: 1 },
    ),
  ]),
  { maxItems: MAX_PARTS, description: 'A change set of CodeMirror' },
)

export const SharedChange = t.Object({
  number: t.Integer({ description: 'Number of the text after the change' }),
  client_id: t.String({ description: 'Empty for a write of the whole text' }),
  author: Actor,
  changes: ChangeSetJson,
})
export type SharedChange = Static<typeof SharedChange>
