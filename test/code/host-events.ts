import { createHmac } from 'node:crypto'
import type { FakeComment, FakeIssue, FakeKind } from '../support/code-host.ts'
import type { LinkedBoard } from './linked-board.ts'

type Json = Record<string, unknown>

export const SHA = '5c1d1bb9a4f2f4a1c8fb1c1d1e6c0d4b1f1a2b3c'
const REPOSITORY = 'https://host.example/acme/site'

/** Signs a payload as the host does. */
function headersOf(kind: FakeKind, event: string, body: string, secret: string) {
  const hex = createHmac('sha256', secret).update(body).digest('hex')
  const type = { 'content-type': 'application/json' }
  if (kind === 'github')
    return {
      ...{ ...type, 'user-agent': 'GitHub-Hookshot/044aadd', 'x-github-event': event },
      ...{ 'x-github-delivery': crypto.randomUUID(), 'x-github-hook-id': '292430182' },
      ...{ 'x-hub-signature-256': `sha256=${hex}` },
    }
  if (kind === 'gitlab')
    return {
      ...{ ...type, 'user-agent': 'GitLab/17.5.0', 'x-gitlab-event': event },
      ...{ 'x-gitlab-token': secret, 'x-gitlab-event-uuid': crypto.randomUUID() },
    }
  return {
    ...{ ...type, 'x-forgejo-event': event, 'x-gitea-event': event, 'x-github-event': event },
    ...{ 'x-forgejo-signature': hex, 'x-gitea-signature': hex },
    ...{ 'x-hub-signature-256': `sha256=${hex}`, 'x-gitea-delivery': crypto.randomUUID() },
  }
}

interface Sent {
  event: string
  payload: Json
}

/** Sends an event to the webhook of a linked repository, with another secret if one is given. */
export async function sendEvent(
  { w, repository }: LinkedBoard,
  kind: FakeKind,
  { event, payload }: Sent,
  secret = repository.hooks[0]!.secret,
) {
  const body = JSON.stringify(payload)
  const { pathname } = new URL(repository.hooks[0]!.url)
  return w.http(undefined, 'POST', pathname, body, headersOf(kind, event, body, secret))
}

export const pullUrl = (kind: FakeKind) =>
  kind === 'gitlab'
    ? `${REPOSITORY}/-/merge_requests/7`
    : `${REPOSITORY}/${kind === 'github' ? 'pull' : 'pulls'}/7`

const forgeUser = (login: string) => ({
  ...{
    login,
    id: idOf(login),
    avatar_url: 'https://host.example/u/1',
    type: 'User',
    site_admin: false,
  },
})
const gitlabUser = (username: string) => ({
  ...{ id: idOf(username), name: username, username, email: '[REDACTED]', avatar_url: null },
})
/** Set by tests: the ids of the accounts that the scripted host has. */
export const ids = new Map([['cork-bot', 1]])
const idOf = (login: string) => ids.get(login) ?? 900

const repositoryJson = {
  ...{ id: 1296269, name: 'site', full_name: 'acme/site', private: false, html_url: REPOSITORY },
  ...{ owner: forgeUser('acme'), default_branch: 'main' },
}
const project = {
  ...{ id: 15, name: 'site', path_with_namespace: 'acme/site', web_url: REPOSITORY },
  ...{ default_branch: 'main', visibility_level: 20 },
}

interface Pull {
  branch: string
  title?: string
}

const pullJson = (kind: FakeKind, { branch, title = 'Draw it' }: Pull) => ({
  ...{ id: 191568743, number: 7, state: 'open', locked: false, title, body: null },
  ...{ html_url: pullUrl(kind), user: forgeUser('cork-bot'), draft: false, merged: false },
  ...{ created_at: '2026-11-20T12:00:00Z', updated_at: '2026-11-20T12:00:00Z', merged_at: null },
  head: { label: `acme:${branch}`, ref: branch, sha: SHA },
  base: { label: 'acme:main', ref: 'main', sha: '9d8c7b6a' },
})

const gitlabPull = ({ branch, title = 'Draw it' }: Pull) => ({
  ...{ id: 99, iid: 7, target_branch: 'main', source_branch: branch, title, description: '' },
  ...{ state: 'opened', url: pullUrl('gitlab'), updated_at: '2026-11-20 12:00:00 UTC' },
  ...{ last_commit: { id: SHA, message: 'Draw', url: `${REPOSITORY}/-/commit/${SHA}` } },
})

