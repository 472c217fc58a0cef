import { eq } from 'drizzle-orm'
import { projects } from '../../features/boards/projects/model/index.ts'
import type { Team } from '../../features/identity/teams/model/index.ts'
import { exportTasks } from '../../features/tasks/edits/model/index.ts'
import type { Tx } from '../../kernel/caller.ts'
import type { FileStore } from '../../kernel/services.ts'
import { compare, type TaskBatch, type TeamExport } from '../../store/portability/index.ts'
import { actorNames } from '../actors.ts'
import { childLines, FORMAT, linesAfterTasks, linesBeforeTasks, VERSION } from '../kinds.ts'
import type { Line } from '../lines.ts'

/**
 * Streams a team as lines. Their order does not depend on when or where rows were created: two
 * exports of the same content are identical byte for byte.
 */
export async function* exportTeam(
  source: { tx: Tx; files: FileStore; now?: Date },
  { team_id }: Team,
  onProgress: (tasks: number) => void,
): AsyncGenerator<Line> {
  yield { format: FORMAT, version: VERSION }
  const team = await openTeam(source, team_id)
  for (const { kind, export: records } of linesBeforeTasks)
    for await (const record of records(team)) yield { [kind]: record }
  let taskCount = 0
  for (const board of team.boards)
    for await (const tasks of exportTasks(team, board)) {
      const childrenOf = await loadChildren(team, tasks)
      for (const { task_id, record } of tasks) {
        yield { task: record }
        onProgress(++taskCount)
        yield* childrenOf(task_id, record.ticket_number)
      }
    }
  for (const { kind, export: records } of linesAfterTasks)
    for await (const record of records(team)) yield { [kind]: record }
}

async function openTeam(
  { tx, files, now = new Date() }: { tx: Tx; files: FileStore; now?: Date },
  team_id: number,
): Promise<TeamExport> {
  const { project_id, key } = projects
  const boards = await tx
    .select({ project_id, key })
    .from(projects)
    .where(eq(projects.team_id, team_id))
  const actors = await actorNames(tx, team_id)
  return {
    ...{ tx, files, now, team_id },
    boards: boards.sort((a, b) => compare(a.key, b.key)),
    actor_ids: [...actors.keys()],
    names: {
      nameOf: (actor_id) => actors.get(actor_id)!,
      columns: new Map(),
      labels: new Map(),
      positionOf: () => null,
    },
  }
}

/** Loads the children of tasks, one query per table. Returns a generator of one task's lines. */
async function loadChildren(team: TeamExport, tasks: readonly { task_id: number }[]) {
  const positions = new Map<string, number>()
  const batch: TaskBatch = {
    ...team,
    task_ids: tasks.map(({ task_id }) => task_id),
    number: (kind, ids) => {
      for (const [index, id] of ids.entries()) positions.set(`${kind} ${id}`, index + 1)
    },
    names: { ...team.names, positionOf: (kind, id) => positions.get(`${kind} ${id}`) ?? null },
  }
  const loaded: { kind: string; of: Awaited<ReturnType<(typeof childLines)[number]['load']>> }[] =
    []
  for (const { kind, load } of childLines) loaded.push({ kind, of: await load(batch) })
  return async function* (task_id: number, task: string): AsyncGenerator<Line> {
    for (const { kind, of } of loaded)
      for await (const record of of(task_id)) yield { [kind]: { task, ...record } }
  }
}
