import {
  type Brief,
  callUnknown,
  changeCall,
  isCall,
  type KeptCall,
  type Row,
} from '../features/chat/index.ts'
import type { Caller } from '../kernel/caller.ts'
import type { Dispatch, Store } from '../kernel/dispatch.ts'
import { fault } from '../kernel/fault.ts'
import { type Undo, undoing } from './tools/index.ts'

interface Parts {
  store: Pick<Store, 'write'>
  dispatch: Dispatch
}

/** Takes back what a call did; false where that was done already. */
export async function takeBack(
  { store, dispatch }: Parts,
  caller: Caller,
  { messages, now }: Brief,
  call_id: string,
): Promise<boolean> {
  const { row, call } = callIn(messages, call_id)
  if (call.state === 'undone') return false
  if (call.state !== 'done' || !call.undo) throw final(call)
  const { undo } = call
  // Marked first, so that of two at once one only goes on.
  const mark = (from: KeptCall['state'], to: Partial<KeptCall>) =>
    store.write((tx) =>
      changeCall(tx, row, call_id, now, (one) =>
        one.state === from ? { ...one, ...to } : undefined,
      ),
    )
  if (!(await mark('done', { state: 'undone', can_undo: false }))) return false
  try {
    await undoing({ dispatch, caller }, undo as Undo)
  } catch (error) {
    await mark('undone', { state: 'done', can_undo: true })
    throw error
  }
  return true
}

function callIn(messages: readonly Row[], call_id: string): { row: Row; call: KeptCall } {
  for (const row of messages.toReversed())
    for (const call of row.parts) if (isCall(call) && call.call_id === call_id) return { row, call }
  throw callUnknown(call_id)
}

function final({ call_id, state, writes }: KeptCall) {
  const why =
    state !== 'done'
      ? `Nothing was done by this call: it is ${state}`
      : writes
        ? 'This cannot be taken back: there is no call that makes it undone'
        : 'This call only looked, and changed nothing'
  return fault.conflict(
    why,
    { field: 'tool_call_id', value: call_id, state },
    'Say in the chat what you want instead',
  )
}
