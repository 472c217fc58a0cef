import {
  changeCall,
  isCall,
  type Row,
  type StoredCall,
} from '../features/conversation/chat/model/index.ts'
import { callNotFound, type ThreadBrief } from '../features/conversation/chat/operations/index.ts'
import type { Caller } from '../kernel/caller.ts'
import type { Dispatch, Store } from '../kernel/dispatch.ts'
import { fault } from '../kernel/fault.ts'
import { applyUndo, type Undo } from './tools/index.ts'

interface UndoContext {
  store: Pick<Store, 'write'>
  dispatch: Dispatch
}

/** Undoes a call; returns false if that was done before. */
export async function undoCall(
  { store, dispatch }: UndoContext,
  caller: Caller,
  { messages, now }: ThreadBrief,
  call_id: string,
): Promise<boolean> {
  const { row, call } = findCall(messages, call_id)
  if (call.state === 'undone') return false
  if (call.state !== 'done' || !call.undo) throw notUndoable(call)
  const { undo } = call
  // The state changes first, so that only one of two concurrent undos proceeds.
  const transition = (from: StoredCall['state'], to: Partial<StoredCall>) =>
    store.write((tx) =>
      changeCall(tx, row, call_id, now, (current) =>
        current.state === from ? { ...current, ...to } : undefined,
      ),
    )
  if (!(await transition('done', { state: 'undone', can_undo: false }))) return false
  try {
    await applyUndo({ dispatch, caller }, undo as Undo)
  } catch (error) {
    await transition('undone', { state: 'done', can_undo: true })
    throw error
  }
  return true
}

function findCall(messages: readonly Row[], call_id: string): { row: Row; call: StoredCall } {
  for (const row of messages.toReversed())
    for (const call of row.parts) if (isCall(call) && call.call_id === call_id) return { row, call }
  throw callNotFound(call_id)
}

function notUndoable({ call_id, state, writes }: StoredCall) {
  const message =
    state !== 'done'
      ? `This call changed nothing: it is ${state}`
      : writes
        ? 'This cannot be undone: no other call reverses it'
        : 'This call only read data and changed nothing'
  return fault.conflict(
    message,
    { field: 'tool_call_id', value: call_id, state },
    'Say in the chat what you want instead',
  )
}
