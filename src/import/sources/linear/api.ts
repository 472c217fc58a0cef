import { ImportProblem } from '../../problem.ts'
import { type ApiOptions, type SourceApi, type SourceFile, textFile } from '../../source.ts'
import { ApiClient, requireToken } from '../shared/api-client.ts'
import { isObject, objectOf, objectsOf, stringOf } from '../shared/json.ts'
import { CONNECTIONS, ISSUES, issuePart, TEAMS } from './queries.ts'

const ENDPOINT = 'https://api.linear.app/graphql'

export const api: SourceApi = {
  token: 'LINEAR_API_KEY',
  matches: ({ hostname }) => hostname === 'linear.app',
  download,
}

interface Page {
  nodes: Record<string, unknown>[]
  pageInfo: { hasNextPage: boolean; endCursor: string | null }
}

type Ask = (query: string, variables: unknown) => Promise<Record<string, unknown>>

/** Downloads a team, or every team of a workspace if the address names none. */
async function* download(options: ApiOptions): AsyncGenerator<SourceFile> {
  const [, workspace, key] =
    /^\/([^/]+)(?:\/(?:team|issue)\/([A-Za-z0-9]+)(?:[/-]|$))?/.exec(
      new URL(options.url).pathname,
    ) ?? []
  if (!workspace)
    throw new ImportProblem(
      `${options.url} is not the address of a team of Linear`,
      'Use an address such as https://linear.app/workspace/team/ENG/all',
    )
  const ask = queryWith(options)
  const filter = key ? { key: { eq: key.toUpperCase() } } : {}
  const { teams } = (await ask(TEAMS, { filter })) as unknown as { teams: Page }
  if (!teams.nodes.length)
    throw new ImportProblem(
      key ? `There is no team ${key} that the key can see` : 'The key can see no team',
      'Check the address, and whose API key it is',
    )
  yield textFile('linear.json', JSON.stringify({ teams: teams.nodes }))
  let count = 0
  for (const { id } of teams.nodes)
    for await (const issues of pagesOf(ask, String(id))) {
      count += issues.length
      options.onProgress(`${count} issues`)
      yield textFile(`issues-${String(count).padStart(6, '0')}.json`, JSON.stringify({ issues }))
    }
}

async function* pagesOf(ask: Ask, team: string): AsyncGenerator<Record<string, unknown>[]> {
  for (let after: string | null = null; ; ) {
    const { issues } = (await ask(ISSUES, { team, after })) as unknown as { issues: Page }
    for (const issue of issues.nodes) await complete(issue, ask)
    if (issues.nodes.length) yield issues.nodes
    after = issues.pageInfo.endCursor
    if (!issues.pageInfo.hasNextPage || !after) return
  }
}

/** A page of issues holds only the first of their comments, labels and so on. */
async function complete(issue: Record<string, unknown>, ask: Ask): Promise<void> {
  for (const name of Object.keys(CONNECTIONS)) {
    const list = issue[name] as Page | undefined
    while (list?.pageInfo?.hasNextPage && list.pageInfo.endCursor) {
      const variables = { id: issue.id, after: list.pageInfo.endCursor }
      const answer = (await ask(issuePart(name), variables)) as {
        issue: Record<string, Page>
      }
      const next = answer.issue[name]!
      list.nodes.push(...next.nodes)
      list.pageInfo = next.pageInfo
    }
  }
}

function queryWith(options: ApiOptions): Ask {
  const remedy = 'Create an API key in Settings, Security & access, and set LINEAR_API_KEY'
  const token = requireToken(options, 'Linear', remedy)
  const isPersonal = token.startsWith('lin_api_') || !token.startsWith('lin_')
  const client = new ApiClient(options, {
    title: 'Linear',
    token: 'LINEAR_API_KEY to an API key of Settings, Security & access',
    headers: { authorization: isPersonal ? token : `Bearer ${token}` },
  })
  return async (query, variables) => {
    const { body } = await client.post(ENDPOINT, { query, variables })
    const { data, errors } = objectOf(body)
    const [error] = objectsOf(errors)
    if (isObject(data) && !error) return data
    throw new ImportProblem(
      `Linear answers: ${stringOf(error?.message) || 'nothing'}`,
      'Check the API key, and try again later',
    )
  }
}
