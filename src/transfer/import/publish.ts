import { eq } from 'drizzle-orm'
import { agents } from '../../features/agents/index.ts'
import { actors, people, personByEmail } from '../../features/people/index.ts'
import { members, teams } from '../../features/teams/index.ts'
import type { Change, Tx } from '../../kernel/caller.ts'
import { Inserter } from '../../store/bulk.ts'
import { changes, importedActors, imports } from '../../store/tables.ts'
import { UnusableError } from '../../store/unusable.ts'
import type { RecordOf } from '../schema.ts'
import { assignFieldIds } from './boards.ts'
import { insertMyView, type LocalIds } from './planning.ts'
import type { ImportedBoard, TaskImporter } from './tasks.ts'

/** The result of an import. */
export interface ImportSummary {
  team_id: number
  team: string
  /** Emails of people who already had an account on this server. */
  known: string[]
  /** Emails of people for whom the import created an account, without a password. */
  created: string[]
  boards: number
  tasks: number
}

/** What the staging transactions of an import hand to the last one, which publishes the team. */
export interface StagedTeam {
  team_id: number
  team: RecordOf<'team'>
  people: { record: RecordOf<'person'>; actor_id: number; isKnown: boolean }[]
  agents: { record: RecordOf<'agent'>; actor_id: number }[]
  boards: ReadonlyMap<string, ImportedBoard>
  boardRecords: readonly RecordOf<'board'>[]
  views: readonly RecordOf<'my_view'>[]
  tasks: Pick<TaskImporter, 'first' | 'last' | 'count'>
  localIds: LocalIds
}

type NewChange = Pick<Change, 'type' | 'data'> & { project_id?: number }

const toDate = (text: string) => new Date(text)

/**
 * Makes a staged team visible: creates its accounts, members and agents, and assigns the ids of the
 * file. Its cost grows with the people, boards and views, not with the tasks.
 */
export async function publish(tx: Tx, staged: StagedTeam, now: Date): Promise<ImportSummary> {
  const { team_id, team, boards, boardRecords, views, localIds, tasks } = staged
  await assignTeamUuid(tx, staged)
  const newChanges: NewChange[] = [{ type: 'team.created', data: { name: team.name } }]
  newChanges.push(...(await createAccounts(tx, staged)), ...(await createAgents(tx, staged)))
  for (const board of boardRecords) {
    const placed = boards.get(board.key)!
    await assignFieldIds(tx, placed, board)
    const data = { title: board.title, key: board.key }
    newChanges.push({ type: 'project.created', project_id: placed.project_id, data })
  }
  for (const view of views) await insertMyView(tx, localIds, view)
  const owner = staged.people.find(({ record }) => record.role === 'owner')!.actor_id
  await insertChanges(tx, newChanges, { team_id, actor_id: owner, created_at: now })
  await tx.delete(importedActors).where(eq(importedActors.team_id, team_id))
  await tx
    .update(imports)
    .set({ state: 'published', actor_id: owner, upto: tasks.first - 1, last: tasks.last })
    .where(eq(imports.team_id, team_id))
  const emails = (isKnown: boolean) =>
    staged.people.flatMap((person) => (person.isKnown === isKnown ? person.record.email : []))
  return {
    ...{ team_id, team: team.name, known: emails(true), created: emails(false) },
    ...{ boards: boards.size, tasks: tasks.count },
  }
}

/** Gives the team the UUID of the file, unless another team of this server has it. */
async function assignTeamUuid(tx: Tx, { team_id, team: { team_uuid } }: StagedTeam): Promise<void> {
  const [existing] = await tx.select().from(teams).where(eq(teams.team_uuid, team_uuid))
  if (!existing) await tx.update(teams).set({ team_uuid }).where(eq(teams.team_id, team_id))
}

/** Creates an account for everyone without one, and a membership for everyone with a role. */
async function createAccounts(
  tx: Tx,
  { team_id, people: persons, boards }: StagedTeam,
): Promise<NewChange[]> {
  const newChanges: NewChange[] = []
  const accounts: (typeof people.$inferInsert)[] = []
  for (const { record, actor_id, isKnown } of persons) {
    if (isKnown) continue
    const { email, time_zone, locale, default_board, created_at } = record
    if (await personByEmail(tx, email))
      throw new UnusableError(
        `An account for ${email} was created while the file was imported. Nothing was imported; run it again.`,
      )
    const default_project_id = default_board === null ? null : boards.get(default_board)!.project_id
    accounts.push({
      ...{ actor_id, email, time_zone, locale, password_hash: null },
      ...{ default_project_id, created_at: toDate(created_at) },
    })
    newChanges.push({ type: 'person.created', data: { user_id: actor_id } })
  }
  const roles = persons.flatMap(({ record: { role, joined_at }, actor_id }) =>
    role === null ? [] : [{ team_id, actor_id, role, joined_at: toDate(joined_at!) }],
  )
  const inserter = new Inserter(tx)
  await inserter.insert(people, accounts)
  await inserter.insert(members, roles)
  return newChanges
}

async function createAgents(tx: Tx, staged: StagedTeam): Promise<NewChange[]> {
  const { team_id, localIds, boards } = staged
  const newChanges: NewChange[] = []
  for (const { record, actor_id } of staged.agents) {
    const { name, owner, kind, state, scopes, instructions = null } = record
    const same = eq(actors.agent_id, record.agent_id)
    const [existing] = await tx.select().from(actors).where(same)
    const agent_id = existing ? crypto.randomUUID() : record.agent_id
    await tx.update(actors).set({ agent_id }).where(eq(actors.actor_id, actor_id))
    const owner_id = localIds.actorOf(owner)
    await tx.insert(agents).values({
      ...{ actor_id, agent_id, team_id, owner_id, kind, state, scopes, instructions },
      project_ids: record.boards?.map((key) => boards.get(key)!.project_id) ?? null,
      created_at: toDate(record.created_at),
    })
    newChanges.push({ type: 'agent.created', data: { agent_id, name, owner_id } })
  }
  return newChanges
}

interface ChangeOrigin {
  team_id: number
  actor_id: number
  created_at: Date
}

/** Followers of the change log see the imported team like one that was created on this server. */
async function insertChanges(
  tx: Tx,
  newChanges: readonly NewChange[],
  origin: ChangeOrigin,
): Promise<void> {
  const rows = newChanges.map(({ type, data, project_id = null }) => ({
    ...{ type, project_id, task_id: null, data },
    ...origin,
  }))
  await new Inserter(tx).insert(changes, rows)
}
