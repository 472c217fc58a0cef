import { and, eq, isNull } from 'drizzle-orm'
import type { Caller, Tx } from '../../kernel/caller.ts'
import { held } from '../../store/columns.ts'
import { lastSeq } from '../../store/log.ts'
import { param, prepared } from '../../store/prepared.ts'
import { changes } from '../../store/tables.ts'
import { agents } from '../agents/index.ts'
import type { Listener } from './rules.ts'
import { messagePlaces } from './tables.ts'

export type Place = typeof messagePlaces.$inferSelect

/** Whose messages they are: an agent and its team. */
export interface Owner {
  team_id: number
  actor_id: number
}

/** The same with what others call the agent. */
export type Told = Owner & Listener

/** An agent is of one team; it is of none once its owner has left that. */
export function listenerOf({ actor_id, agent_id, teams }: Caller): Told | undefined {
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
    hold: held(tx.select().from(messagePlaces).where(own)).prepare('message_place_hold'),
    move: tx
      .update(messagePlaces)
      .set({ seq: param('seq') })
      .where(own)
      .prepare('message_place_move'),
  }
})

/** Nothing where no place was kept yet; `firstPlace` says which it will be. */
export async function placeOf(tx: Tx, { team_id, actor_id }: Owner): Promise<Place | undefined> {
  const [place] = await statements(tx).read.execute({ team_id, actor_id })
  return place
}

/** The same, and nobody else moves it until the transaction ends. */
export async function heldPlace(tx: Tx, owner: Owner): Promise<Place> {
  const { team_id, actor_id } = owner
  const [place] = await statements(tx).hold.execute({ team_id, actor_id })
  return place ?? keepPlace(tx, await firstPlace(tx, owner))
}

export async function firstPlace(tx: Tx, { team_id, actor_id }: Owner): Promise<Place> {
  const seq = await beginning(tx, { team_id, actor_id })
  return { team_id, actor_id, seq, wanted: null, wanted_from: null, wanted_project_id: null }
}

/** Whoever was first has kept it. */
export async function keepPlace(tx: Tx, place: Place): Promise<Place> {
  const { team_id, actor_id } = messagePlaces
  const [kept] = await tx
    .insert(messagePlaces)
    .values(place)
    .onConflictDoUpdate({ target: [team_id, actor_id], set: { team_id: place.team_id } })
    .returning()
  return kept!
}

export async function movePlace(tx: Tx, { team_id, actor_id }: Owner, seq: number): Promise<void> {
  await statements(tx).move.execute({ team_id, actor_id, seq })
}

/** An agent is told of what happened after it was made; of one that came otherwise, from now on. */
async function beginning(tx: Tx, { team_id, actor_id }: Owner): Promise<number> {
  const [agent] = await tx.select().from(agents).where(eq(agents.actor_id, actor_id))
  const made = await tx
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
  return made.find(({ data }) => data.agent_id === agent!.agent_id)?.seq ?? lastSeq(tx)
}
