import { and, eq } from 'drizzle-orm'
import type { Caller, Context } from '../../../../kernel/caller.ts'
import {
  actingAs,
  lockOpenRun,
  promptRun,
  type Run,
  runEntries,
} from '../../../agents/runs/model/index.ts'
import { addComment, comments } from '../../../conversation/comments/model/index.ts'
import { boardActors } from '../../../identity/members/model/index.ts'
import type { CleanText } from '../../../tasks/descriptions/model/index.ts'
import { canonicalUrl } from '../../../tasks/pull_requests/model/index.ts'
import { type Located, locateTask } from '../../../tasks/tasks/model/index.ts'
import { type Account, askHost, isOwnAccount } from '../../hosts/model/index.ts'
import {
  cleanHostText,
  openTarget,
  runAs,
  type SyncServices,
  trustedCaller,
} from '../../issues/model/index.ts'
import { type Repository, repositoryById } from '../../repositories/model/index.ts'
import { runsOfBranch } from './branch-run.ts'

/** What a reviewer wrote about a pull request. */
interface ReviewText {
  pull_request: string
  account: Account
  text: string
  /** Its address at the host. */
  url: string
  verdict?: 'changes_requested'
  /** The file and line that it is about. */
  line?: string
}

/**
 * Passes the text of a reviewer to the agent whose run has the branch of the pull request. Texts of
 * people who are neither members nor may write to the repository reach no agent.
 */
export async function deliverReview(
  services: SyncServices,
  repository_id: number,
  review: ReviewText,
): Promise<void> {
  const pullRequest = canonicalUrl(review.pull_request)
  const { repository, runs } = await services.store.read(async (tx) => {
    const row = await repositoryById(tx, repository_id)
    return {
      repository: row,
      runs: row && pullRequest ? await runsOfBranch(tx, row, pullRequest) : [],
    }
  })
  if (!repository || !pullRequest || !runs.length) return
  const caller = await reviewerOf(services, repository, review.account)
  if (!caller) return
  const prompt = promptOf({ ...review, pull_request: pullRequest })
  for (const run of runs)
    await runAs<void, CleanText | undefined>(services, caller, {
      prepare: (context) => cleanHostText(context, prompt),
      run: (ctx, cleaned) => deliver(ctx, run, prompt, cleaned),
    })
}

/** Undefined for outsiders, and for the account of the token, which agents write with. */
const reviewerOf = (services: SyncServices, repository: Repository, account: Account) =>
  askHost('repository', async () => {
    const target = await openTarget(services, repository)
    return isOwnAccount(target.host, account) ? undefined : trustedCaller(target, account)
  })

const MAX_TEXT = 9000

function promptOf({ pull_request, account, text, url, verdict, line }: ReviewText): string {
  const subject = verdict ? 'Changes requested' : 'Review comment'
  const head = `${subject} by ${account.login} on ${line ? `${line} of ` : ''}${pull_request}`
  return [head, text.trim().slice(0, MAX_TEXT).toWellFormed(), url === pull_request ? '' : url]
    .filter(Boolean)
    .join('\n\n')
}

async function deliver(
  ctx: Context,
  { task_id, actor_id }: Run,
  prompt: string,
  cleaned: CleanText | undefined,
): Promise<void> {
  const located = await locateTask(ctx, { task_id })
  if (actor_id === ctx.caller.actor_id) return
  const open = await lockOpenRun(ctx.tx, located.task, actor_id)
  if (!open) {
    if (isMember(ctx.caller) && cleaned) await callAgent(ctx, located, actor_id, cleaned)
    return
  }
  if (await hasPrompt(ctx, open, prompt)) return
  await promptRun(actingAs(ctx), located.task, open, prompt)
}

/** Others with write access act with the rights of the person who linked the repository. */
const isMember = ({ actor_id, person_id }: Caller) => actor_id === person_id

/** Hosts repeat events, so the same text may arrive twice. */
async function hasPrompt({ tx }: Context, { team_id, run_id }: Run, text: string) {
  const same = and(
    eq(runEntries.team_id, team_id),
    eq(runEntries.run_id, run_id),
    eq(runEntries.kind, 'prompt'),
    eq(runEntries.text, text),
  )
  return (await tx.select({ number: runEntries.number }).from(runEntries).where(same)).length > 0
}

/** Adds a comment that mentions the agent. Like any mention, it starts a new run. */
async function callAgent(
  ctx: Context,
  located: Located,
  actor_id: number,
  { text: review, type }: CleanText,
): Promise<void> {
  const { team_id, task_id } = located.task
  const agent = (await boardActors(ctx, located.project)).find((one) => one.actor_id === actor_id)
  // The agent can no longer see the board.
  if (!agent?.agent_id) return
  const text = `@${agent.name} ${review}`
  const same = and(
    eq(comments.team_id, team_id),
    eq(comments.task_id, task_id),
    eq(comments.text, text),
  )
  if ((await ctx.tx.select({ id: comments.comment_id }).from(comments).where(same)).length) return
  await addComment(ctx, located, {
    ...{ text, content_type: type },
    mentions: [{ agent_id: agent.agent_id, display_name: agent.name }],
  })
}
