import { and, eq, isNull } from 'drizzle-orm'
import type { Caller, Tx } from '../../../../kernel/caller.ts'
import { forUpdate } from '../../../../store/columns.ts'
import { lastSeq } from '../../../../store/log.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { changes } from '../../../../store/tables.ts'
import { agents } from '../../agents/model/index.ts'
import type { Listener } from './rules.ts'
import { messagePlaces } from './tables.ts'

export type Position = typeof messagePlaces.$inferSelect

/** Owns messages: an agent and its team. */
export interface Owner {
  team_id: number
  actor_id: number
}

/** With the agent's UUID. */
export type Recipient = Owner & Listener

/** An agent belongs to one team, or to none once its owner has left it. */
export function recipientFor({ actor_id, agent_id, teams }: Caller): Recipient | undefined {
  const [team_id] = teams.keys()
  return agent_id === undefined || team_id === undefined
    ? undefined
    : { actor_id, agent_id, team_id }
}

const statements = prepared((tx) => {
  const own = and(
    eq(messagePlaces.team_id, param('team_id')),
    eq(messagePlaces.actor_id, param('actor_id')),
  )
  return {
    read: tx.select().from(messagePlaces).where(own).prepare('message_place'),
    hold: forUpdate(tx.select().from(messagePlaces).where(own)).prepare('message_place_hold'),
    move: tx
      .update(messagePlaces)
      .set({ seq: param('seq') })
      .where(own)
      .prepare('message_place_move'),
  }
})

/** Undefined if no position is stored yet; see `initialPosition`. */
export async function findPosition(
  tx: Tx,
  { team_id, actor_id }: Owner,
): Promise<Position | undefined> {
  const [position] = await statements(tx).read.execute({ team_id, actor_id })
  return position
}

/** Locks the position, and creates it if it does not exist. */
export async function lockPosition(tx: Tx, owner: Owner): Promise<Position> {
  const { team_id, actor_id } = owner
  const [position] = await statements(tx).hold.execute({ team_id, actor_id })
  return position ?? insertPosition(tx, await initialPosition(tx, owner))
}

export async function initialPosition(tx: Tx, { team_id, actor_id }: Owner): Promise<Position> {
  const seq = await initialSeq(tx, { team_id, actor_id })
  return { team_id, actor_id, seq, wanted: null, wanted_from: null, wanted_project_id: null }
}

/** If another process inserts first, its row stays. */
export async function insertPosition(tx: Tx, position: Position): Promise<Position> {
  const { team_id, actor_id } = messagePlaces
  const [stored] = await tx
    .insert(messagePlaces)
    .values(position)
    .onConflictDoUpdate({ target: [team_id, actor_id], set: { team_id: position.team_id } })
    .returning()
  return stored!
}

export async function setPosition(
  tx: Tx,
  { team_id, actor_id }: Owner,
  seq: number,
): Promise<void> {
  await statements(tx).move.execute({ team_id, actor_id, seq })
}

/** The creation of the agent; if the log does not contain it, the newest change. */
async function initialSeq(tx: Tx, { team_id, actor_id }: Owner): Promise<number> {
  const [agent] = await tx.select().from(agents).where(eq(agents.actor_id, actor_id))
  const created = await tx
    .select({ seq: changes.seq, data: changes.data })
    .from(changes)
    .where(
      and(
        eq(changes.team_id, team_id),
        isNull(changes.task_id),
        eq(changes.created_at, agent!.created_at),
        eq(changes.type, 'agent.created'),
      ),
    )
  return created.find(({ data }) => data.agent_id === agent!.agent_id)?.seq ?? lastSeq(tx)
}
