import { type Static, Type as t } from '@sinclair/typebox'
import { type Checks, maybe, moment, named, type Reader, reader, text, tidy } from './told.ts'

const repository = t.Object({ html_url: text })

const PullRequestEvent = t.Object({
  pull_request: t.Object({
    html_url: text,
    title: text,
    body: maybe(text),
    state: text,
    merged: maybe(t.Boolean()),
    merged_at: maybe(text),
    updated_at: maybe(text),
    head: t.Object({ ref: text, sha: text }),
  }),
})

const pullRequest = reader(PullRequestEvent, ({ pull_request: it }) => ({
  urls: [it.html_url],
  sha: it.head.sha,
  ...moment(it.updated_at),
  state: it.merged || it.merged_at ? 'merged' : it.state === 'closed' ? 'closed' : 'open',
  title: tidy(it.title),
  branch: tidy(it.head.ref),
  body: tidy(it.body),
}))

/** What checks of every kind have in common. */
const Check = t.Object({
  head_sha: text,
  name: maybe(text),
  status: maybe(text),
  conclusion: maybe(text),
  started_at: maybe(text),
  completed_at: maybe(text),
  updated_at: maybe(text),
  app: maybe(t.Object({ slug: maybe(text) })),
  pull_requests: maybe(
    t.Array(t.Object({ number: t.Integer(), head: t.Object({ sha: text }) }), { maxItems: 1000 }),
  ),
})

const PASSING = ['success', 'neutral', 'skipped']

const verdict = (conclusion: string | null | undefined): Checks =>
  !conclusion
    ? 'pending'
    : PASSING.includes(conclusion)
      ? 'passing'
      : conclusion === 'stale'
        ? 'none'
        : 'failing'

/** One of the kinds; `kind` tells a suite from a run of the same name. */
function checks(kind: 'check_run' | 'check_suite' | 'workflow_run'): Reader {
  const schema = t.Object({ [kind]: Check, repository })
  return reader(schema, (payload) => {
    const it = payload[kind] as Static<typeof Check>
    const { html_url } = payload.repository as Static<typeof repository>
    // A check of an older commit says nothing about the pull request any more.
    const about = (it.pull_requests ?? []).filter(({ head }) => head.sha === it.head_sha)
    const done = it.status === 'completed' || Boolean(it.conclusion)
    return {
      urls: about.slice(0, 20).map(({ number }) => `${html_url}/pull/${number}`),
      sha: it.head_sha,
      ...moment(done ? it.completed_at : it.started_at, it.updated_at, it.started_at),
      ...named([kind, it.app?.slug, it.name].filter(Boolean).join('/'), verdict(it.conclusion)),
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
  updated_at: maybe(text),
  created_at: maybe(text),
})

const status = reader(StatusEvent, (it) => ({
  urls: [],
  sha: it.sha,
  ...moment(it.updated_at, it.created_at),
  ...named(`status/${it.context}`, STATUSES.get(it.state) ?? 'failing'),
}))

/** By the name that GitHub gives in `X-GitHub-Event`. */
export const github: Record<string, Reader> = {
  pull_request: pullRequest,
  check_run: checks('check_run'),
  check_suite: checks('check_suite'),
  workflow_run: checks('workflow_run'),
  status,
}
