import { Type as t } from '@sinclair/typebox'
import { eq, inArray } from 'drizzle-orm'
import { SCOPES } from '../../../../kernel/caller.ts'
import {
  actor,
  agentName,
  compare,
  Email,
  from,
  Key,
  MicroUsd,
  moment,
  newer,
  nullable,
  oneOf,
  orNull,
  plain,
  portableRows,
  standaloneLines,
  strict,
  Uuid,
} from '../../../../store/portability/index.ts'
import { actorRows, actors, insertImportedActor } from '../../../identity/people/model/index.ts'
import { agents } from './tables.ts'

const rows = portableRows(
  agents,
  {
    agent_id: plain(Uuid),
    owner: from('owner_id', actor),
    kind: plain(oneOf('external', 'native')),
    state: plain(oneOf('active', 'inactive', 'archived', 'deleted')),
    scopes: plain(t.Array(oneOf(...SCOPES), { maxItems: 200 })),
    instructions: newer(plain(nullable(t.String({ maxLength: 10_000 }))), null),
    // Files from before budgets and pauses have none.
    budget_micro_usd: newer(plain(nullable(MicroUsd)), null),
    paused_at: newer(orNull(moment), null),
    paused_by: newer(orNull(actor), null),
    created_at: moment,
  },
  { actor_id: 'the agent_id', project_ids: 'the field boards' },
)

const { name, avatar } = actorRows.properties
const { agent_id, instructions, created_at, budget_micro_usd, paused_at, paused_by, ...own } =
  rows.properties

export const agentLines = standaloneLines({
  kind: 'agent',
  type: strict({
    ...{ agent_id, name, avatar, ...own },
    owner: Email,
    /** The keys of the boards it is restricted to; null for all boards its owner can see. */
    boards: nullable(t.Array(Key, { maxItems: 1000 })),
    ...{ instructions, budget_micro_usd, paused_at, paused_by, created_at },
  }),
  rows: [actorRows, rows],
  check({ agent_id, owner, boards, paused_by }, file) {
    file.unique('agents', agentName(agent_id))
    file.actor(owner, ...(paused_by ? [paused_by] : []))
    for (const key of boards ?? []) file.refer('boards', key)
  },
  async *export({ tx, boards, actor_ids, names }) {
    const keys = new Map(boards.map(({ project_id, key }) => [project_id, key]))
    const found = await tx
      .select({ agent: agents, actor: actors })
      .from(agents)
      .innerJoin(actors, eq(actors.actor_id, agents.actor_id))
      .where(inArray(agents.actor_id, [...actor_ids]))
    for (const row of found.sort((a, b) => compare(a.agent.agent_id, b.agent.agent_id))) {
      const { name, avatar } = actorRows.write(row.actor, names)
      const { agent_id, instructions, budget_micro_usd, paused_at, paused_by, created_at, ...own } =
        rows.write(row.agent, names)
      const { project_ids } = row.agent
      yield {
        ...{ agent_id, name, avatar, ...own },
        boards: project_ids?.flatMap((id) => keys.get(id) ?? []).sort(compare) ?? null,
        ...{ instructions, budget_micro_usd, paused_at, paused_by, created_at },
      }
    }
  },
  async stage(record, team) {
    const draft = { kind: 'agent' as const, ...actorRows.read(record, team.ids) }
    const actor_id = await insertImportedActor(team, draft)
    team.actors.set(agentName(record.agent_id), actor_id)
    return { record, actor_id }
  },
  async publish(staged, { team_id, boards, ids }, tx) {
    const changes = []
    for (const { record, actor_id } of staged) {
      const same = eq(actors.agent_id, record.agent_id)
      const [existing] = await tx.select().from(actors).where(same)
      const agent_id = existing ? crypto.randomUUID() : record.agent_id
      await tx.update(actors).set({ agent_id }).where(eq(actors.actor_id, actor_id))
      const row = { ...rows.read(record, ids), actor_id, team_id, agent_id }
      const project_ids = record.boards?.map((key) => boards.get(key)!.project_id) ?? null
      await tx.insert(agents).values({ ...row, project_ids })
      const data = { agent_id, name: record.name, owner_id: row.owner_id }
      changes.push({ type: 'agent.created', data })
    }
    return changes
  },
})
