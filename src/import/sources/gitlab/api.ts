import { ImportProblem } from '../../problem.ts'
import { type ApiOptions, type SourceApi, type SourceFile, textFile } from '../../source.ts'
import { ApiClient } from '../shared/api-client.ts'
import { type Json, numberOf, objectOf, objectsOf, stringOf } from '../shared/json.ts'

const PROJECT = /^\/([^/]+(?:\/[^/]+)+?)(?:\/-\/.*|\/issues)?\/?$/

export const gitlabApi: SourceApi = {
  token: 'GITLAB_TOKEN',
  matches: ({ hostname, pathname }) =>
    /^gitlab\.|\.gitlab\./.test(`${hostname}.`) && PROJECT.test(pathname),
  download,
}

async function* download(options: ApiOptions): AsyncIterable<SourceFile> {
  const url = new URL(options.url)
  const path = PROJECT.exec(url.pathname)?.[1]
  if (!path)
    throw new ImportProblem(
      `${options.url} is not a project`,
      'Give an address such as https://gitlab.com/group/project',
    )
  const client = new ApiClient(options, {
    title: 'GitLab',
    token: 'GITLAB_TOKEN to a personal access token with the scope read_api',
    headers: options.token ? { 'private-token': options.token } : {},
  })
  const project = `${url.origin}/api/v4/projects/${encodeURIComponent(decodeURIComponent(path))}`
  const { body } = await client.get(project)
  yield textFile('project.json', JSON.stringify(body))
  yield* listFiles(client, `${project}/labels?per_page=100`, 'labels')
  yield textFile('boards.json', JSON.stringify((await client.get(`${project}/boards`)).body))
  yield* issueFiles(client, project, stringOf(objectOf(body).path_with_namespace), options)
}

async function* listFiles(
  client: ApiClient,
  url: string,
  name: string,
): AsyncGenerator<SourceFile> {
  let page = 0
  for await (const body of client.pages(url)) {
    page++
    yield textFile(`${name}-${page}.json`, JSON.stringify(body))
  }
}

async function* issueFiles(
  client: ApiClient,
  project: string,
  path: string,
  { onProgress }: ApiOptions,
): AsyncGenerator<SourceFile> {
  const issues: Json[] = []
  let page = 0
  const query = 'scope=all&per_page=100&order_by=created_at&sort=asc'
  for await (const body of client.pages(`${project}/issues?${query}`)) {
    page++
    issues.push(...objectsOf(body).map(({ iid, user_notes_count }) => ({ iid, user_notes_count })))
    yield textFile(`issues-${page}.json`, JSON.stringify(body))
    onProgress(`${issues.length} issues`)
  }
  const hasHierarchy = yield* hierarchyFiles(client, new URL(project).origin, path)
  let count = 0
  for (const issue of issues) {
    const iid = stringOf(issue.iid)
    const own = `${project}/issues/${iid}`
    if (numberOf(issue.user_notes_count) !== 0)
      yield* listFiles(client, `${own}/notes?per_page=100&sort=asc`, `notes/${iid}`)
    if (!hasHierarchy) yield* listFiles(client, `${own}/links`, `links/${iid}`)
    count++
    if (count % 100 === 0) onProgress(`Comments of ${count} of ${issues.length} issues`)
  }
}

const HIERARCHY = `query($path: ID!, $after: String) { project(fullPath: $path) {
  workItems(first: 100, after: $after) { pageInfo { endCursor hasNextPage } nodes { webUrl widgets {
    ... on WorkItemWidgetHierarchy { parent { webUrl } }
    ... on WorkItemWidgetLinkedItems { linkedItems(first: 50) { nodes { linkType
      workItem { webUrl } } } } } } } } }`

/** Parents and links of all issues. Returns false if the server does not know the query. */
async function* hierarchyFiles(
  client: ApiClient,
  host: string,
  path: string,
): AsyncGenerator<SourceFile, boolean> {
  let after: string | undefined
  for (let page = 1; page === 1 || after; page++) {
    const variables = { path, after: after ?? null }
    const answer = await client.post(`${host}/api/graphql`, { query: HIERARCHY, variables })
    const { project } = objectOf(objectOf(answer.body).data)
    const { nodes, pageInfo } = objectOf(objectOf(project).workItems)
    if (!Array.isArray(nodes)) return false
    yield textFile(`hierarchy-${page}.json`, JSON.stringify(nodes))
    const { hasNextPage, endCursor } = objectOf(pageInfo)
    after = hasNextPage === true ? stringOf(endCursor) : undefined
  }
  return true
}
