import type { Caller, Context } from '../../../../kernel/caller.ts'
import type { Actor } from '../../../identity/people/model/index.ts'
import type { SharedChange, TextRef } from './schema.ts'
import type { TextChange } from './store.ts'

type Row = Pick<TextChange, 'number' | 'client_id' | 'changes'>

/** Changes of one author, as clients get them. */
export const asShared = (author: Actor, rows: readonly Row[]): SharedChange[] =>
  rows.map(({ number, client_id, changes }) => ({
    ...{ number, client_id, author },
    changes: changes as SharedChange['changes'],
  }))

export const callerAsActor = ({ kind, actor_id, agent_id, name }: Caller): Actor =>
  kind === 'agent' ? { kind, agent_id: agent_id!, name } : { kind, user_id: actor_id, name }

/** Longer changes are left out of the message; clients then read them. */
const MAX_MESSAGE_LENGTH = 5000

/** Sends accepted changes to the open streams of the board, after the commit. */
export function announce(
  ctx: Context,
  { team_id, kind, text_id, project_id }: TextRef & { project_id: number },
  rows: readonly Row[],
  isLeaving = false,
): void {
  const changes = asShared(callerAsActor(ctx.caller), rows)
  const isShort = JSON.stringify(changes).length < MAX_MESSAGE_LENGTH
  const number = rows.at(-1)?.number
  const data = {
    ...{ team_id, kind, text_id, number, is_leaving: isLeaving },
    changes: isShort ? changes : [],
  }
  ctx.afterCommit(() => ctx.server.signals.publish({ type: 'text.changed', project_id, data }))
}