export const opened = (kind: FakeKind, pull: Pull): Sent =>
  kind === 'gitlab'
    ? {
        event: 'Merge Request Hook',
        payload: {
          ...{ object_kind: 'merge_request', event_type: 'merge_request', project },
          ...{
            user: gitlabUser('root'),
            object_attributes: { ...gitlabPull(pull), action: 'open' },
          },
        },
      }
    : {
        event: 'pull_request',
        payload: {
          ...{ action: 'opened', number: 7, pull_request: pullJson(kind, pull) },
          ...{ repository: repositoryJson, sender: forgeUser('cork-bot') },
        },
      }

/** A comment of a reviewer, as the host reports it. */
export function commented(kind: FakeKind, pull: Pull, login: string, text: string): Sent {
  const url = pullUrl(kind)
  if (kind === 'gitlab')
    return {
      event: 'Note Hook',
      payload: {
        ...{ object_kind: 'note', event_type: 'note', user: gitlabUser(login), project },
        object_attributes: {
          ...{ id: 1244, note: text, noteable_type: 'MergeRequest', author_id: 1, system: false },
          ...{ url: `${url}#note_1244`, action: 'create', type: 'DiffNote', line_code: 'b6_0_9' },
          position: { position_type: 'text', new_path: 'src/gate.ts', new_line: 9, old_line: null },
        },
        merge_request: gitlabPull(pull),
      },
    }
  const common = { repository: repositoryJson, sender: forgeUser(login) }
  const comment = {
    ...{ id: 237895671, user: forgeUser(login), body: text, author_association: 'NONE' },
    ...{ created_at: '2026-11-20T12:01:00Z', updated_at: '2026-11-20T12:01:00Z' },
  }
  if (kind === 'github')
    return {
      event: 'pull_request_review_comment',
      payload: {
        ...{ action: 'created', pull_request: pullJson(kind, pull), ...common },
        comment: {
          ...{ ...comment, path: 'src/gate.ts', line: 9, diff_hunk: '@@ -1 +1 @@' },
          html_url: `${url}#discussion_r237895671`,
        },
      },
    }
  return {
    event: 'issue_comment',
    payload: {
      ...{ action: 'created', is_pull: true, ...common },
      issue: { id: 3, number: 7, title: 'Draw it', pull_request: { merged: false } },
      comment: { ...comment, html_url: `${url}#issuecomment-12`, pull_request_url: url },
    },
  }
}

/** A review that requests changes; GitLab has none. */
export const rejected = (
  kind: 'github' | 'forgejo',
  pull: Pull,
  login: string,
  text: string,
): Sent => ({
  event: kind === 'github' ? 'pull_request_review' : 'pull_request_rejected',
  payload: {
    ...{ action: kind === 'github' ? 'submitted' : 'reviewed', number: 7 },
    ...{ pull_request: pullJson(kind, pull), repository: repositoryJson, sender: forgeUser(login) },
    review:
      kind === 'github'
        ? {
            ...{ id: 80, user: forgeUser(login), body: text, state: 'changes_requested' },
            ...{ html_url: `${pullUrl(kind)}#pullrequestreview-80`, commit_id: SHA },
            submitted_at: '2026-11-20T12:02:00Z',
          }
        : { type: 'pull_request_review_rejected', content: text },
  },
})

/** A check of the head commit; `name` is part of its name on the board. */
export function checked(kind: FakeKind, isPassing: boolean, at: string): Sent {
  if (kind === 'gitlab')
    return {
      event: 'Pipeline Hook',
      payload: {
        ...{ object_kind: 'pipeline', project, user: gitlabUser('root'), builds: [] },
        object_attributes: {
          ...{ id: 31, iid: 3, ref: 'x', sha: SHA, source: 'merge_request_event' },
          ...{ status: isPassing ? 'success' : 'failed', finished_at: at, created_at: at },
          url: `${REPOSITORY}/-/pipelines/31`,
        },
        merge_request: { id: 1, iid: 7, url: pullUrl('gitlab') },
      },
    }
  return {
    event: 'status',
    payload: {
      ...{ id: 6805126730, sha: SHA, name: 'acme/site', context: 'ci/build', description: null },
      ...{ state: isPassing ? 'success' : 'failure', target_url: 'https://ci.example.com/31' },
      ...{ created_at: at, updated_at: at, repository: repositoryJson, branches: [] },
    },
  }
}

