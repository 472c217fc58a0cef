import { addCleanup } from './database.ts'

export type FakeKind = 'github' | 'gitlab' | 'forgejo'

export interface FakeUser {
  id: number
  login: string
  email: string
  mayWrite: boolean
}

export interface FakeComment {
  id: number
  text: string
  author: FakeUser
  createdAt: Date
  updatedAt: Date
}

export interface FakeIssue {
  number: number
  title: string
  text: string
  isClosed: boolean
  labels: string[]
  assignees: FakeUser[]
  author: FakeUser
  comments: FakeComment[]
  createdAt: Date
  updatedAt: Date
}

/** The state of a repository, which tests change directly as its people do. */
export class FakeRepository {
  readonly name = 'acme/site'
  issues: FakeIssue[] = []
  labels = new Set<string>()
  hooks: { id: number; url: string; secret: string }[] = []
  users: FakeUser[] = []
  /** States of the reviewers of merge request 7, by login, as GitLab names them. */
  reviewers: Record<string, string> = {}
  tags: string[] = []
  commits: { sha: string; message: string }[] = []
  token = 'a token'
  /** Tokens of other accounts than the one of the bot. */
  readonly userTokens = new Map<string, FakeUser>()
  /** The user of the current request, by its token. */
  requester: FakeUser | undefined
  /** Called for each request before it is handled; a response replaces the answer. */
  intercept: (request: Request) => Response | undefined | Promise<Response> = () => undefined
  /** Called after a request was handled; a response replaces the answer, as if it were lost. */
  lose: (request: Request) => Response | undefined = () => undefined
  requests: string[] = []
  mayManage = true
  private nextId = 1

  constructor(readonly clock: () => Date) {
    this.addUser('cork-bot', true)
  }

  id = () => this.nextId++

  addUser(login: string, mayWrite: boolean, email = `${login}@users.example`): FakeUser {
    const user = { id: this.id(), login, email, mayWrite }
    this.users.push(user)
    return user
  }

  get bot(): FakeUser {
    return this.users[0]!
  }

  user(login: string): FakeUser {
    return this.users.find((one) => one.login.toLowerCase() === login.toLowerCase())!
  }

  open(author: FakeUser, title: string, text = '', labels: string[] = []): FakeIssue {
    const now = this.clock()
    const issue: FakeIssue = {
      ...{ number: this.issues.length + 1, title, text, isClosed: false, labels, assignees: [] },
      ...{ author, comments: [], createdAt: now, updatedAt: now },
    }
    for (const label of labels) this.labels.add(label)
    this.issues.push(issue)
    return issue
  }

  change(issue: FakeIssue, set: Partial<FakeIssue>) {
    Object.assign(issue, set, { updatedAt: this.clock() })
  }

  comment(issue: FakeIssue, author: FakeUser, text: string): FakeComment {
    const now = this.clock()
    const comment = { id: this.id(), text, author, createdAt: now, updatedAt: now }
    issue.comments.push(comment)
    issue.updatedAt = now
    return comment
  }
}

type Json = Record<string, unknown>
type Route = (match: string[], body: Json, query: URLSearchParams) => unknown

const NOT_FOUND = Symbol('not found')

/** Answers like the API of a host. It refuses requests that the real one would refuse. */
export function serveCodeHost(kind: FakeKind, repository: FakeRepository) {
  const routes = kind === 'gitlab' ? gitlabRoutes(repository) : forgeRoutes(kind, repository)
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    async fetch(request) {
      const early = await repository.intercept(request)
      if (early) return early
      const requester = userOf(kind, repository, request)
      if (!requester) return Response.json({}, { status: 401 })
      const url = new URL(request.url)
      repository.requests.push(`${request.method} ${url.pathname}`)
      const text = await request.text()
      repository.requester = requester
      const answer = handle(routes, request.method, url, text ? JSON.parse(text) : {})
      const lost = repository.lose(request)
      if (lost) return lost
      if (answer === NOT_FOUND) return Response.json({ message: 'Not Found' }, { status: 404 })
      return answer === undefined
        ? new Response(null, { status: 204 })
        : Response.json(answer, { status: request.method === 'POST' ? 201 : 200 })
    },
  })
  addCleanup(() => server.stop(true))
  return { url: `http://127.0.0.1:${server.port}` }
}

function userOf(kind: FakeKind, { token, bot, userTokens }: FakeRepository, { headers }: Request) {
  const scheme = kind === 'github' ? 'Bearer ' : 'token '
  const sent =
    kind === 'gitlab'
      ? headers.get('private-token')
      : headers.get('authorization')?.replace(scheme, '')
  return sent === token ? bot : userTokens.get(sent ?? '')
}

