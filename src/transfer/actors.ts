import { and, eq, getTableColumns, inArray, isNotNull } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { actors, people } from '../features/identity/people/model/index.ts'
import type { Tx } from '../kernel/caller.ts'
import { kindOf } from '../store/column-kinds.ts'
import { agentName } from '../store/portability/index.ts'
import { referencesOf } from '../store/scan.ts'
import { KINDS } from './kinds.ts'

/**
 * The columns of a team's tables that refer to actors: by a foreign key, or because lines show
 * their values as names of actors.
 */
const actorColumns = KINDS.flatMap(({ rows }) => rows).flatMap(({ table, actorColumns }) => {
  const { team_id, ...columns } = getTableColumns(table) as Record<string, PgColumn>
  if (!team_id) return []
  const keys = referencesOf(table).filter(({ foreignTable }) => foreignTable === actors)
  const referring = new Set([
    ...keys.flatMap((key) => key.columns),
    ...actorColumns.map((name) => columns[name]!),
  ])
  return [...referring].map((column) => ({ table, team_id, column }))
})

/** Every person and agent that a team's rows refer to, with the name that the file uses. */
export async function actorNames(tx: Tx, team_id: number): Promise<Map<number, string>> {
  const ids = new Set<number>()
  for (const { table, team_id: team, column } of actorColumns) {
    const selection = { actor: column }
    // PostgreSQL cannot compare lists, which are JSON.
    const isList = kindOf(column) === 'json'
    const rows = await (isList ? tx.select(selection) : tx.selectDistinct(selection))
      .from(table)
      .where(and(eq(team, team_id), isNotNull(column)))
    for (const { actor } of rows) for (const id of [actor].flat()) ids.add(id as number)
  }
  const found = await tx
    .select({ actor_id: actors.actor_id, agent_id: actors.agent_id, email: people.email })
    .from(actors)
    .leftJoin(people, eq(people.actor_id, actors.actor_id))
    .where(inArray(actors.actor_id, [...ids]))
  return new Map(
    found.flatMap(({ actor_id, agent_id, email }) => {
      const name = email ?? (agent_id === null ? undefined : agentName(agent_id))
      return name === undefined ? [] : [[actor_id, name] as const]
    }),
  )
}