/** A push of one commit; GitLab names the same fields, and more of its own. */
export const pushed = (kind: FakeKind, message: string, sha: string, before: string): Sent => ({
  event: kind === 'gitlab' ? 'Push Hook' : 'push',
  payload: {
    ...{ ref: 'refs/heads/hp-1-draw-the-logo', before, after: sha },
    ...(kind === 'gitlab'
      ? { object_kind: 'push', checkout_sha: sha, user_username: 'walt', project }
      : { repository: repositoryJson, pusher: { name: 'walt' }, created: false, forced: false }),
    commits: [
      {
        ...{ id: sha, message, timestamp: '2026-11-20T12:03:00Z', added: [], modified: ['a.ts'] },
        url: `${REPOSITORY}/${kind === 'gitlab' ? '-/' : ''}commit/${sha}`,
        author: { name: 'Walt', email: 'walt@users.example' },
      },
    ],
  },
})

/** Somebody approves a merge request, or undoes it. */
export const approved = (pull: Pull, action: string, at: string): Sent => {
  const { event, payload } = opened('gitlab', pull)
  const attributes = payload.object_attributes as Json
  return {
    event,
    payload: {
      ...{ ...payload, user: gitlabUser('ben') },
      object_attributes: { ...attributes, action, updated_at: at },
    },
  }
}

interface ReviewerState {
  username: string
  state: string
}

/** The state of a reviewer changes, as GitLab reports it since it has an event for that. */
export const reviewerChanged = (
  pull: Pull,
  login: string,
  states: { from: string; to: string },
  at: string,
): Sent => {
  const { event, payload } = approved(pull, 'update', at)
  const reviewer = (state: string): ReviewerState => ({
    ...{ ...gitlabUser(login), state, re_requested: false },
  })
  const [previous, current] = [[reviewer(states.from)], [reviewer(states.to)]]
  return {
    event,
    payload: {
      ...{ ...payload, user: gitlabUser(login), reviewers: current },
      changes: { reviewers: { previous, current } },
    },
  }
}

const forgeIssue = ({ number, title, text, author }: FakeIssue) => ({
  ...{ id: 1000 + number, node_id: 'MDU6SXNzdWU3MzQ4', number, title, body: text, state: 'open' },
  ...{ html_url: `${REPOSITORY}/issues/${number}`, user: forgeUser(author.login), labels: [] },
  ...{ assignee: null, assignees: [], milestone: null, locked: false, comments: 0 },
  ...{ created_at: '2026-11-20T12:00:00Z', updated_at: '2026-11-20T12:00:00Z', closed_at: null },
})

const gitlabIssue = ({ number, title, text }: FakeIssue) => ({
  ...{ id: 301, iid: number, title, description: text, state: 'opened', confidential: false },
  ...{
    author_id: 51,
    assignee_ids: [],
    project_id: 15,
    labels: [],
    weight: null,
    severity: 'unknown',
  },
  ...{ created_at: '2026-11-20 12:00:00 UTC', updated_at: '2026-11-20 12:00:00 UTC' },
  url: `${REPOSITORY}/-/issues/${number}`,
})

/** Somebody opened an issue. */
export const issueOpened = (kind: FakeKind, issue: FakeIssue): Sent =>
  kind === 'gitlab'
    ? {
        event: 'Issue Hook',
        payload: {
          ...{ object_kind: 'issue', event_type: 'issue', user: gitlabUser(issue.author.login) },
          ...{ project, repository: { name: 'site', homepage: REPOSITORY }, changes: {} },
          object_attributes: { ...gitlabIssue(issue), action: 'open' },
        },
      }
    : {
        event: 'issues',
        payload: {
          ...{ action: 'opened', issue: forgeIssue(issue), repository: repositoryJson },
          ...{ number: issue.number, sender: forgeUser(issue.author.login) },
        },
      }

/** Somebody commented on an issue. */
export const issueCommented = (kind: FakeKind, issue: FakeIssue, comment: FakeComment): Sent =>
  kind === 'gitlab'
    ? {
        event: 'Note Hook',
        payload: {
          ...{ object_kind: 'note', event_type: 'note', project, issue: gitlabIssue(issue) },
          user: gitlabUser(comment.author.login),
          object_attributes: {
            ...{ id: comment.id, note: comment.text, noteable_type: 'Issue', action: 'create' },
            ...{ system: false, url: `${REPOSITORY}/-/issues/${issue.number}#note_${comment.id}` },
          },
        },
      }
    : {
        event: 'issue_comment',
        payload: {
          ...{ action: 'created', issue: { ...forgeIssue(issue), comments: 1 } },
          ...(kind === 'forgejo' && { is_pull: false }),
          comment: {
            ...{ id: comment.id, body: comment.text, user: forgeUser(comment.author.login) },
            html_url: `${REPOSITORY}/issues/${issue.number}#issuecomment-${comment.id}`,
            ...{ author_association: 'NONE', created_at: '2026-11-20T12:01:00Z' },
          },
          ...{ repository: repositoryJson, sender: forgeUser(comment.author.login) },
        },
      }
