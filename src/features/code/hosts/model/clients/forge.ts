import { type Static, Type as t } from '@sinclair/typebox'
import type {
  Account,
  Commit,
  Granted,
  HostClient,
  HostComment,
  HostIssue,
  HostRepository,
  IssueChange,
  IssueDraft,
  IssueQuery,
  Page,
  Webhook,
} from './client.ts'
import { HostError } from './error.ts'
import type { HostHttp } from './http.ts'
import { nullable } from './nullable.ts'

/** The differences between GitHub and the hosts with a compatible API. */
export interface ForgeDialect {
  pageSize: number
  /** Further parameters of the list of issues. */
  issueList: string
  /** The webhook in the words of the host. */
  webhook(webhook: Webhook): object
  /** The host only puts labels on issues that exist in the repository. */
  needsLabels: boolean
}

const User = t.Object({
  id: t.Integer(),
  login: t.String(),
  full_name: nullable(t.String()),
  name: nullable(t.String()),
  email: nullable(t.String()),
})

const Repository = t.Object({
  full_name: t.String(),
  html_url: t.String(),
  has_issues: t.Optional(t.Boolean()),
  permissions: t.Optional(
    t.Object({
      admin: t.Optional(t.Boolean()),
      push: t.Optional(t.Boolean()),
      pull: t.Optional(t.Boolean()),
    }),
  ),
})

const Label = t.Object({ name: t.String() })

const Issue = t.Object({
  number: t.Integer(),
  html_url: t.String(),
  title: t.String(),
  body: nullable(t.String()),
  state: t.String(),
  labels: t.Array(Label),
  assignees: t.Optional(t.Union([t.Array(User), t.Null()])),
  user: t.Union([User, t.Null()]),
  comments: t.Integer(),
  created_at: t.String(),
  updated_at: t.String(),
  pull_request: t.Optional(t.Unknown()),
})

const Comment = t.Object({
  id: t.Integer(),
  body: nullable(t.String()),
  user: t.Union([User, t.Null()]),
  created_at: t.String(),
  updated_at: t.String(),
})
const CommentOfIssue = t.Object({ issue_url: t.String() })

const Hook = t.Object({
  id: t.Integer(),
  config: t.Optional(t.Object({ url: nullable(t.String()) })),
})
const Compared = t.Object({
  commits: t.Array(t.Object({ sha: t.String(), commit: t.Object({ message: t.String() }) })),
})

/** More pages than this are read by a later sweep. */
const MAX_PAGES = 50

/** The client for GitHub, and for Forgejo and Gitea, which have a compatible API. */
export class ForgeClient implements HostClient {
  constructor(
    private readonly http: HostHttp,
    private readonly dialect: ForgeDialect,
    /** The permissions of a GitHub App. Without them, those of the account are read. */
    private readonly granted?: Granted,
  ) {}

  async me(): Promise<Account> {
    return accountOf(await this.http.call('/user', User))
  }

  async account(login: string): Promise<Account | undefined> {
    const found = await this.http.optional(`/users/${encodeURIComponent(login)}`, User)
    return found && accountOf(found)
  }

  async repository(name: string): Promise<HostRepository | undefined> {
    const found = await this.http.optional(repositoryPath(name), Repository)
    if (!found) return undefined
    const { admin = false, push = false, pull = true } = found.permissions ?? {}
    return {
      name: found.full_name,
      url: found.html_url,
      ...(this.granted ?? { mayRead: pull, mayWrite: push, mayManage: admin }),
      hasIssues: found.has_issues ?? true,
    }
  }

  async mayWrite(repository: string, { login }: Account): Promise<boolean> {
    const path = `${repositoryPath(repository)}/collaborators/${encodeURIComponent(login)}/permission`
    const found = await this.http.optional(path, t.Object({ permission: t.String() }))
    return ['admin', 'owner', 'write'].includes(found?.permission ?? '')
  }

  async issues(repository: string, { page, since }: IssueQuery): Promise<Page<HostIssue>> {
    const { pageSize, issueList } = this.dialect
    const range = since ? `state=all&since=${since.toISOString()}` : 'state=open'
    const path = `${repositoryPath(repository)}/issues?${range}&page=${page}&${issueList}`
    const found = await this.http.call(path, t.Array(Issue))
    const items = found.filter((one) => !one.pull_request).map(toIssue)
    return { items, hasMore: found.length >= pageSize }
  }

  async commentedSince(repository: string, since: Date): Promise<number[]> {
    const query = `since=${since.toISOString()}&per_page=100&limit=50`
    const path = `${repositoryPath(repository)}/issues/comments?${query}`
    const found = await this.http.call(path, t.Array(CommentOfIssue))
    const numbers = found.flatMap(({ issue_url }) => /\/issues\/(\d+)$/.exec(issue_url)?.[1] ?? [])
    return [...new Set(numbers)].map(Number)
  }

  async issue(repository: string, number: number): Promise<HostIssue | undefined> {
    const found = await this.http.optional(issuePath(repository, number), Issue)
    return found && !found.pull_request ? toIssue(found) : undefined
  }

  async createIssue(repository: string, { title, text }: IssueDraft): Promise<HostIssue> {
    const call = { method: 'POST', body: { title, body: text } } as const
    return toIssue(await this.http.call(`${repositoryPath(repository)}/issues`, Issue, call))
  }

