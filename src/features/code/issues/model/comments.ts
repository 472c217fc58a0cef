import { and, asc, eq } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import {
  addComment,
  deleteComment,
  editComment,
  findComment,
} from '../../../conversation/comments/model/index.ts'
import { actorsNamedIn } from '../../../conversation/mentions/model/index.ts'
import { boardActors } from '../../../identity/members/model/index.ts'
import { asMember } from '../../../identity/people/model/index.ts'
import type { CleanText } from '../../../tasks/descriptions/model/index.ts'
import { type Located, locateTask } from '../../../tasks/tasks/model/index.ts'
import { type HostComment, HostError, isOwnAccount } from '../../hosts/model/index.ts'
import { writeIncoming } from './incoming.ts'
import { markIn, newMark, withMark, withoutMark } from './marks.ts'
import { digestOf } from './merge.ts'
import type { IssueRow } from './queue.ts'
import type { Snapshot, TaskComment } from './snapshot.ts'
import { issueComments } from './tables.ts'
import { callerOfAccount, callerOfHost, runAs, type Target } from './target.ts'
import { cleanHostText, creditLine, markdownOf } from './texts.ts'

type CommentRow = typeof issueComments.$inferSelect
type Job = () => Promise<void>

/**
 * Sends new, changed and deleted comments to the issue, and returns the job that writes those of the
 * issue to the task. `there` has all comments of the issue.
 */
export async function syncComments(
  target: Target,
  row: IssueRow,
  before: Snapshot,
  there: readonly HostComment[],
): Promise<Job> {
  const rows = await linkMarked(target, row, there)
  const here = new Map(before.comments.map((comment) => [comment.comment_id, comment]))
  const atHost = new Map(there.map((comment) => [comment.id, comment]))
  const incoming: Job[] = []
  for (const link of rows) {
    const comment = link.comment_id === null ? undefined : here.get(link.comment_id)
    const remote = link.host_comment_id === null ? undefined : atHost.get(link.host_comment_id)
    const job = await syncPair(target, { row, before, link, comment, remote })
    if (job) incoming.push(job)
  }
  const linkedHere = new Set(rows.map(({ comment_id }) => comment_id))
  for (const comment of before.comments)
    if (!linkedHere.has(comment.comment_id)) await sendNew(target, row, before, comment)
  const linkedThere = new Set(rows.map(({ host_comment_id }) => host_comment_id))
  const added = there.filter(({ id }) => !linkedThere.has(id))
  for (const remote of added) incoming.push(() => receiveNew(target, row, remote))
  return async () => {
    for (const job of incoming) await job()
  }
}

const rowsOf = (tx: Tx, { issue_id }: IssueRow): Promise<CommentRow[]> =>
  tx
    .select()
    .from(issueComments)
    .where(eq(issueComments.issue_id, issue_id))
    .orderBy(asc(issueComments.row_id))

const setLink = (tx: Tx, { row_id }: Pick<CommentRow, 'row_id'>, set: Partial<CommentRow>) =>
  tx.update(issueComments).set(set).where(eq(issueComments.row_id, row_id))

/** Finds, by their marks, comments that were created at the host before a crash, and links them. */
async function linkMarked(
  { services: { store }, host }: Target,
  row: IssueRow,
  there: readonly HostComment[],
): Promise<CommentRow[]> {
  const rows = await store.read((tx) => rowsOf(tx, row))
  const open = rows.filter(({ host_comment_id }) => host_comment_id === null)
  for (const link of open) {
    const remote = there.find(
      ({ text, author }) => isOwnAccount(host, author) && markIn(text) === link.mark,
    )
    if (!remote) continue
    link.host_comment_id = remote.id
    link.there = digestOf(withoutMark(remote.text))
    const { host_comment_id, there: digest } = link
    await store.write((tx) => setLink(tx, link, { host_comment_id, there: digest }))
  }
  return rows
}

