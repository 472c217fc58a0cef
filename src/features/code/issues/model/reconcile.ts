import { sql } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import type { Project } from '../../../boards/projects/model/index.ts'
import { firstOpenSection } from '../../../boards/sections/model/index.ts'
import type { CleanString, CleanText } from '../../../tasks/descriptions/model/index.ts'
import { type TaskUpdate, updateTask } from '../../../tasks/edits/model/index.ts'
import { locateTask } from '../../../tasks/tasks/model/index.ts'
import { type HostIssue, type IssueChange, loginsOfMembers } from '../../hosts/model/index.ts'
import { titleOf } from './create-task.ts'
import { boardLabels, doneSection, isUsableLabel } from './fields.ts'
import { writeIncoming } from './incoming.ts'
import { withMark, withoutMark } from './marks.ts'
import { type Base, digestOf, type Merge, mergeIssue, type Side } from './merge.ts'
import { type IssueRow, setIssue } from './queue.ts'
import { type Snapshot, snapshotOf } from './snapshot.ts'
import { issues } from './tables.ts'
import { callerOfHost, runAs, type Target } from './target.ts'
import { cleanHostText, creditLine, hostTitle, markdownOf } from './texts.ts'

interface Comparison {
  here: Side
  merge: Merge
  /** Assigned at the host, without a member here. */
  otherAssignees: string[]
  otherLabels: string[]
  /** Logins of members, by their ids. */
  logins: ReadonlyMap<number, string>
}

/**
 * Sends the changes of a task to its issue, and returns the job that writes the changes of the issue
 * to the task. The base is saved after each side, so that a crash between them repeats nothing.
 */
export async function reconcile(
  target: Target,
  row: IssueRow,
  before: Snapshot,
  issue: HostIssue,
): Promise<() => Promise<void>> {
  const compared = await compareBoth(target, row, before, issue)
  const change = hostChange(compared)
  const stored = change ? await sendChange(target, row, before, issue, change) : issue
  const base = baseAfterSending(row.base, compared, stored)
  const other_assignees = compared.otherAssignees
  await target.services.store.write((tx) => setIssue(tx, row, { base, other_assignees }))
  return () => receiveChange(target, { ...row, base }, before, stored, compared)
}

async function compareBoth(
  target: Target,
  { base }: IssueRow,
  before: Snapshot,
  issue: HostIssue,
): Promise<Comparison> {
  const { task, labels, people } = before
  const logins = await target.services.store.read((tx) => loginsOfMembers(tx, target.host))
  const known = new Set(logins.values())
  const isKnown = (login: string) => known.has(login.toLowerCase())
  const here: Side = {
    title: hostTitle(task.title),
    text: await markdownOf(target, task.description ?? '', task.content_type),
    isClosed: task.completed_at !== null,
    labels,
    assignees: people.flatMap((id) => logins.get(id) ?? []),
    changedAt: task.updated_at,
  }
  const atHost: Side = {
    ...{ title: issue.title, text: withoutMark(issue.text), isClosed: issue.isClosed },
    labels: issue.labels.filter(isUsableLabel),
    assignees: issue.assignees.filter(isKnown).map((login) => login.toLowerCase()),
    changedAt: issue.updatedAt,
  }
  return {
    ...{ here, logins, merge: mergeIssue(base ?? undefined, here, atHost) },
    otherAssignees: issue.assignees.filter((login) => !isKnown(login)),
    otherLabels: issue.labels.filter((name) => !isUsableLabel(name)),
  }
}

/** The change for the host, which replaces sets as a whole. */
function hostChange({ merge, otherAssignees, otherLabels }: Comparison): IssueChange | undefined {
  const { labels, assignees, ...texts } = merge.there
  const change: IssueChange = {
    ...texts,
    ...(labels && { labels: [...labels, ...otherLabels] }),
    ...(assignees && { assignees: [...assignees, ...otherAssignees] }),
  }
  return Object.keys(change).length ? change : undefined
}

async function sendChange(
  target: Target,
  row: IssueRow,
  { task }: Snapshot,
  issue: HostIssue,
  change: IssueChange,
): Promise<HostIssue> {
  const { client, repository } = target
  const isOwn = row.creating_at !== null
  const line = isOwn ? await creditLine(target, task.created_by, task) : undefined
  const text = change.text
  return client.updateIssue(repository.name, issue.number, {
    ...change,
    ...(text !== undefined && isOwn && { text: withMark(text, row.mark, line) }),
  })
}

