import { type Static, Type as t } from '@sinclair/typebox'
import type {
  Account,
  Commit,
  HostClient,
  HostComment,
  HostIssue,
  HostRepository,
  IssueChange,
  IssueDraft,
  IssueQuery,
  Page,
  Verdict,
  Webhook,
} from './client.ts'
import { HostError } from './error.ts'
import type { HostHttp } from './http.ts'
import { nullable } from './nullable.ts'

/** The level of "Reporter", who may edit all issues, and of "Developer", who may push. */
const REPORTER = 20
const DEVELOPER = 30
const MAINTAINER = 40
const PAGE_SIZE = 100
const MAX_PAGES = 50

const User = t.Object({
  id: t.Integer(),
  username: t.String(),
  name: nullable(t.String()),
  public_email: nullable(t.String()),
})

const Level = t.Optional(t.Union([t.Object({ access_level: t.Integer() }), t.Null()]))
const Project = t.Object({
  path_with_namespace: t.String(),
  web_url: t.String(),
  issues_enabled: t.Optional(t.Boolean()),
  permissions: t.Optional(t.Object({ project_access: Level, group_access: Level })),
})

const Issue = t.Object({
  iid: t.Integer(),
  web_url: t.String(),
  title: t.String(),
  description: nullable(t.String()),
  state: t.String(),
  labels: t.Array(t.String()),
  assignees: t.Array(User),
  author: t.Union([User, t.Null()]),
  user_notes_count: t.Integer(),
  created_at: t.String(),
  updated_at: t.String(),
})

const Note = t.Object({
  id: t.Integer(),
  body: t.String(),
  system: t.Boolean(),
  author: t.Union([User, t.Null()]),
  created_at: t.String(),
  updated_at: t.String(),
})

const Reviewer = t.Object({ user: User, state: t.String() })
const VERDICTS = new Map<string, Verdict['review']>([
  ['approved', 'approved'],
  ['requested_changes', 'changes_requested'],
])

const Hook = t.Object({ id: t.Integer(), url: t.String() })
const Name = t.Object({ name: t.String() })
const Compared = t.Object({ commits: t.Array(t.Object({ id: t.String(), message: t.String() })) })

/** GitLab. The issues of a project are numbered by `iid`, its comments are notes. */
export class GitlabClient implements HostClient {
  constructor(private readonly http: HostHttp) {}

  async me(): Promise<Account> {
    return accountOf(await this.http.call('/user', User))
  }

  async account(login: string): Promise<Account | undefined> {
    const path = `/users?username=${encodeURIComponent(login)}`
    const [found] = await this.http.call(path, t.Array(User))
    return found && accountOf(found)
  }

  async repository(name: string): Promise<HostRepository | undefined> {
    const found = await this.http.optional(projectPath(name), Project)
    if (!found) return undefined
    const { project_access, group_access } = found.permissions ?? {}
    const level = Math.max(project_access?.access_level ?? 0, group_access?.access_level ?? 0)
    return {
      name: found.path_with_namespace,
      url: found.web_url,
      mayRead: true,
      mayWrite: level >= REPORTER,
      mayManage: level >= MAINTAINER,
      hasIssues: found.issues_enabled ?? true,
    }
  }

  async mayWrite(repository: string, { id }: Account): Promise<boolean> {
    const path = `${projectPath(repository)}/members/all/${id}`
    const found = await this.http.optional(path, t.Object({ access_level: t.Integer() }))
    return (found?.access_level ?? 0) >= DEVELOPER
  }

  async issues(repository: string, { page, since }: IssueQuery): Promise<Page<HostIssue>> {
    const range = since
      ? `updated_after=${since.toISOString()}&order_by=updated_at`
      : 'state=opened&order_by=created_at'
    const query = `${range}&sort=asc&per_page=${PAGE_SIZE}&page=${page}`
    const found = await this.http.call(`${projectPath(repository)}/issues?${query}`, t.Array(Issue))
    return { items: found.map(toIssue), hasMore: found.length >= PAGE_SIZE }
  }

  /** A comment also changes its issue, so that the list of issues has it. */
  async commentedSince(): Promise<number[]> {
    return []
  }

  async issue(repository: string, number: number): Promise<HostIssue | undefined> {
    const found = await this.http.optional(issuePath(repository, number), Issue)
    return found && toIssue(found)
  }

  async createIssue(repository: string, { title, text }: IssueDraft): Promise<HostIssue> {
    const call = { method: 'POST', body: { title, description: text } } as const
    return toIssue(await this.http.call(`${projectPath(repository)}/issues`, Issue, call))
  }

