import { eq } from 'drizzle-orm'
import { agents } from '../features/agents/index.ts'
import { actors, people, personByEmail } from '../features/people/index.ts'
import { members, teams } from '../features/teams/index.ts'
import type { Change, Tx } from '../kernel/caller.ts'
import { Inserter } from '../store/bulk.ts'
import { changes, importedActors, imports } from '../store/tables.ts'
import { Unusable } from '../store/unusable.ts'
import { nameFields } from './boards.ts'
import { type Numbers, placeMyView } from './place-plans.ts'
import type { RecordOf } from './schema.ts'
import type { Placed, Tasks } from './tasks.ts'

/** What came of an import. */
export interface Imported {
  team_id: number
  team: string
  /** People who had an account here. */
  known: string[]
  /** People who were given one, without a password. */
  created: string[]
  boards: number
  tasks: number
}

/** What the last transaction of an import needs to know of those before it. */
export interface Arrival {
  team_id: number
  team: RecordOf<'team'>
  people: { given: RecordOf<'person'>; actor_id: number; isKnown: boolean }[]
  agents: { given: RecordOf<'agent'>; actor_id: number }[]
  boards: ReadonlyMap<string, Placed>
  boardRecords: readonly RecordOf<'board'>[]
  views: readonly RecordOf<'my_view'>[]
  tasks: Pick<Tasks, 'first' | 'last' | 'count'>
  numbers: Numbers
}

type News = Pick<Change, 'type' | 'data'> & { project_id?: number }

const moment = (text: string) => new Date(text)

/**
 * Makes a staged team visible: gives it its members and agents, people their accounts, and all of it
 * the ids of the file. What it takes grows with people, boards and views, and not with tasks.
 */
export async function publish(tx: Tx, arrival: Arrival, now: Date): Promise<Imported> {
  const { team_id, team, boards, boardRecords, views, numbers, tasks } = arrival
  await nameTeam(tx, arrival)
  const news: News[] = [{ type: 'team.created', data: { name: team.name } }]
  news.push(...(await admit(tx, arrival)), ...(await hire(tx, arrival)))
  for (const board of boardRecords) {
    const placed = boards.get(board.key)!
    await nameFields(tx, placed, board)
    const data = { title: board.title, key: board.key }
    news.push({ type: 'project.created', project_id: placed.project_id, data })
  }
  for (const view of views) await placeMyView(tx, numbers, view)
  const owner = arrival.people.find(({ given }) => given.role === 'owner')!.actor_id
  await tell(tx, news, { team_id, actor_id: owner, created_at: now })
  await tx.delete(importedActors).where(eq(importedActors.team_id, team_id))
  await tx
    .update(imports)
    .set({ state: 'published', actor_id: owner, upto: tasks.first - 1, last: tasks.last })
    .where(eq(imports.team_id, team_id))
  const emails = (isKnown: boolean) =>
    arrival.people.flatMap((one) => (one.isKnown === isKnown ? one.given.email : []))
  return {
    ...{ team_id, team: team.name, known: emails(true), created: emails(false) },
    ...{ boards: boards.size, tasks: tasks.count },
  }
}

/** A UUID that is taken here stays with whom it belongs to. */
async function nameTeam(tx: Tx, { team_id, team: { team_uuid } }: Arrival): Promise<void> {
  const [taken] = await tx.select().from(teams).where(eq(teams.team_uuid, team_uuid))
  if (!taken) await tx.update(teams).set({ team_uuid }).where(eq(teams.team_id, team_id))
}

/** Accounts for those who had none, and a role for whoever has one. */
async function admit(tx: Tx, { team_id, people: all, boards }: Arrival): Promise<News[]> {
  const news: News[] = []
  const accounts: (typeof people.$inferInsert)[] = []
  for (const { given, actor_id, isKnown } of all) {
    if (isKnown) continue
    const { email, time_zone, locale, default_board, created_at } = given
    if (await personByEmail(tx, email))
      throw new Unusable(
        `${email} got an account here while the file was imported. Nothing was imported; run it again.`,
      )
    const default_project_id = default_board === null ? null : boards.get(default_board)!.project_id
    accounts.push({
      ...{ actor_id, email, time_zone, locale, password_hash: null },
      ...{ default_project_id, created_at: moment(created_at) },
    })
    news.push({ type: 'person.created', data: { user_id: actor_id } })
  }
  const roles = all.flatMap(({ given: { role, joined_at }, actor_id }) =>
    role === null ? [] : [{ team_id, actor_id, role, joined_at: moment(joined_at!) }],
  )
  const inserter = new Inserter(tx)
  await inserter.insert(people, accounts)
  await inserter.insert(members, roles)
  return news
}

async function hire(tx: Tx, arrival: Arrival): Promise<News[]> {
  const { team_id, numbers, boards } = arrival
  const news: News[] = []
  for (const { given, actor_id } of arrival.agents) {
    const { name, owner, kind, state, scopes, instructions = null } = given
    const same = eq(actors.agent_id, given.agent_id)
    const [taken] = await tx.select().from(actors).where(same)
    const agent_id = taken ? crypto.randomUUID() : given.agent_id
    await tx.update(actors).set({ agent_id }).where(eq(actors.actor_id, actor_id))
    const owner_id = numbers.actorOf(owner)
    await tx.insert(agents).values({
      ...{ actor_id, agent_id, team_id, owner_id, kind, state, scopes, instructions },
      project_ids: given.boards?.map((key) => boards.get(key)!.project_id) ?? null,
      created_at: moment(given.created_at),
    })
    news.push({ type: 'agent.created', data: { agent_id, name, owner_id } })
  }
  return news
}

interface Teller {
  team_id: number
  actor_id: number
  created_at: Date
}

/** Whatever follows the change log learns of the team as of one that was made here. */
async function tell(tx: Tx, news: readonly News[], teller: Teller): Promise<void> {
  const rows = news.map(({ type, data, project_id = null }) => ({
    ...{ type, project_id, task_id: null, data },
    ...teller,
  }))
  await new Inserter(tx).insert(changes, rows)
}
