import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { findProject, placeOf } from '../../../boards/projects/model/index.ts'
import type { CleanText } from '../../../tasks/descriptions/model/index.ts'
import { createTask } from '../../../tasks/edits/model/index.ts'
import type { HostIssue } from '../../hosts/model/index.ts'
import { boardLabels, boardPeople, doneSection } from './fields.ts'
import { withoutMark } from './marks.ts'
import { type Base, digestOf } from './merge.ts'
import type { IssueRow } from './queue.ts'
import { snapshotOf } from './snapshot.ts'
import { issues } from './tables.ts'
import { callerOfAccount, runAs, type Target } from './target.ts'
import { cleanHostText, hostTitle } from './texts.ts'

const MAX_TITLE = 500

/** A title of the host as a task can have it. */
export const titleOf = ({ title, number }: Pick<HostIssue, 'title' | 'number'>): string =>
  title.replaceAll('\0', ' ').replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE).toWellFormed() ||
  `Issue ${number}`

/** Creates the task of an issue, in the name of its author. */
export async function createTaskOf(
  target: Target,
  row: IssueRow,
  issue: HostIssue,
): Promise<IssueRow | undefined> {
  const caller = await callerOfAccount(target, issue.author)
  return runAs<IssueRow | undefined, CleanText | undefined>(target.services, caller, {
    prepare: (context) => cleanHostText(context, withoutMark(issue.text)),
    run: (ctx, text) => insertTask(ctx, target, row, issue, text),
  })
}

async function insertTask(
  ctx: Context,
  { repository, host }: Target,
  row: IssueRow,
  issue: HostIssue,
  described: CleanText | undefined,
): Promise<IssueRow | undefined> {
  const project = await findProject(ctx, repository.project_id)
  const { people, others } = await boardPeople(ctx, project, host, issue.assignees)
  const labels = await boardLabels(ctx, project, issue.labels)
  const section = issue.isClosed ? await doneSection(ctx, project) : undefined
  const created = new Date(Math.min(issue.createdAt.getTime(), ctx.now.getTime()))
  const { task } = await createTask({ ...ctx, now: created }, project, {
    ...{ title: titleOf(issue), labels, assignee_ids: people },
    ...(described && { described }),
    ...(section && { section }),
  })
  const base: Base = {
    title: [digestOf(hostTitle(task.title)), digestOf(issue.title)],
    text: [digestOf(task.description ?? ''), digestOf(withoutMark(issue.text))],
    isClosed: issue.isClosed,
    labels,
    assignees: issue.assignees.filter((login) => !others.includes(login)),
  }
  const { task_id, ticket_number } = task
  const snapshot = await snapshotOf(ctx.tx, task_id)
  const set = {
    task_id,
    base,
    task_digest: snapshot!.digest,
    other_assignees: others,
    url: issue.url,
  }
  const [saved] = await ctx.tx
    .update(issues)
    .set(set)
    .where(and(eq(issues.issue_id, row.issue_id), isNull(issues.task_id)))
    .returning()
  if (!saved) throw new Error(`Issue ${row.issue_id} has a task already`)
  ctx.emit('issue.linked', { ...placeOf(project), task_id }, { ticket_number, url: issue.url })
  return saved
}
