import { ChangeSet, type EditorState } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { CLIENT_ID, type Present, reportEditing } from '../../presence/reports.ts'
import type { Actor } from '../../user/actor.ts'
import { removeCursor, setCursor } from './cursors.ts'
import type { NumberedChange, TextSync } from './sync.ts'

export type ReportedCursor = Omit<Present, 'at' | 'project_id'>
type Place = Pick<ReportedCursor, 'task_id' | 'page_id'>

/** How long the place of a write is shown. */
const WRITER_MS = 5000

/** While something is unconfirmed, others do not have the text that the cursor is in. */
export function reportCursor(sync: TextSync, state: EditorState) {
  if (sync.hasUnconfirmed(state)) return
  const { anchor, head } = state.selection.main
  reportEditing({ cursor: { number: sync.number(state), anchor, head } })
}

/** Shows the cursor of somebody else in the text of this address, and removes it elsewhere. */
export function showCursor(
  sync: TextSync,
  view: EditorView,
  address: Place,
  { client_id, actor, cursor, is_editing, ...place }: ReportedCursor,
) {
  if (client_id === CLIENT_ID) return
  const isHere = is_editing && isSamePlace(address, place)
  // A cursor in another state of the text follows with the next report.
  if (isHere && cursor && cursor.number !== sync.number(view.state)) return
  const effects =
    isHere && cursor
      ? setCursor.of({ client_id, actor: actor as Actor, ...sync.shift(view.state, cursor) })
      : removeCursor.of(client_id)
  view.dispatch({ effects })
}

const isSamePlace = (address: Place, { task_id, page_id }: Place) =>
  address.page_id === undefined
    ? page_id === undefined && task_id === address.task_id
    : page_id === address.page_id

/** Shows for a moment who has written the whole text, as agents do. */
export function showWriter(
  sync: TextSync,
  view: () => EditorView | undefined,
  { client_id, number, changes, author }: NumberedChange & { author?: unknown },
) {
  const current = view()
  if (client_id !== '' || !current) return
  const head = endOf(ChangeSet.fromJSON(changes))
  const writer = `writer ${number}`
  const cursor = sync.shift(current.state, { anchor: head, head })
  current.dispatch({
    effects: setCursor.of({ client_id: writer, actor: author as Actor, ...cursor }),
  })
  setTimeout(() => view()?.dispatch({ effects: removeCursor.of(writer) }), WRITER_MS)
}

/** The end of the last insertion. */
function endOf(changes: ChangeSet): number {
  let end = 0
  changes.iterChanges((_fromA, _toA, _fromB, toB) => {
    end = toB
  })
  return end
}
