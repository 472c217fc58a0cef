import { and, asc, eq } from 'drizzle-orm'
import { type Change, type Context, emitInto, type Tx } from '../../../../kernel/caller.ts'
import { append } from '../../../../store/log.ts'
import { projects } from '../../../boards/projects/model/index.ts'
import { firstOpenSection } from '../../../boards/sections/model/index.ts'
import { callerFor } from '../../../identity/callers/model/index.ts'
import { members } from '../../../identity/teams/model/index.ts'
import type { DescriptionInput } from '../../../tasks/descriptions/model/index.ts'
import { createTask, updateTask } from '../../../tasks/edits/model/index.ts'
import { locateTask, taskById } from '../../../tasks/tasks/model/index.ts'
import { ticketTitle, withCount } from './rules.ts'
import { type Report, remember } from './store.ts'

/**
 * Maintains a ticket for a report if the operator configured a board for it. Its author is the
 * team's owner, so that the change log does not reveal who reported.
 */
export async function updateTicket(
  ctx: Context,
  report: Report,
  text: DescriptionInput | undefined,
): Promise<void> {
  if (report.task_id !== null) return bump(ctx, report, report.task_id)
  const project = await feedbackBoard(ctx.tx, ctx.server.feedback_project)
  if (!project) return
  await asOwner(ctx, project.team_id, async (owner) => {
    const title = withCount(ticketTitle(report), report.count)
    const { task } = await createTask(owner, project, { title, ...(text && { described: text }) })
    await remember(ctx, report, task.task_id)
  })
}

/** Finds the board by id or key. A key that several teams use identifies no board. */
export async function feedbackBoard(tx: Tx, named: string | undefined) {
  if (!named) return undefined
  const one = /^\d{1,9}$/.test(named)
    ? eq(projects.project_id, Number(named))
    : eq(projects.key, named.toUpperCase())
  const [project, ...others] = await tx.select().from(projects).where(one).limit(2)
  return others.length ? undefined : project
}

/**
 * A ticket that is done or archived is reopened, because the fault persists. A deleted one stays
 * deleted.
 */
async function bump(ctx: Context, { count }: Report, task_id: number): Promise<void> {
  const before = await taskById(ctx.tx, task_id)
  if (!before || before.status === 'Deleted') return
  await asOwner(ctx, before.team_id, async (owner) => {
    const located = await locateTask(owner, { task_id })
    const { task, project } = located
    const again = task.completed_at ? await firstOpenSection(owner.tx, project) : undefined
    await updateTask(owner, located, {
      title: withCount(task.title, count),
      status: 'Normal',
      ...(again && { section_id: again.section_id }),
    })
  })
}

async function asOwner(ctx: Context, team_id: number, job: (owner: Context) => Promise<void>) {
  const { tx, now } = ctx
  const [first] = await tx
    .select({ actor_id: members.actor_id })
    .from(members)
    .where(and(eq(members.team_id, team_id), eq(members.role, 'owner')))
    .orderBy(asc(members.actor_id))
    .limit(1)
  const caller = await callerFor(tx, first!.actor_id)
  const changes: Change[] = []
  await job({
    ...ctx,
    caller,
    needs: 'tasks:write',
    emit: emitInto(changes),
  })
  await append(tx, caller, now, changes)
}
