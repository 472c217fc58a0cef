import { createHmac, randomUUID } from 'node:crypto'
import type { Actor, World } from './world.ts'

type Fields = Record<string, unknown>

/** Creates a receiver of a board and returns functions that send it events as the host does. */
export async function codeHost(w: World, name: 'github' | 'gitlab', actor: Actor = w.ada) {
  const receiver = await actor['pull_request_receivers.create']({
    ...{ project_id: w.board.project_id, host: name },
  })
  // The events of these tests happened at noon and soon after.
  w.clock.advance(3600_000)
  const path = new URL(receiver.url).pathname
  const post = (headers: Record<string, string>, body: string, to = path) =>
    w.http(undefined, 'POST', to, body, headers)
  const sign = (body: string, secret = receiver.secret) =>
    `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  /** Signs by the Standard Webhooks specification, as newer versions of GitLab do. */
  const signStandard = (body: string, at = w.clock.now, secret = receiver.secret) => {
    const [id, time] = [randomUUID(), String(Math.floor(at.getTime() / 1000))]
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')
    return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` }
  }
  const send = (event: string, payload: Fields) => {
    const body = JSON.stringify(payload)
    return name === 'github'
      ? post({ 'x-github-event': event, 'x-hub-signature-256': sign(body) }, body)
      : post({ 'x-gitlab-event': event, 'x-gitlab-token': receiver.secret }, body)
  }
  return { ...receiver, path, post, sign, signStandard, send }
}

export const SHA = 'a1b2c3d4e5f60718293a4b5c6d7e8f9012345678'
const REPOSITORY = 'https://github.com/acme/site'
export const pullUrl = (number = 12) => `${REPOSITORY}/pull/${number}`

/** GitHub's events with the fields that Corkboard reads, and some others. */
export const github = {
  pullRequest: (overrides: Fields = {}, number = 12) => ({
    action: 'opened',
    number,
    pull_request: {
      ...{ html_url: pullUrl(number), title: 'Draw it', body: null, state: 'open', merged: false },
      ...{ updated_at: '2026-11-20T12:00:00Z', draft: false, head: { ref: 'main', sha: SHA } },
      ...overrides,
    },
    repository: { html_url: REPOSITORY },
  }),
  checkRun: (name: string, conclusion: string | null, overrides: Fields = {}, number = 12) => ({
    action: conclusion ? 'completed' : 'created',
    check_run: {
      ...{ name, head_sha: SHA, status: conclusion ? 'completed' : 'in_progress', conclusion },
      started_at: '2026-11-20T12:01:00Z',
      completed_at: conclusion ? '2026-11-20T12:02:00Z' : null,
      app: { slug: 'ci' },
      pull_requests: [{ number, head: { sha: SHA, ref: 'main' } }],
      ...overrides,
    },
    repository: { html_url: REPOSITORY },
  }),
  status: (state: string, overrides: Fields = {}) => ({
    ...{ sha: SHA, state, context: 'lint', updated_at: '2026-11-20T12:03:00Z', ...overrides },
    repository: { html_url: REPOSITORY },
  }),
}

export const MERGE_REQUEST = 'https://gitlab.com/acme/site/-/merge_requests/3'

export const gitlab = {
  mergeRequest: (overrides: Fields = {}) => ({
    object_kind: 'merge_request',
    object_attributes: {
      ...{ url: MERGE_REQUEST, title: 'HP-1: draw it', description: '', source_branch: 'x' },
      ...{ state: 'opened', updated_at: '2026-11-20 12:00:00 UTC', last_commit: { id: SHA } },
      ...overrides,
    },
  }),
  pipeline: (status: string, overrides: Fields = {}) => ({
    object_kind: 'pipeline',
    object_attributes: {
      ...{ id: 31, sha: SHA, status, created_at: '2026-11-20 12:01:00 UTC', finished_at: null },
      ...overrides,
    },
    merge_request: { iid: 3, url: MERGE_REQUEST },
  }),
}
