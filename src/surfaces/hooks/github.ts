import { type Static, Type as t } from '@sinclair/typebox'
import {
  type Checks,
  Commits,
  checkOf,
  cleanText,
  nullable,
  pushOf,
  type Reader,
  type ReviewComment,
  reader,
  text,
  timeOf,
} from './reader.ts'

const repository = t.Object({ html_url: text })

const PullRequestEvent = t.Object({
  pull_request: t.Object({
    html_url: text,
    title: text,
    body: nullable(text),
    state: text,
    merged: nullable(t.Boolean()),
    merged_at: nullable(text),
    updated_at: nullable(text),
    head: t.Object({ ref: text, sha: text }),
  }),
})

export const pullRequest = reader(PullRequestEvent, ({ pull_request: event }) => ({
  urls: [event.html_url],
  sha: event.head.sha,
  ...timeOf(event.updated_at),
  state: event.merged || event.merged_at ? 'merged' : event.state === 'closed' ? 'closed' : 'open',
  title: cleanText(event.title),
  branch: cleanText(event.head.ref),
  body: cleanText(event.body),
}))

/** The fields that all kinds of checks share. */
const Check = t.Object({
  head_sha: text,
  name: nullable(text),
  status: nullable(text),
  conclusion: nullable(text),
  html_url: nullable(text),
  started_at: nullable(text),
  completed_at: nullable(text),
  updated_at: nullable(text),
  app: nullable(t.Object({ slug: nullable(text) })),
  pull_requests: nullable(
    t.Array(t.Object({ number: t.Integer(), head: t.Object({ sha: text }) }), { maxItems: 1000 }),
  ),
})

const PASSING = ['success', 'neutral', 'skipped']

const checksOf = (conclusion: string | null | undefined): Checks =>
  !conclusion
    ? 'pending'
    : PASSING.includes(conclusion)
      ? 'passing'
      : conclusion === 'stale'
        ? 'none'
        : 'failing'

/** The reader of one kind. `kind` is part of the name, because a suite and a run may share one. */
function checks(kind: 'check_run' | 'check_suite' | 'workflow_run'): Reader {
  const schema = t.Object({ [kind]: Check, repository })
  return reader(schema, (payload) => {
    const check = payload[kind] as Static<typeof Check>
    const { html_url } = payload.repository as Static<typeof repository>
    // A check of an older commit no longer says anything about the pull request.
    const current = (check.pull_requests ?? []).filter(({ head }) => head.sha === check.head_sha)
    const isDone = check.status === 'completed' || Boolean(check.conclusion)
    return {
      urls: current.slice(0, 20).map(({ number }) => `${html_url}/pull/${number}`),
      sha: check.head_sha,
      ...timeOf(isDone ? check.completed_at : check.started_at, check.updated_at, check.started_at),
      ...checkOf(
        [kind, check.app?.slug, check.name].filter(Boolean).join('/'),
        checksOf(check.conclusion),
        check.html_url,
      ),
    }
  })
}

const STATUSES = new Map<string, Checks>([
  ['success', 'passing'],
  ['pending', 'pending'],
])

const StatusEvent = t.Object({
  sha: text,
  state: text,
  context: text,
  target_url: nullable(text),
  updated_at: nullable(text),
  created_at: nullable(text),
})

export const status = reader(StatusEvent, (event) => ({
  urls: [],
  sha: event.sha,
  ...timeOf(event.updated_at, event.created_at),
  ...checkOf(`status/${event.context}`, STATUSES.get(event.state) ?? 'failing', event.target_url),
}))

const VERDICTS = new Map([
  ['approved', 'approved'],
  ['changes_requested', 'changes_requested'],
  ['dismissed', 'none'],
] as const)

const User = t.Object({ id: nullable(t.Integer()), login: text })

export const accountOf = ({ id, login }: Static<typeof User>) => ({
  ...{ id: String(id ?? 0), login: cleanText(login), name: cleanText(login) },
})