/** Fields that are still to be written here keep their former state. */
function baseAfterSending(base: Base | null, { here, merge }: Comparison, stored: HostIssue): Base {
  const waits = merge.here
  const old = base ?? EMPTY
  return {
    title: waits.title === undefined ? [digestOf(here.title), digestOf(stored.title)] : old.title,
    text:
      waits.text === undefined
        ? [digestOf(here.text), digestOf(withoutMark(stored.text))]
        : old.text,
    isClosed: waits.isClosed === undefined ? here.isClosed : old.isClosed,
    labels: waits.labels ? old.labels : [...(merge.there.labels ?? here.labels)],
    assignees: waits.assignees ? old.assignees : [...(merge.there.assignees ?? here.assignees)],
  }
}

const EMPTY: Base = {
  ...{ title: ['', ''], text: ['', ''], isClosed: false, labels: [], assignees: [] },
}

async function receiveChange(
  target: Target,
  row: IssueRow,
  before: Snapshot,
  issue: HostIssue,
  compared: Comparison,
): Promise<void> {
  const { here, lostText } = compared.merge
  if (!Object.keys(here).length && lostText === undefined) return
  const text = here.text ?? lostText
  await runAs<void, CleanText | undefined>(target.services, await callerOfHost(target), {
    prepare: async (context) => (text === undefined ? undefined : cleanHostText(context, text)),
    run: (ctx, cleaned) =>
      writeIncoming(ctx, row, async () => {
        const current = await snapshotOf(ctx.tx, before.task.task_id)
        if (current?.digest !== before.digest) return requestAgain(ctx, row)
        const texts = { cleaned, isLost: here.text === undefined }
        await writeTask(ctx, { row, before, issue, compared }, texts)
      }),
  })
}

const requestAgain = async (ctx: Context, row: IssueRow): Promise<void> =>
  void (await setIssue(ctx.tx, row, {
    due_at: ctx.now,
    check_host: true,
    requests: sql`${issues.requests} + 1` as never,
  }))

interface Received {
  row: IssueRow
  before: Snapshot
  issue: HostIssue
  compared: Comparison
}

const NO_TEXT: CleanText = { text: '' as CleanString, type: 'markdown' }

async function writeTask(
  ctx: Context,
  { row, before, issue, compared }: Received,
  { cleaned = NO_TEXT, isLost }: { cleaned: CleanText | undefined; isLost: boolean },
): Promise<void> {
  const { here, lostText } = compared.merge
  const { task_id, description, content_type } = before.task
  if (isLost && lostText !== undefined) {
    // The text that lost becomes a version, which people can read and restore.
    await updateTask(ctx, await locateTask(ctx, { task_id }), { described: cleaned })
    const own: CleanText = { text: (description ?? '') as CleanString, type: content_type }
    await updateTask(ctx, await locateTask(ctx, { task_id }), { described: own })
  }
  const located = await locateTask(ctx, { task_id })
  const update: TaskUpdate = {
    ...(await fieldsOf(ctx, located.project, before, compared)),
    ...(here.title !== undefined && { title: titleOf(issue) }),
    ...(here.text !== undefined && { described: cleaned }),
  }
  await updateTask(ctx, located, update)
  const { task } = (await snapshotOf(ctx.tx, task_id))!
  const base = row.base!
  await setIssue(ctx.tx, row, {
    base: {
      ...base,
      isClosed: issue.isClosed,
      ...(here.title !== undefined && {
        title: [digestOf(hostTitle(task.title)), digestOf(issue.title)] as const,
      }),
      ...(here.text !== undefined && {
        text: [digestOf(task.description ?? ''), digestOf(withoutMark(issue.text))] as const,
      }),
      ...(here.labels && { labels: [...here.labels] }),
      ...(here.assignees && { assignees: [...here.assignees] }),
    },
  })
}

async function fieldsOf(
  ctx: Context,
  project: Project,
  before: Snapshot,
  { merge: { here }, logins }: Comparison,
): Promise<TaskUpdate> {
  const update: TaskUpdate = {}
  if (here.labels) update.labels = await boardLabels(ctx, project, here.labels)
  if (here.assignees) {
    const byLogin = new Map([...logins].map(([id, login]) => [login, id]))
    const others = before.people.filter((id) => !logins.has(id))
    update.assignee_ids = [
      ...others,
      ...here.assignees.flatMap((login) => byLogin.get(login) ?? []),
    ]
  }
  if (here.isClosed !== undefined) {
    const section = here.isClosed
      ? await doneSection(ctx, project)
      : await firstOpenSection(ctx.tx, project)
    if (section) update.section_id = section.section_id
  }
  return update
}