interface CommentPair {
  row: IssueRow
  before: Snapshot
  link: CommentRow
  comment: TaskComment | undefined
  remote: HostComment | undefined
}

async function syncPair(target: Target, pair: CommentPair): Promise<Job | undefined> {
  const { row, before, link, comment, remote } = pair
  if (link.comment_id === null) return remote ? undefined : () => dropLink(target, link)
  if (!comment) return void (await sendDeletion(target, row, link, remote))
  if (link.host_comment_id === null) return void (await create(target, row, before, link, comment))
  if (!remote) return () => receiveDeletion(target, row, link)
  return syncText(target, { ...pair, comment, remote })
}

async function syncText(
  target: Target,
  pair: CommentPair & { comment: TaskComment; remote: HostComment },
): Promise<Job | undefined> {
  const { row, before, link, comment, remote } = pair
  const text = await markdownOf(target, comment.text, comment.content_type)
  const [here, atHost] = [digestOf(text), digestOf(withoutMark(remote.text))]
  const isNewHere = here !== link.here
  const isNewThere = atHost !== link.there
  if (!isNewHere && !isNewThere) return undefined
  const changedHere = comment.edited_at ?? comment.created_at
  if (isNewThere && !(isNewHere && changedHere > remote.updatedAt))
    return () => receiveText(target, row, link, remote)
  const stored = await sendText(target, row, before, pair, text)
  const set = { here, there: stored ? digestOf(withoutMark(stored.text)) : atHost }
  await target.services.store.write((tx) => setLink(tx, link, set))
  return undefined
}

/** Undefined if the token may not edit the comment, which then stays different at the host. */
async function sendText(
  target: Target,
  row: IssueRow,
  { task }: Snapshot,
  { remote, comment }: { remote: HostComment; comment: TaskComment },
  text: string,
): Promise<HostComment | undefined> {
  const { client, repository } = target
  const mark = markIn(remote.text)
  const line = mark ? await creditLine(target, comment.author_id, task) : undefined
  const full = mark ? withMark(text, mark, line) : text
  try {
    return await client.updateComment(repository.name, row.number!, remote.id, full)
  } catch (error) {
    if (error instanceof HostError && error.kind === 'forbidden') return undefined
    throw error
  }
}

/** Comments of others stay at the host. */
async function sendDeletion(
  target: Target,
  row: IssueRow,
  link: CommentRow,
  remote: HostComment | undefined,
): Promise<void> {
  const { client, repository, host, services } = target
  const isOwn = remote !== undefined && isOwnAccount(host, remote.author)
  if (remote && isOwn) await client.deleteComment(repository.name, row.number!, remote.id)
  await services.store.write((tx) =>
    remote && !isOwn
      ? setLink(tx, link, { comment_id: null })
      : tx.delete(issueComments).where(eq(issueComments.row_id, link.row_id)),
  )
}

async function sendNew(
  target: Target,
  row: IssueRow,
  before: Snapshot,
  comment: TaskComment,
): Promise<void> {
  const { team_id, issue_id } = row
  const { comment_id } = comment
  const values = { team_id, issue_id, comment_id, mark: newMark(), ...NOT_SENT }
  const link = await target.services.store.write(async (tx) => {
    const [created] = await tx.insert(issueComments).values(values).returning()
    return created!
  })
  await create(target, row, before, link, comment)
}

const NOT_SENT = { host_comment_id: null, here: null, there: null }

async function create(
  target: Target,
  row: IssueRow,
  { task }: Snapshot,
  link: CommentRow,
  comment: TaskComment,
): Promise<void> {
  const { client, repository, services } = target
  const text = await markdownOf(target, comment.text, comment.content_type)
  const line = await creditLine(target, comment.author_id, task)
  const full = withMark(text, link.mark, line)
  const remote = await client.createComment(repository.name, row.number!, full)
  const set = {
    host_comment_id: remote.id,
    here: digestOf(text),
    there: digestOf(withoutMark(remote.text)),
  }
  await services.store.write((tx) => setLink(tx, link, set))
}

