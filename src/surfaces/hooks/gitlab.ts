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

const User = t.Object({ id: nullable(t.Integer()), username: text, name: nullable(text) })

const accountOf = ({ id, username, name }: Static<typeof User>) => ({
  ...{ id: String(id ?? 0), login: cleanText(username), name: cleanText(name ?? username) },
})

/** `approved` is the last approval that was missing, `approval` one before it. */
const REVIEWS = new Map([
  ['approved', 'approved'],
  ['approval', 'approved'],
  ['unapproved', 'none'],
  ['unapproval', 'none'],
] as const)

const Reviewers = nullable(t.Array(t.Object({ username: text, state: nullable(text) })))

const MergeRequestEvent = t.Object({
  user: nullable(User),
  changes: nullable(
    t.Object({ reviewers: nullable(t.Object({ previous: Reviewers, current: Reviewers })) }),
  ),
  object_attributes: t.Object({
    url: text,
    title: text,
    description: nullable(text),
    source_branch: text,
    state: text,
    action: nullable(text),
    updated_at: nullable(text),
    last_commit: nullable(t.Object({ id: text })),
  }),
})

type MergeRequest = Static<typeof MergeRequestEvent>

/** The verdict of a reviewer in this state; others of GitLab's states are no verdict. */
const verdictOf = (state: string | null | undefined) =>
  state === 'requested_changes'
    ? ('changes_requested' as const)
    : state === 'approved'
      ? ('approved' as const)
      : ('none' as const)

function reviewIn({ user, object_attributes, changes }: MergeRequest) {
  const review = REVIEWS.get(object_attributes.action as 'approved')
  const changed = changedReview(changes?.reviewers)
  if (!review || !user) return changed ? { review: changed } : {}
  return { review: { by: cleanText(user.username).slice(0, 200), review } }
}

/** The changed verdict of a reviewer. Requesting a review again resets the verdict to none. */
function changedReview(reviewers: NonNullable<MergeRequest['changes']>['reviewers']) {
  const before = new Map((reviewers?.previous ?? []).map((one) => [one.username, one.state]))
  for (const { username, state } of reviewers?.current ?? []) {
    const review = verdictOf(state)
    if (review !== verdictOf(before.get(username)))
      return { by: cleanText(username).slice(0, 200), review }
  }
  return undefined
}

/** A reviewer who requests changes writes to the author of the branch. */
function requestIn({ user, object_attributes: { url }, ...event }: MergeRequest) {
  const changed = changedReview(event.changes?.reviewers)
  if (changed?.review !== 'changes_requested' || changed.by !== user?.username) return {}
  const comment: ReviewComment = {
    ...{ account: accountOf(user), text: '', url: cleanText(url) },
    verdict: 'changes_requested',
  }
  return { comment }
}

const mergeRequest = reader(MergeRequestEvent, ({ object_attributes: event, ...rest }) => ({
  urls: [event.url],
  ...(event.last_commit && { sha: event.last_commit.id }),
  ...timeOf(event.updated_at),
  state: event.state === 'merged' || event.state === 'closed' ? event.state : 'open',
  title: cleanText(event.title),
  branch: cleanText(event.source_branch),
  body: cleanText(event.description),
  ...reviewIn({ ...rest, object_attributes: event }),
  ...requestIn({ ...rest, object_attributes: event }),
}))

const VERDICTS = new Map<string, Checks>([
  ['success', 'passing'],
  ['failed', 'failing'],
  ['canceled', 'failing'],
  ['skipped', 'none'],
])

const PipelineEvent = t.Object({
  object_attributes: t.Object({
    sha: text,
    status: text,
    url: nullable(text),
    created_at: nullable(text),
    finished_at: nullable(text),
  }),
  merge_request: nullable(t.Object({ url: nullable(text) })),
})

const pipeline = reader(PipelineEvent, ({ object_attributes: event, merge_request }) => ({
  urls: merge_request?.url ? [merge_request.url] : [],
  sha: event.sha,
  ...timeOf(event.finished_at, event.created_at),
  ...checkOf('pipeline', VERDICTS.get(event.status) ?? 'pending', event.url),
}))

const iid = t.Integer({ minimum: 1 })

const issue = reader(t.Object({ object_attributes: t.Object({ iid }) }), (event) => ({
  issue: event.object_attributes.iid,
}))

const NoteEvent = t.Object({
  issue: nullable(t.Object({ iid })),
  merge_request: nullable(t.Object({ iid })),
  user: nullable(User),
  object_attributes: nullable(
    t.Object({
      note: nullable(text),
      url: nullable(text),
      action: nullable(text),
      system: nullable(t.Boolean()),
      position: nullable(
        t.Object({
          new_path: nullable(text),
          new_line: t.Optional(t.Union([t.Integer(), t.Null()])),
        }),
      ),
    }),
  ),
})

/** Notes of issues are synchronized, those of merge requests are comments of reviewers. */
const note = reader(NoteEvent, ({ issue, merge_request, user, object_attributes: event }) => {
  if (issue) return { issue: issue.iid }
  const isNew = (event?.action ?? 'create') === 'create' && !event?.system
  if (!merge_request || !user || !event?.url || !isNew) return { urls: [] }
  const { new_path: path, new_line } = event.position ?? {}
  const comment: ReviewComment = {
    account: accountOf(user),
    ...{ text: cleanText(event.note), url: cleanText(event.url) },
    ...(path && { line: `${cleanText(path)}${new_line ? `:${new_line}` : ''}` }),
  }
  // The address of a note is that of the merge request, with a fragment.
  return { urls: [event.url], comment }
})

const PushEvent = t.Object({ before: text, after: text, commits: nullable(Commits) })

const push = reader(PushEvent, (event) => pushOf(event, event.commits))

/** Readers by event name, as in `X-Gitlab-Event`. */
export const gitlab: Record<string, Reader> = {
  'Issue Hook': issue,
  'Confidential Issue Hook': issue,
  'Note Hook': note,
  'Confidential Note Hook': note,
  'Merge Request Hook': mergeRequest,
  'Push Hook': push,
  'Pipeline Hook': pipeline,
}