const ReviewEvent = t.Object({
  action: nullable(text),
  review: t.Object({
    state: text,
    user: User,
    body: nullable(text),
    html_url: nullable(text),
    submitted_at: nullable(text),
  }),
  pull_request: t.Object({ html_url: text }),
})

/** Requests of changes, and reviews with comments alone, are for the author of the branch. */
function commentOfReview({ action, review }: Static<typeof ReviewEvent>, page: string) {
  const { state, user, body, html_url } = review
  const isRequest = state === 'changes_requested'
  if (action !== 'submitted' || !(isRequest || (state === 'commented' && body))) return {}
  const comment: ReviewComment = {
    ...{ account: accountOf(user), text: cleanText(body), url: cleanText(html_url ?? page) },
    ...(isRequest && { verdict: 'changes_requested' }),
  }
  return { comment }
}

/** A review with comments alone is no verdict. */
const pullRequestReview = reader(ReviewEvent, (event) => {
  const { review, pull_request } = event
  const verdict = VERDICTS.get(review.state as 'approved')
  return {
    urls: [pull_request.html_url],
    ...timeOf(review.submitted_at),
    ...(verdict && { review: { by: cleanText(review.user.login).slice(0, 200), review: verdict } }),
    ...commentOfReview(event, pull_request.html_url),
  }
})

const DeploymentEvent = t.Object({
  deployment_status: t.Object({
    state: text,
    environment_url: nullable(text),
    updated_at: nullable(text),
  }),
  deployment: t.Object({ sha: text }),
})

const deployment = reader(DeploymentEvent, ({ deployment_status: status, deployment }) => ({
  urls: [],
  sha: deployment.sha,
  ...timeOf(status.updated_at),
  ...(status.state === 'success' &&
    status.environment_url && { preview_url: cleanText(status.environment_url).slice(0, 2000) }),
}))

const IssueEvent = t.Object({ issue: t.Object({ number: t.Integer({ minimum: 1 }) }) })

export const issueReader = reader(IssueEvent, ({ issue }) => ({ issue: issue.number }))

const Comment = t.Object({
  user: User,
  body: nullable(text),
  html_url: text,
  path: nullable(text),
  line: t.Optional(t.Union([t.Integer(), t.Null()])),
})

const commentOf = ({
  user,
  body,
  html_url,
  path,
  line,
}: Static<typeof Comment>): ReviewComment => ({
  ...{ account: accountOf(user), text: cleanText(body), url: cleanText(html_url) },
  ...(path && { line: `${cleanText(path)}${line ? `:${line}` : ''}` }),
})

const LineCommentEvent = t.Object({
  action: text,
  comment: Comment,
  pull_request: t.Object({ html_url: text }),
})

const lineComment = reader(LineCommentEvent, ({ action, comment, pull_request }) => ({
  urls: [pull_request.html_url],
  ...(action === 'created' && { comment: commentOf(comment) }),
}))

const CommentEvent = t.Object({
  action: nullable(text),
  issue: t.Object({ number: t.Integer({ minimum: 1 }), pull_request: t.Optional(t.Unknown()) }),
  comment: t.Optional(Comment),
})

/** Comments of issues, and those of pull requests, which have the same event. */
export const commentReader = reader(CommentEvent, ({ action, issue, comment }) => {
  if (!issue.pull_request) return { issue: issue.number }
  // The address of a comment is that of the pull request, with a fragment.
  return action === 'created' && comment
    ? { urls: [comment.html_url], comment: commentOf(comment) }
    : { urls: [] }
})

const PushEvent = t.Object({ before: text, after: text, commits: nullable(Commits) })

export const push = reader(PushEvent, (event) => pushOf(event, event.commits))

/** Readers by event name, as in `X-GitHub-Event`. */
export const github: Record<string, Reader> = {
  issues: issueReader,
  issue_comment: commentReader,
  pull_request: pullRequest,
  push,
  pull_request_review: pullRequestReview,
  pull_request_review_comment: lineComment,
  deployment_status: deployment,
  check_run: checks('check_run'),
  check_suite: checks('check_suite'),
  workflow_run: checks('workflow_run'),
  status,
}