function handle(routes: Record<string, Route>, method: string, url: URL, body: Json): unknown {
  for (const [pattern, route] of Object.entries(routes)) {
    const [verb, path] = pattern.split(' ') as [string, string]
    const match = new RegExp(`^${path}$`).exec(url.pathname)
    if (verb === method && match) return route(match.slice(1), body, url.searchParams)
  }
  throw new Error(`The host has no ${method} ${url.pathname}`)
}

const seconds = (date: Date) => `${date.toISOString().slice(0, 19)}Z`

function listed(repository: FakeRepository, since: string | null, isOpen: boolean) {
  const from = since ? Math.floor(Date.parse(since) / 1000) : 0
  return repository.issues
    .filter((issue) => !isOpen || !issue.isClosed)
    .filter(({ updatedAt }) => Math.floor(updatedAt.getTime() / 1000) >= from)
    .sort((a, b) => a.updatedAt.getTime() - b.updatedAt.getTime())
}

const pageOf = <T>(items: T[], query: URLSearchParams, size: number): T[] => {
  const page = Number(query.get('page') ?? 1)
  return items.slice((page - 1) * size, page * size)
}

function forgeRoutes(kind: 'github' | 'forgejo', repository: FakeRepository) {
  const api = kind === 'github' ? '/api/v3' : '/api/v1'
  const repo = `${api}/repos/acme/site`
  const size = kind === 'github' ? 100 : 50
  const user = ({ id, login, email }: FakeUser) => ({ id, login, full_name: login, email })
  const find = (number: string) => repository.issues.find((one) => one.number === Number(number))
  const issueJson = (issue: FakeIssue) => ({
    ...{ id: issue.number * 1000, number: issue.number, title: issue.title, body: issue.text },
    html_url: `https://host.example/acme/site/issues/${issue.number}`,
    state: issue.isClosed ? 'closed' : 'open',
    labels: issue.labels.map((name) => ({ id: 1, name })),
    assignees: issue.assignees.length ? issue.assignees.map(user) : null,
    user: user(issue.author),
    comments: issue.comments.length,
    created_at: seconds(issue.createdAt),
    updated_at: seconds(issue.updatedAt),
    ...(kind === 'forgejo' && { pull_request: null }),
  })
  const commentJson = (issue: FakeIssue) => (comment: FakeComment) => ({
    ...{ id: comment.id, body: comment.text, user: user(comment.author) },
    issue_url: `https://host.example/acme/site/issues/${issue.number}`,
    created_at: seconds(comment.createdAt),
    updated_at: seconds(comment.updatedAt),
  })
  const commentById = (id: string) => {
    for (const issue of repository.issues)
      for (const comment of issue.comments) if (comment.id === Number(id)) return { issue, comment }
    return undefined
  }
  const routes: Record<string, Route> = {
    [`GET ${api}/user`]: () => user(repository.requester!),
    [`GET ${api}/users/([^/]+)`]: ([login]) => {
      const found = repository.user(decodeURIComponent(login!))
      return found ? user(found) : NOT_FOUND
    },
    [`GET ${repo}`]: () => ({
      ...{ full_name: repository.name, html_url: 'https://host.example/acme/site' },
      ...{ has_issues: true, permissions: { admin: repository.mayManage, push: true, pull: true } },
    }),
    [`GET ${repo}/collaborators/([^/]+)/permission`]: ([login]) => {
      const found = repository.user(decodeURIComponent(login!))
      return found ? { permission: found.mayWrite ? 'write' : 'read' } : NOT_FOUND
    },
    [`GET ${repo}/issues`]: (_, __, query) =>
      pageOf(
        listed(repository, query.get('since'), query.get('state') === 'open'),
        query,
        size,
      ).map(issueJson),
    [`GET ${repo}/issues/comments`]: (_, __, query) => {
      const from = Date.parse(query.get('since')!)
      return repository.issues.flatMap((issue) =>
        issue.comments
          .filter(({ updatedAt }) => updatedAt.getTime() >= from)
          .map(commentJson(issue)),
      )
    },
    [`POST ${repo}/issues`]: (_, { title, body }) => {
      if (typeof title !== 'string' || !title || title.length > 255) throw new Error('no title')
      return issueJson(repository.open(repository.bot, title, String(body ?? '')))
    },
    [`GET ${repo}/issues/(\\d+)`]: ([number]) => {
      const issue = find(number!)
      return issue ? issueJson(issue) : NOT_FOUND
    },
    [`PATCH ${repo}/issues/(\\d+)`]: ([number], body) => {
      const issue = find(number!)
      if (!issue) return NOT_FOUND
      const { title, body: text, state, assignees } = body as Record<string, string & string[]>
      repository.change(issue, {
        ...(title !== undefined && { title }),
        ...(text !== undefined && { text }),
        ...(state !== undefined && { isClosed: String(state) === 'closed' }),
        ...(assignees && { assignees: assignees.map((login) => repository.user(login)) }),
      })
      return issueJson(issue)
    },
    [`PUT ${repo}/issues/(\\d+)/labels`]: ([number], { labels }) => {
      const issue = find(number!)
      if (!issue) return NOT_FOUND
      const names = labels as string[]
      const unknown = names.find((name) => !repository.labels.has(name))
      if (unknown && kind === 'forgejo') throw new Error(`There is no label ${unknown}`)
      for (const name of names) repository.labels.add(name)
      repository.change(issue, { labels: names })
      return names.map((name) => ({ name }))
    },
    [`GET ${repo}/labels`]: (_, __, query) =>
      pageOf([...repository.labels], query, 50).map((name) => ({ name })),
    [`POST ${repo}/labels`]: (_, { name }) => {
      repository.labels.add(String(name))
      return { id: 1, name }
    },
    [`GET ${repo}/issues/(\\d+)/comments`]: ([number], _, query) => {
      const issue = find(number!)
      if (!issue) return NOT_FOUND
      const rows = issue.comments.map(commentJson(issue))
      return kind === 'github' ? pageOf(rows, query, 100) : rows
    },
    [`POST ${repo}/issues/(\\d+)/comments`]: ([number], { body }) => {
      const issue = find(number!)
      if (!issue) return NOT_FOUND
      return commentJson(issue)(repository.comment(issue, repository.bot, String(body)))
    },
    [`PATCH ${repo}/issues/comments/(\\d+)`]: ([id], { body }) => {
      const found = commentById(id!)
      if (!found) return NOT_FOUND
      Object.assign(found.comment, { text: String(body), updatedAt: repository.clock() })
      return commentJson(found.issue)(found.comment)
    },
    [`DELETE ${repo}/issues/comments/(\\d+)`]: ([id]) => {
      const found = commentById(id!)
      if (!found) return NOT_FOUND
      found.issue.comments = found.issue.comments.filter((one) => one !== found.comment)
      return undefined
    },
    ...hookRoutes(repo, repository),
    [`GET ${repo}/tags`]: () => repository.tags.map((name) => ({ name })),
    [`GET ${repo}/compare/.*`]: () => ({
      commits: repository.commits.map(({ sha, message }) => ({ sha, commit: { message } })),
    }),
  }
  return routes
}