async function receiveNew(target: Target, row: IssueRow, remote: HostComment): Promise<void> {
  const caller = await callerOfAccount(target, remote.author)
  await runAs<void, CleanText | undefined>(target.services, caller, {
    prepare: (context) => cleanHostText(context, withoutMark(remote.text)),
    run: (ctx, cleaned) => insertComment(ctx, row, remote, cleaned),
  })
}

async function insertComment(
  ctx: Context,
  row: IssueRow,
  remote: HostComment,
  cleaned: CleanText | undefined,
): Promise<void> {
  const { team_id, issue_id } = row
  const known = and(
    eq(issueComments.issue_id, issue_id),
    eq(issueComments.host_comment_id, remote.id),
  )
  if ((await ctx.tx.select().from(issueComments).where(known)).length) return
  const link = {
    ...{ team_id, issue_id, host_comment_id: remote.id, mark: newMark() },
    there: digestOf(withoutMark(remote.text)),
  }
  if (!cleaned) {
    await ctx.tx.insert(issueComments).values({ ...link, comment_id: null, here: null })
    return
  }
  await writeIncoming(ctx, row, async () => {
    const located = await locateTask(ctx, { task_id: row.task_id! })
    const now = new Date(Math.min(remote.createdAt.getTime(), ctx.now.getTime()))
    const { comment_id } = await addComment({ ...ctx, now }, located, {
      ...{ text: cleaned.text, content_type: cleaned.type },
      mentions: await mentionsIn(ctx, located, cleaned),
    })
    const here = digestOf(cleaned.text)
    await ctx.tx.insert(issueComments).values({ ...link, comment_id, here })
  })
}

/** The members and agents that a text of the host mentions. Mentions by outsiders do not count. */
async function mentionsIn(ctx: Context, { project }: Located, { text }: CleanText) {
  if (ctx.caller.isOutsider || !text.includes('@')) return []
  const named = actorsNamedIn(text, await boardActors(ctx, project))
  return named.map((actor) => {
    const { name: display_name, ...ref } = asMember(actor)
    return 'user_id' in ref
      ? { user_id: ref.user_id, display_name }
      : { agent_id: ref.agent_id, display_name }
  })
}

async function receiveText(
  target: Target,
  row: IssueRow,
  link: CommentRow,
  remote: HostComment,
): Promise<void> {
  const caller = await callerOfAccount(target, remote.author)
  await runAs<void, CleanText | undefined>(target.services, caller, {
    prepare: (context) => cleanHostText(context, withoutMark(remote.text)),
    run: (ctx, cleaned) =>
      writeIncoming(ctx, row, async () => {
        const atHost = { there: digestOf(withoutMark(remote.text)) }
        if (!cleaned) return void (await setLink(ctx.tx, link, atHost))
        const found = await findComment(ctx, link.comment_id!)
        const content = { text: cleaned.text, content_type: cleaned.type }
        await editComment(ctx, found, content)
        await setLink(ctx.tx, link, { ...atHost, here: digestOf(cleaned.text) })
      }),
  })
}

async function receiveDeletion(target: Target, row: IssueRow, link: CommentRow): Promise<void> {
  await runAs<void>(target.services, await callerOfHost(target), {
    run: (ctx) =>
      writeIncoming(ctx, row, async () => {
        await deleteComment(ctx, await findComment(ctx, link.comment_id!))
        await ctx.tx.delete(issueComments).where(eq(issueComments.row_id, link.row_id))
      }),
  })
}

const dropLink = async ({ services }: Target, { row_id }: CommentRow): Promise<void> => {
  await services.store.write((tx) =>
    tx.delete(issueComments).where(eq(issueComments.row_id, row_id)),
  )
}
