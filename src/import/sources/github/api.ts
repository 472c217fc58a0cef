import { ImportProblem } from '../../problem.ts'
import { type ApiOptions, type SourceApi, type SourceFile, textFile } from '../../source.ts'
import { ApiClient } from '../shared/api-client.ts'
import { numberOf, objectOf, objectsOf, stringOf } from '../shared/json.ts'
import { projectFiles } from './project-api.ts'

/** A repository or a project. */
const REPOSITORY = /^\/([^/]+)\/([^/]+)(?:\/issues)?\/?$/
const PROJECT = /^\/(users|orgs)\/([^/]+)\/projects\/(\d+)/

export const githubApi: SourceApi = {
  token: 'GITHUB_TOKEN',
  matches: ({ hostname, pathname }) =>
    /(^|\.)(github\.com|ghe\.com)$|^(github|ghe)\./.test(hostname) &&
    (REPOSITORY.test(pathname) || PROJECT.test(pathname)),
  download,
}

/** The addresses of the REST and GraphQL API of a host. */
function apiOf({ protocol, host, hostname }: URL): { rest: string; graphql: string } {
  const name = hostname.replace(/^www\./, '')
  if (name === 'github.com' || name.endsWith('.ghe.com')) {
    const base = `https://api.${name}`
    return { rest: base, graphql: `${base}/graphql` }
  }
  return { rest: `${protocol}//${host}/api/v3`, graphql: `${protocol}//${host}/api/graphql` }
}

async function* download(options: ApiOptions): AsyncIterable<SourceFile> {
  const url = new URL(options.url)
  const client = new ApiClient(options, {
    title: 'GitHub',
    token: 'GITHUB_TOKEN to a token that can read issues and projects',
    headers: {
      accept: 'application/vnd.github+json',
      ...(options.token && { authorization: `Bearer ${options.token}` }),
    },
  })
  const { rest, graphql } = apiOf(url)
  const [, kind, owner, number] = PROJECT.exec(url.pathname) ?? []
  if (kind) {
    const project = { kind, owner: owner!, number: Number(number) }
    yield* projectFiles(client, { rest, graphql }, project, options)
    return
  }
  const [, user, name] = REPOSITORY.exec(url.pathname) ?? []
  if (!user || !name)
    throw new ImportProblem(
      `${options.url} is neither a repository nor a project`,
      'Give an address such as https://github.com/owner/repository',
    )
  yield* repositoryFiles(client, `${rest}/repos/${user}/${name.replace(/\.git$/, '')}`, options)
}

async function* repositoryFiles(
  client: ApiClient,
  repository: string,
  { onProgress }: ApiOptions,
): AsyncGenerator<SourceFile> {
  const { body } = await client.get(repository)
  const fullName = stringOf(objectOf(body).full_name)
  yield textFile('repository.json', JSON.stringify(body))
  const query = 'per_page=100&sort=created&direction=asc'
  let page = 0
  const linked: { number: string; kind: string }[] = []
  for await (const issues of client.pages(`${repository}/issues?state=all&${query}`)) {
    page++
    yield textFile(`issues-${page}.json`, JSON.stringify(issues))
    linked.push(...linksOf(issues))
    onProgress(`${page * 100} issues`)
  }
  page = 0
  for await (const comments of client.pages(`${repository}/issues/comments?${query}`)) {
    page++
    if (objectsOf(comments).length)
      yield textFile(`comments-${page}.json`, JSON.stringify(comments))
    onProgress(`${page * 100} comments`)
  }
  for (const { number, kind } of linked)
    yield* linkFiles(client, repository, fullName, number, kind)
}

/** Sub-issues and dependencies have a list of their own for each issue that has some. */
function linksOf(issues: unknown): { number: string; kind: string }[] {
  return objectsOf(issues).flatMap((issue) => {
    const children = numberOf(objectOf(issue.sub_issues_summary).total) ?? 0
    const { total_blocked_by, blocked_by } = objectOf(issue.issue_dependencies_summary)
    const blockers = numberOf(total_blocked_by) ?? numberOf(blocked_by) ?? 0
    const number = stringOf(issue.number)
    return [
      ...(children ? [{ number, kind: 'sub-issues' }] : []),
      ...(blockers ? [{ number, kind: 'blocked-by' }] : []),
    ]
  })
}

async function* linkFiles(
  client: ApiClient,
  repository: string,
  fullName: string,
  number: string,
  kind: string,
): AsyncGenerator<SourceFile> {
  const list = kind === 'sub-issues' ? 'sub_issues' : 'dependencies/blocked_by'
  let page = 0
  for await (const issues of client.pages(`${repository}/issues/${number}/${list}?per_page=100`)) {
    page++
    yield textFile(`${kind}/${fullName}/${number}-${page}.json`, JSON.stringify(issues))
  }
}
