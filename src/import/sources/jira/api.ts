import { ImportProblem } from '../../problem.ts'
import { type ApiOptions, type SourceApi, type SourceFile, textFile } from '../../source.ts'
import { ApiClient, basicAuthorization } from '../shared/api-client.ts'

const PAGE = 100
const LOCATION =
  /^(.*?)\/(?:(?:jira\/)?(?:software|core|servicedesk|work|business)\/.*|)(?:browse|projects)\/([A-Z][A-Z0-9_]*)/

/** Where the project is: the address of the server, and the query that finds its issues. */
interface Target {
  base: string
  isCloud: boolean
  jql: string
  project?: string
}

export const api: SourceApi = {
  token: 'JIRA_TOKEN',
  matches: (url) => targetOf(url) !== undefined,
  download,
}

export function targetOf(url: URL): Target | undefined {
  if (!/^https?:$/.test(url.protocol)) return undefined
  const isCloud = url.hostname.endsWith('.atlassian.net')
  const [, path = '', project] = LOCATION.exec(url.pathname) ?? []
  const jql = url.searchParams.get('jql')
  const base = url.origin + (isCloud ? '' : path)
  if (project)
    return { base, isCloud, project, jql: jql || `project = "${project}" ORDER BY Rank ASC` }
  const folder = /^(.*?)\/(?:issues|secure)\b/.exec(url.pathname)?.[1]
  const isSearch = folder !== undefined && (isCloud || /jira|issues/.test(url.hostname + folder))
  if (!jql || !isSearch) return undefined
  return { base: url.origin + (isCloud ? '' : folder), isCloud, jql }
}

interface Page {
  issues?: { key: string; fields: Record<string, { total?: number } | null | undefined> }[]
  nextPageToken?: string
  total?: number
}

async function* download(options: ApiOptions): AsyncGenerator<SourceFile> {
  const target = targetOf(new URL(options.url))
  if (!target)
    throw new ImportProblem(
      `${options.url} is not the address of a project of Jira`,
      'Use an address such as https://example.atlassian.net/browse/PROJ',
    )
  const root = `${target.base}/rest/api/${target.isCloud ? 3 : 2}`
  const client = new ApiClient(options, {
    title: 'Jira',
    token: 'JIRA_TOKEN to EMAIL:TOKEN, or for Data Center to a personal access token',
    headers: headersOf(options.token),
  })
  const get = async (path: string) => (await client.get(`${root}${path}`)).body
  const about: Record<string, unknown> = { fields: await get('/field') }
  if (target.project)
    Object.assign(about, {
      project: await get(`/project/${target.project}`),
      statuses: await get(`/project/${target.project}/statuses`),
    })
  yield textFile('jira.json', JSON.stringify(about))
  let count = 0
  for await (const page of pagesOf(target, get)) {
    for (const issue of page.issues ?? []) await complete(issue, get)
    count += page.issues?.length ?? 0
    options.onProgress(`${count} issues`)
    yield textFile(`issues-${String(count).padStart(6, '0')}.json`, JSON.stringify(page))
  }
}

/** Jira Cloud continues with a token, and Data Center with a position. */
async function* pagesOf(
  { isCloud, jql }: Target,
  get: (path: string) => Promise<unknown>,
): AsyncGenerator<Page> {
  const query = new URLSearchParams({ jql, maxResults: String(PAGE), fields: '*all' })
  for (let start = 0; ; ) {
    const page = (await get(`/search${isCloud ? '/jql' : ''}?${query}`)) as Page
    yield page
    start += page.issues?.length ?? 0
    const isLast = isCloud ? !page.nextPageToken : start >= (page.total ?? 0)
    if (isLast || !page.issues?.length) return
    if (isCloud) query.set('nextPageToken', page.nextPageToken!)
    else query.set('startAt', String(start))
  }
}

/** A search returns only the first comments and work logs of an issue. */
async function complete(
  { key, fields }: NonNullable<Page['issues']>[number],
  get: (path: string) => Promise<unknown>,
): Promise<void> {
  for (const [field, list] of [
    ['comment', 'comments'],
    ['worklog', 'worklogs'],
  ] as const) {
    const page = fields[field] as Record<string, unknown> | undefined
    const items = page?.[list]
    if (!Array.isArray(items) || typeof page?.total !== 'number') continue
    while (items.length < page.total) {
      const path = `/issue/${key}/${field}?startAt=${items.length}&maxResults=1000`
      const next = ((await get(path)) as Record<string, unknown>)[list]
      if (!Array.isArray(next) || !next.length) break
      items.push(...next)
    }
  }
}

/** `email:token` for Jira Cloud, or a personal access token of Data Center. */
function headersOf(token: string | undefined): Record<string, string> {
  if (!token) return {}
  return { authorization: token.includes(':') ? basicAuthorization(token) : `Bearer ${token}` }
}
