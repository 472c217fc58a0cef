import { Type as t } from '@sinclair/typebox'
import { type Checks, maybe, moment, named, type Reader, reader, text, tidy } from './told.ts'

const MergeRequestEvent = t.Object({
  object_attributes: t.Object({
    url: text,
    title: text,
    description: maybe(text),
    source_branch: text,
    state: text,
    updated_at: maybe(text),
    last_commit: maybe(t.Object({ id: text })),
  }),
})

const mergeRequest = reader(MergeRequestEvent, ({ object_attributes: it }) => ({
  urls: [it.url],
  ...(it.last_commit && { sha: it.last_commit.id }),
  ...moment(it.updated_at),
  state: it.state === 'merged' || it.state === 'closed' ? it.state : 'open',
  title: tidy(it.title),
  branch: tidy(it.source_branch),
  body: tidy(it.description),
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
    created_at: maybe(text),
    finished_at: maybe(text),
  }),
  merge_request: maybe(t.Object({ url: maybe(text) })),
})

const pipeline = reader(PipelineEvent, ({ object_attributes: it, merge_request }) => ({
  urls: merge_request?.url ? [merge_request.url] : [],
  sha: it.sha,
  ...moment(it.finished_at, it.created_at),
  ...named('pipeline', VERDICTS.get(it.status) ?? 'pending'),
}))

/** By the name that GitLab gives in `X-Gitlab-Event`. */
export const gitlab: Record<string, Reader> = {
  'Merge Request Hook': mergeRequest,
  'Pipeline Hook': pipeline,
}
