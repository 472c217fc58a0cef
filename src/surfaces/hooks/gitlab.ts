import { Type as t } from '@sinclair/typebox'
import {
  type Checks,
  checkOf,
  cleanText,
  nullable,
  type Reader,
  reader,
  text,
  timeOf,
} from './reader.ts'

const MergeRequestEvent = t.Object({
  object_attributes: t.Object({
    url: text,
    title: text,
    description: nullable(text),
    source_branch: text,
    state: text,
    updated_at: nullable(text),
    last_commit: nullable(t.Object({ id: text })),
  }),
})

const mergeRequest = reader(MergeRequestEvent, ({ object_attributes: event }) => ({
  urls: [event.url],
  ...(event.last_commit && { sha: event.last_commit.id }),
  ...timeOf(event.updated_at),
  state: event.state === 'merged' || event.state === 'closed' ? event.state : 'open',
  title: cleanText(event.title),
  branch: cleanText(event.source_branch),
  body: cleanText(event.description),
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
    created_at: nullable(text),
    finished_at: nullable(text),
  }),
  merge_request: nullable(t.Object({ url: nullable(text) })),
})

const pipeline = reader(PipelineEvent, ({ object_attributes: event, merge_request }) => ({
  urls: merge_request?.url ? [merge_request.url] : [],
  sha: event.sha,
  ...timeOf(event.finished_at, event.created_at),
  ...checkOf('pipeline', VERDICTS.get(event.status) ?? 'pending'),
}))

const iid = t.Integer({ minimum: 1 })

const issue = reader(t.Object({ object_attributes: t.Object({ iid }) }), (event) => ({
  issue: event.object_attributes.iid,
}))

/** Notes on merge requests and commits have no issue. */
const note = reader(t.Object({ issue: nullable(t.Object({ iid })) }), (event) =>
  event.issue ? { issue: event.issue.iid } : { urls: [] },
)

/** Readers by event name, as in `X-Gitlab-Event`. */
export const gitlab: Record<string, Reader> = {
  'Issue Hook': issue,
  'Confidential Issue Hook': issue,
  'Note Hook': note,
  'Confidential Note Hook': note,
  'Merge Request Hook': mergeRequest,
  'Pipeline Hook': pipeline,
}
