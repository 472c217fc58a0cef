import { ImportProblem } from '../../problem.ts'
import { type ApiOptions, type SourceFile, textFile } from '../../source.ts'
import type { ApiClient } from '../shared/api-client.ts'
import { type Json, numberOf, objectOf, objectsOf, stringOf } from '../shared/json.ts'
import { idOfUrl, nodesOf } from './issue.ts'

interface Project {
  kind: string
  owner: string
  number: number
}

const OPTIONS = '... on ProjectV2SingleSelectField { name options { name } }'
const HEADER = `title shortDescription readme url number fields(first: 100) { nodes { ${OPTIONS} } }`

const FIELD = 'field { ... on ProjectV2FieldCommon { name } }'
const VALUES = `fieldValues(first: 50) { nodes {
  ... on ProjectV2ItemFieldTextValue { text ${FIELD} }
  ... on ProjectV2ItemFieldNumberValue { number ${FIELD} }
  ... on ProjectV2ItemFieldDateValue { date ${FIELD} }
  ... on ProjectV2ItemFieldSingleSelectValue { name ${FIELD} }
  ... on ProjectV2ItemFieldIterationValue { title ${FIELD} }
} }`

const ISSUE = `number title body url state stateReason createdAt updatedAt closedAt
  author { login } assignees(first: 20) { nodes { login } }
  labels(first: 100) { nodes { name color } }
  milestone { title description dueOn }
  comments(first: 50) { totalCount nodes { id url body createdAt updatedAt includesCreatedEdit
    author { login } } }`

/** Older enterprise servers do not have these fields. */
const NEW = `issueType { name } parent { url } blockedBy(first: 50) { nodes { url } }`

const itemsOf = (issue: string) => `items(first: 50, after: $after) { totalCount
  pageInfo { endCursor hasNextPage }
  nodes { id isArchived ${VALUES} content { __typename
    ... on Issue { ${issue} }
    ... on DraftIssue { title body createdAt updatedAt creator { login }
      assignees(first: 20) { nodes { login } } } } } }`

export async function* projectFiles(
  client: ApiClient,
  api: { rest: string; graphql: string },
  project: Project,
  { onProgress }: ApiOptions,
): AsyncGenerator<SourceFile> {
  const ask = (what: string, after?: string) => query(client, api.graphql, project, what, after)
  const header = await ask(HEADER)
  if (typeof header === 'string') throw refused(header)
  yield textFile('project.json', JSON.stringify({ project: header }))
  let issue = `${ISSUE} ${NEW}`
  let after: string | undefined
  for (let page = 1; page === 1 || after; page++) {
    let answer = await ask(itemsOf(issue), after)
    if (typeof answer === 'string' && issue !== ISSUE) {
      issue = ISSUE
      answer = await ask(itemsOf(issue), after)
    }
    if (typeof answer === 'string') throw refused(answer)
    const { items } = answer
    yield textFile(`items-${page}.json`, JSON.stringify({ projectItems: items }))
    yield* moreComments(client, api.rest, nodesOf(items))
    onProgress(`${page * 50} of ${stringOf(objectOf(items).totalCount)} items`)
    const { hasNextPage, endCursor } = objectOf(objectOf(items).pageInfo)
    after = hasNextPage === true ? stringOf(endCursor) : undefined
  }
}

/** The project with what was asked of it, or why it is refused. */
async function query(
  client: ApiClient,
  url: string,
  { kind, owner, number }: Project,
  what: string,
  after?: string,
): Promise<Json | string> {
  const root = kind === 'orgs' ? 'organization' : 'user'
  const variables = { owner, number, ...(after && { after }) }
  const { body } = await client.post(url, {
    query: `query($owner: String!, $number: Int!${what.includes('$after') ? ', $after: String' : ''}) {
      ${root}(login: $owner) { projectV2(number: $number) { ${what} } } }`,
    variables,
  })
  const { data, errors } = objectOf(body)
  const found = objectOf(objectOf(data)[root]).projectV2
  if (found) return objectOf(found)
  const reason = objectsOf(errors).map(({ message }) => stringOf(message))
  return reason.join(', ') || 'The project does not exist'
}

const refused = (reason: string) =>
  new ImportProblem(
    `GitHub does not give the project (${reason})`,
    /rate limit/i.test(reason)
      ? 'Try again in an hour'
      : 'Set GITHUB_TOKEN to a token with the scope read:project',
  )

/** Issues with more comments than a page of items has: all of them come from the REST API. */
async function* moreComments(
  client: ApiClient,
  rest: string,
  items: readonly Json[],
): AsyncGenerator<SourceFile> {
  for (const { content } of items) {
    const { comments, url } = objectOf(content)
    const total = numberOf(objectOf(comments).totalCount) ?? 0
    const [repo, number] = (idOfUrl(stringOf(url)) ?? '').split('#')
    if (!number || total <= nodesOf(comments).length) continue
    let page = 0
    const list = `${rest}/repos/${repo}/issues/${number}/comments?per_page=100`
    for await (const body of client.pages(list)) {
      page++
      yield textFile(`comments/${repo}/${number}-${page}.json`, JSON.stringify(body))
    }
  }
}
