import { sendableUpdates } from '@codemirror/collab'
import { ChangeSet, EditorState } from '@codemirror/state'
import { changesBetween } from '../../../../kernel/text-changes/index.ts'
import type { Draft } from '../../../data/browser-storage.ts'
import { type NumberedChange, type NumberedText, TextSync } from './sync.ts'

/** What was typed and not confirmed. A draft of an earlier version of the app replaces the text. */
export type Unconfirmed = Pick<Draft, 'text' | 'over' | 'sent'>

/** The text as the server has it, and what was typed that it does not have. */
interface Restored extends NumberedText {
  typed: ChangeSet[]
}

/**
 * Continues what an earlier editor has left. The server may have accepted what that one sent, even
 * if the answer never arrived: such changes must not be sent again.
 */
export function restore(left: Unconfirmed | undefined, answer: Answer): Restored {
  const { number, text = '', changes } = answer
  if (!left) return { number, text, typed: [] }
  const { over = text, sent } = left
  if (sent && changes) return continueSent({ text: left.text, over, sent }, changes)
  const typed = changesBetween(over, left.text)
  const others = changesBetween(over, text)
  return { number, text, typed: [without(typed, others).map(others)] }
}

/** The text of the server, or its changes since the number that was asked for. */
type Answer = { number: number; text?: string; changes?: readonly NumberedChange[] }

function continueSent(
  { text, over, sent }: Required<Unconfirmed>,
  changes: readonly NumberedChange[],
): Restored {
  const sync = new TextSync({ number: sent.number, text: over }, sent.client_id)
  let state = EditorState.create({ doc: sync.base, extensions: sync.extension() })
  for (const change of sent.changes)
    state = state.update({ changes: ChangeSet.fromJSON(change) }).state
  state = state.update({ changes: changesBetween(state.doc.toString(), text) }).state
  state = sync.receive(state, changes)?.state ?? state
  const typed = sendableUpdates(state).map((update) => update.changes)
  return { number: sync.number(state), text: sync.base.toString(), typed }
}

/** The changes that are not among the other ones as well. Both apply to the same text. */
function without(changes: ChangeSet, others: ChangeSet): ChangeSet {
  const known = new Set(replacements(others).map((one) => JSON.stringify(one)))
  const rest = replacements(changes).filter((one) => !known.has(JSON.stringify(one)))
  return ChangeSet.of(rest, changes.length, '\n')
}

function replacements(changes: ChangeSet) {
  const found: { from: number; to: number; insert: string }[] = []
  changes.iterChanges((from, to, _newFrom, _newTo, insert) =>
    found.push({ from, to, insert: insert.toString() }),
  )
  return found
}
