import type { CallApi } from '../../../../../kernel/services.ts'
import type { HostKind } from '../schema.ts'
import type { Granted, HostClient, Webhook } from './client.ts'
import { ForgeClient, type ForgeDialect } from './forge.ts'
import { GitlabClient } from './gitlab.ts'
import { HostHttp } from './http.ts'

interface Connection {
  kind: HostKind
  /** The address of the host, without a trailing slash. */
  url: string
  token: string
  granted?: Granted
}

export const GITHUB_EVENTS = [
  ...['issues', 'issue_comment', 'pull_request', 'pull_request_review'],
  ...['pull_request_review_comment', 'check_run', 'check_suite', 'status', 'workflow_run'],
  ...['deployment_status', 'push'],
]
const FORGEJO_EVENTS = [
  ...['issues', 'issue_assign', 'issue_label', 'issue_comment'],
  ...['pull_request', 'pull_request_comment', 'pull_request_review', 'pull_request_sync'],
  ...['push', 'status'],
]

const config = ({ url, secret }: Webhook) => ({ url, secret, content_type: 'json' })

const DIALECTS: Record<'github' | 'forgejo', ForgeDialect> = {
  github: {
    pageSize: 100,
    issueList: 'sort=updated&direction=asc&per_page=100',
    webhook: (webhook) => ({
      ...{ name: 'web', active: true, events: GITHUB_EVENTS, config: config(webhook) },
    }),
    needsLabels: false,
  },
  forgejo: {
    pageSize: 50,
    issueList: 'type=issues&limit=50',
    webhook: (webhook) => ({
      ...{ type: 'gitea', active: true, events: FORGEJO_EVENTS, config: config(webhook) },
    }),
    needsLabels: true,
  },
}

/** A client for the API of a host. */
export function clientFor(callApi: CallApi, connection: Connection): HostClient {
  const { kind, url, token, granted } = connection
  const api = apiOf(kind, url)
  if (kind === 'gitlab')
    return new GitlabClient(new HostHttp({ callApi, api, headers: { 'private-token': token } }))
  const headers: Record<string, string> =
    kind === 'github'
      ? { ...GITHUB_HEADERS, authorization: `Bearer ${token}` }
      : { authorization: `token ${token}` }
  return new ForgeClient(new HostHttp({ callApi, api, headers }), DIALECTS[kind], granted)
}

export const GITHUB_HEADERS = { 'x-github-api-version': '2022-11-28' }

/** The address of the API. A GitHub Enterprise Server has it below its own. */
export function apiOf(kind: HostKind, url: string): string {
  if (kind === 'gitlab') return `${url}/api/v4`
  if (kind === 'forgejo') return `${url}/api/v1`
  return url === 'https://github.com' ? 'https://api.github.com' : `${url}/api/v3`
}

/** Names of the events that a webhook needs, to enter by hand. */
export const EVENTS: Record<HostKind, string[]> = {
  github: GITHUB_EVENTS,
  forgejo: FORGEJO_EVENTS,
  gitlab: ['Push events', 'Issues events', 'Comments', 'Merge request events', 'Pipeline events'],
}