  async updateIssue(repository: string, number: number, change: IssueChange): Promise<HostIssue> {
    const { title, text, isClosed, assignees, labels } = change
    const body = {
      ...(title !== undefined && { title }),
      ...(text !== undefined && { description: text }),
      ...(isClosed !== undefined && { state_event: isClosed ? 'close' : 'reopen' }),
      ...(labels && { labels: labels.join(',') }),
      ...(assignees && { assignee_ids: await this.idsOf(assignees) }),
    }
    const call = { method: 'PUT', body } as const
    const found = await this.http.optional(issuePath(repository, number), Issue, call)
    if (!found) throw new HostError('missing', `Issue ${number} was deleted`)
    return toIssue(found)
  }

  private async idsOf(logins: string[]): Promise<number[]> {
    const ids: number[] = []
    for (const login of logins) {
      const path = `/users?username=${encodeURIComponent(login)}`
      ids.push(...(await this.http.call(path, t.Array(User))).map(({ id }) => id))
    }
    return ids
  }

  async comments(repository: string, number: number): Promise<HostComment[]> {
    const path = `${issuePath(repository, number)}/notes?sort=asc&order_by=created_at`
    const found: HostComment[] = []
    for (let page = 1; page <= MAX_PAGES; page++) {
      const query = `&per_page=${PAGE_SIZE}&page=${page}`
      const rows = await this.http.call(`${path}${query}`, t.Array(Note))
      found.push(...rows.filter(({ system }) => !system).map(toComment))
      if (rows.length < PAGE_SIZE) break
    }
    return found
  }

  async createComment(repository: string, number: number, text: string): Promise<HostComment> {
    const call = { method: 'POST', body: { body: text } } as const
    const path = `${issuePath(repository, number)}/notes`
    return toComment(await this.http.call(path, Note, call))
  }

  async updateComment(repository: string, number: number, id: string, text: string) {
    const call = { method: 'PUT', body: { body: text } } as const
    const path = `${issuePath(repository, number)}/notes/${id}`
    const found = await this.http.optional(path, Note, call)
    return found && toComment(found)
  }

  deleteComment(repository: string, number: number, id: string): Promise<void> {
    return this.http.remove(`${issuePath(repository, number)}/notes/${id}`)
  }

  async saveWebhook(repository: string, { url, secret }: Webhook): Promise<string> {
    const path = `${projectPath(repository)}/hooks`
    const known = await this.http.call(`${path}?per_page=${PAGE_SIZE}`, t.Array(Hook))
    const same = known.find((hook) => hook.url === url)
    const body = {
      ...{ url, token: secret, push_events: true, issues_events: true, note_events: true },
      ...{ merge_requests_events: true, pipeline_events: true },
    }
    const saved = same
      ? await this.http.call(`${path}/${same.id}`, Hook, { method: 'PUT', body })
      : await this.http.call(path, Hook, { method: 'POST', body })
    return String(saved.id)
  }

  deleteWebhook(repository: string, id: string): Promise<void> {
    return this.http.remove(`${projectPath(repository)}/hooks/${id}`)
  }

  /** Older versions send no event when a reviewer requests changes. */
  async verdicts(repository: string, number: number): Promise<Verdict[]> {
    const path = `${projectPath(repository)}/merge_requests/${number}/reviewers`
    const found = (await this.http.optional(path, t.Array(Reviewer))) ?? []
    return found.map(({ user, state }) => ({
      login: user.username,
      review: VERDICTS.get(state) ?? 'none',
    }))
  }

  async tags(repository: string): Promise<string[]> {
    const path = `${projectPath(repository)}/repository/tags?per_page=${PAGE_SIZE}`
    return (await this.http.call(path, t.Array(Name))).map(({ name }) => name)
  }

  async commitsBetween(repository: string, from: string, to: string): Promise<Commit[]> {
    const query = `from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`
    const path = `${projectPath(repository)}/repository/compare?${query}`
    const { commits } = await this.http.call(path, Compared)
    return commits.map(({ id, message }) => ({ sha: id, message }))
  }
}

const projectPath = (name: string) => `/projects/${encodeURIComponent(name)}`
const issuePath = (repository: string, number: number) =>
  `${projectPath(repository)}/issues/${number}`

const accountOf = (user: Static<typeof User> | null): Account => ({
  id: String(user?.id ?? 0),
  login: user?.username || 'ghost',
  name: user?.name || user?.username || 'ghost',
  ...(user?.public_email && { email: user.public_email.toLowerCase() }),
})

const toIssue = (issue: Static<typeof Issue>): HostIssue => ({
  number: issue.iid,
  url: issue.web_url,
  title: issue.title,
  text: issue.description ?? '',
  isClosed: issue.state === 'closed',
  labels: issue.labels,
  assignees: issue.assignees.map(({ username }) => username),
  author: accountOf(issue.author),
  commentCount: issue.user_notes_count,
  createdAt: new Date(issue.created_at),
  updatedAt: new Date(issue.updated_at),
})

const toComment = (note: Static<typeof Note>): HostComment => ({
  id: String(note.id),
  text: note.body,
  author: accountOf(note.author),
  createdAt: new Date(note.created_at),
  updatedAt: new Date(note.updated_at),
})