  async updateIssue(repository: string, number: number, change: IssueChange): Promise<HostIssue> {
    const { title, text, isClosed, assignees, labels } = change
    if (labels) await this.putLabels(repository, number, labels)
    const body = {
      ...(title !== undefined && { title }),
      ...(text !== undefined && { body: text }),
      ...(isClosed !== undefined && { state: isClosed ? 'closed' : 'open' }),
      ...(assignees && { assignees }),
    }
    if (Object.keys(body).length)
      await this.http.call(issuePath(repository, number), t.Unknown(), { method: 'PATCH', body })
    // The answer of some versions lacks what the same request changed.
    const stored = await this.issue(repository, number)
    if (!stored) throw new HostError('missing', `Issue ${number} was deleted`)
    return stored
  }

  private async putLabels(repository: string, number: number, labels: string[]): Promise<void> {
    if (this.dialect.needsLabels) await this.createLabels(repository, labels)
    const call = { method: 'PUT', body: { labels } } as const
    await this.http.call(`${issuePath(repository, number)}/labels`, t.Unknown(), call)
  }

  private async createLabels(repository: string, names: string[]): Promise<void> {
    const path = `${repositoryPath(repository)}/labels`
    const known = new Set<string>()
    for (let page = 1; page <= MAX_PAGES; page++) {
      const found = await this.http.call(`${path}?limit=50&page=${page}`, t.Array(Label))
      for (const { name } of found) known.add(name)
      if (found.length < 50) break
    }
    for (const name of names)
      if (!known.has(name))
        await this.http.call(path, t.Unknown(), {
          method: 'POST',
          body: { name, color: '#6b7280' },
        })
  }

  async comments(repository: string, number: number): Promise<HostComment[]> {
    const path = `${issuePath(repository, number)}/comments`
    const found: HostComment[] = []
    const ids = new Set<string>()
    for (let page = 1; page <= MAX_PAGES; page++) {
      const rows = await this.http.call(`${path}?per_page=100&page=${page}`, t.Array(Comment))
      // Gitea has all comments on each page.
      const added = rows.map(toComment).filter(({ id }) => !ids.has(id))
      for (const comment of added) ids.add(comment.id)
      found.push(...added)
      if (rows.length !== 100 || !added.length) break
    }
    return found.sort((a, b) => Number(a.id) - Number(b.id))
  }

  async createComment(repository: string, number: number, text: string): Promise<HostComment> {
    const call = { method: 'POST', body: { body: text } } as const
    const path = `${issuePath(repository, number)}/comments`
    return toComment(await this.http.call(path, Comment, call))
  }

  async updateComment(repository: string, _: number, id: string, text: string) {
    const call = { method: 'PATCH', body: { body: text } } as const
    const found = await this.http.optional(commentPath(repository, id), Comment, call)
    return found && toComment(found)
  }

  deleteComment(repository: string, _: number, id: string): Promise<void> {
    return this.http.remove(commentPath(repository, id))
  }

  async saveWebhook(repository: string, webhook: Webhook): Promise<string> {
    const path = `${repositoryPath(repository)}/hooks`
    const known = await this.http.call(`${path}?per_page=100&limit=50`, t.Array(Hook))
    const same = known.find(({ config }) => config?.url === webhook.url)
    const body = this.dialect.webhook(webhook)
    const saved = same
      ? await this.http.call(`${path}/${same.id}`, Hook, { method: 'PATCH', body })
      : await this.http.call(path, Hook, { method: 'POST', body })
    return String(saved.id)
  }

  deleteWebhook(repository: string, id: string): Promise<void> {
    return this.http.remove(`${repositoryPath(repository)}/hooks/${id}`)
  }

  async tags(repository: string): Promise<string[]> {
    const path = `${repositoryPath(repository)}/tags?per_page=100&limit=50`
    return (await this.http.call(path, t.Array(Label))).map(({ name }) => name)
  }

  async commitsBetween(repository: string, from: string, to: string): Promise<Commit[]> {
    const range = `${encodeURIComponent(from)}...${encodeURIComponent(to)}`
    const path = `${repositoryPath(repository)}/compare/${range}`
    const { commits } = await this.http.call(path, Compared)
    return commits.map(({ sha, commit }) => ({ sha, message: commit.message }))
  }
}

const repositoryPath = (name: string) =>
  `/repos/${name.split('/').map(encodeURIComponent).join('/')}`
const issuePath = (repository: string, number: number) =>
  `${repositoryPath(repository)}/issues/${number}`
const commentPath = (repository: string, id: string) =>
  `${repositoryPath(repository)}/issues/comments/${id}`

/** Accounts that were deleted are null. */
const accountOf = (user: Static<typeof User> | null): Account => ({
  id: String(user?.id ?? 0),
  login: user?.login || 'ghost',
  name: user?.full_name || user?.name || user?.login || 'ghost',
  ...(user?.email && { email: user.email.toLowerCase() }),
})

const toIssue = (issue: Static<typeof Issue>): HostIssue => ({
  number: issue.number,
  url: issue.html_url,
  title: issue.title,
  text: issue.body ?? '',
  isClosed: issue.state === 'closed',
  labels: issue.labels.map(({ name }) => name),
  assignees: (issue.assignees ?? []).map(({ login }) => login),
  author: accountOf(issue.user),
  commentCount: issue.comments,
  createdAt: new Date(issue.created_at),
  updatedAt: new Date(issue.updated_at),
})

const toComment = (comment: Static<typeof Comment>): HostComment => ({
  id: String(comment.id),
  text: comment.body ?? '',
  author: accountOf(comment.user),
  createdAt: new Date(comment.created_at),
  updatedAt: new Date(comment.updated_at),
})