function hookRoutes(repo: string, repository: FakeRepository): Record<string, Route> {
  const toJson = ({ id, url }: { id: number; url: string }) => ({ id, url, config: { url } })
  const parse = ({ config, url, token }: Json) => {
    const { url: address = url, secret = token } = (config ?? {}) as Json
    return { url: String(address), secret: String(secret) }
  }
  const change: Route = ([id], body) => {
    const hook = repository.hooks.find((one) => one.id === Number(id))
    return hook ? toJson(Object.assign(hook, parse(body))) : NOT_FOUND
  }
  return {
    [`GET ${repo}/hooks`]: () => repository.hooks.map(toJson),
    [`POST ${repo}/hooks`]: (_, body) => {
      const hook = { id: repository.id(), ...parse(body) }
      repository.hooks.push(hook)
      return toJson(hook)
    },
    [`PATCH ${repo}/hooks/(\\d+)`]: change,
    [`PUT ${repo}/hooks/(\\d+)`]: change,
    [`DELETE ${repo}/hooks/(\\d+)`]: ([id]) => {
      repository.hooks = repository.hooks.filter((hook) => hook.id !== Number(id))
      return undefined
    },
  }
}

function gitlabRoutes(repository: FakeRepository): Record<string, Route> {
  const api = '/api/v4'
  const repo = `${api}/projects/acme%2Fsite`
  const user = ({ id, login, email }: FakeUser) => ({
    ...{ id, username: login, name: login, public_email: email },
  })
  const find = (iid: string) => repository.issues.find((one) => one.number === Number(iid))
  const issueJson = (issue: FakeIssue) => ({
    ...{ id: issue.number * 1000, iid: issue.number, title: issue.title, description: issue.text },
    web_url: `https://host.example/acme/site/-/issues/${issue.number}`,
    state: issue.isClosed ? 'closed' : 'opened',
    labels: issue.labels,
    assignees: issue.assignees.map(user),
    author: user(issue.author),
    user_notes_count: issue.comments.length,
    created_at: issue.createdAt.toISOString(),
    updated_at: issue.updatedAt.toISOString(),
  })
  const noteJson = (comment: FakeComment) => ({
    ...{ id: comment.id, body: comment.text, system: false, author: user(comment.author) },
    created_at: comment.createdAt.toISOString(),
    updated_at: comment.updatedAt.toISOString(),
  })
  const note = (iid: string, id: string) => find(iid)?.comments.find((one) => one.id === Number(id))
  return {
    [`GET ${api}/user`]: () => user(repository.requester!),
    [`GET ${api}/users`]: (_, __, query) =>
      [repository.user(query.get('username') ?? '')].flatMap((found) =>
        found ? [user(found)] : [],
      ),
    [`GET ${repo}`]: () => ({
      ...{ path_with_namespace: repository.name, web_url: 'https://host.example/acme/site' },
      permissions: {
        project_access: { access_level: repository.mayManage ? 40 : 30 },
        group_access: null,
      },
    }),
    [`GET ${repo}/members/all/(\\d+)`]: ([id]) => {
      const found = repository.users.find((one) => one.id === Number(id))
      return found?.mayWrite ? { access_level: 30 } : NOT_FOUND
    },
    [`GET ${repo}/issues`]: (_, __, query) =>
      pageOf(
        listed(repository, query.get('updated_after'), query.get('state') === 'opened'),
        query,
        100,
      ).map(issueJson),
    [`POST ${repo}/issues`]: (_, { title, description }) =>
      issueJson(repository.open(repository.bot, String(title), String(description ?? ''))),
    [`GET ${repo}/issues/(\\d+)`]: ([iid]) => {
      const issue = find(iid!)
      return issue ? issueJson(issue) : NOT_FOUND
    },
    [`PUT ${repo}/issues/(\\d+)`]: ([iid], body) => {
      const issue = find(iid!)
      if (!issue) return NOT_FOUND
      const { title, description, state_event, labels, assignee_ids } = body as Record<
        string,
        string & number[]
      >
      repository.change(issue, {
        ...(title !== undefined && { title }),
        ...(description !== undefined && { text: description }),
        ...(state_event !== undefined && { isClosed: String(state_event) === 'close' }),
        ...(labels !== undefined && { labels: labels ? String(labels).split(',') : [] }),
        ...(assignee_ids && {
          assignees: repository.users.filter(({ id }) => assignee_ids.includes(id as never)),
        }),
      })
      return issueJson(issue)
    },
    [`GET ${repo}/issues/(\\d+)/notes`]: ([iid], _, query) => {
      const issue = find(iid!)
      return issue ? pageOf(issue.comments, query, 100).map(noteJson) : NOT_FOUND
    },
    [`POST ${repo}/issues/(\\d+)/notes`]: ([iid], { body }) => {
      const issue = find(iid!)
      return issue ? noteJson(repository.comment(issue, repository.bot, String(body))) : NOT_FOUND
    },
    [`PUT ${repo}/issues/(\\d+)/notes/(\\d+)`]: ([iid, id], { body }) => {
      const found = note(iid!, id!)
      if (!found) return NOT_FOUND
      return noteJson(Object.assign(found, { text: String(body), updatedAt: repository.clock() }))
    },
    [`DELETE ${repo}/issues/(\\d+)/notes/(\\d+)`]: ([iid, id]) => {
      const issue = find(iid!)
      if (!issue) return NOT_FOUND
      issue.comments = issue.comments.filter((one) => one.id !== Number(id))
      return undefined
    },
    [`GET ${repo}/merge_requests/7/reviewers`]: () =>
      Object.entries(repository.reviewers).map(([login, state]) => ({
        ...{ user: user(repository.user(login)), state, created_at: '2026-11-20T12:00:00Z' },
      })),
    ...hookRoutes(repo, repository),
    [`GET ${repo}/repository/tags`]: () => repository.tags.map((name) => ({ name })),
    [`GET ${repo}/repository/compare`]: () => ({
      commits: repository.commits.map(({ sha, message }) => ({ id: sha, message })),
    }),
  }
}
