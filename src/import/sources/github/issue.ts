import { type Json, numberOf, objectOf, objectsOf, stringOf } from '../shared/json.ts'

export interface GithubAccount {
  login: string
  name: string
}

export interface GithubComment {
  id: string
  author: GithubAccount
  body: string
  created: unknown
  updated?: unknown
}

/** A value of a field of a project or an organization. */
export interface GithubValue {
  name: string
  type: 'number' | 'text' | 'select' | 'date'
  value: string | number
}

/** An issue, whichever API or command it comes from. */
export interface GithubIssue {
  /** `owner/name`; empty if the file does not say it, and for draft issues. */
  repo: string
  number: number
  /** The id of an item of a project, for draft issues. */
  draft?: string
  title: string
  body: string
  isClosed: boolean
  reason: string
  author: GithubAccount
  assignees: GithubAccount[]
  labels: { name: string; color: string }[]
  milestone: Json
  type: string
  created: unknown
  updated: unknown
  closed: unknown
  comments: GithubComment[]
  /** The number and `owner/name#number` of other issues. */
  parent: string
  children: string[]
  blockedBy: string[]
  blocking: string[]
  values: GithubValue[]
  reactions: number
  /** Set if the issue is an item of a project. */
  status?: string
  isArchived?: boolean
}

export const issueId = (repo: string, number: number): string => `${repo}#${number}`

/** The id of the issue that an address of the web or the API means. */
export function idOfUrl(url: string): string | undefined {
  const [, repo, number] =
    /^https?:\/\/[^/]+\/(?:api\/v3\/)?(?:repos\/)?([^/]+\/[^/]+)\/issues\/(\d+)(?:[?#].*)?$/.exec(
      url,
    ) ?? []
  return repo && issueId(repo, Number(number))
}

const repoOfUrl = (url: string): string =>
  /^https?:\/\/[^/]+\/(?:api\/v3\/)?(?:repos\/)?([^/]+\/[^/]+)/.exec(url)?.[1] ?? ''

/** GraphQL wraps lists in `nodes`; the commands do not. */
export const nodesOf = (value: unknown): Json[] =>
  objectsOf(Array.isArray(value) ? value : objectOf(value).nodes)

export const accountOf = (value: unknown): GithubAccount => ({
  login: stringOf(objectOf(value).login),
  name: stringOf(objectOf(value).name),
})
const idOf = (issue: Json) => idOfUrl(stringOf(issue.html_url) || stringOf(issue.url)) ?? ''
const idsOf = (value: unknown) => nodesOf(value).map(idOf).filter(Boolean)
const labelOf = (label: unknown) =>
  typeof label === 'string'
    ? { name: label, color: '' }
    : { name: stringOf(objectOf(label).name), color: stringOf(objectOf(label).color) }
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : nodesOf(value))

/** Reads an issue of the REST API. */
export function restIssue(issue: Json): GithubIssue {
  const url = stringOf(issue.html_url) || stringOf(issue.url)
  const assignees = objectsOf(issue.assignees)
  return {
    repo: repoOfUrl(stringOf(issue.repository_url)) || repoOfUrl(url),
    number: numberOf(issue.number) ?? 0,
    title: stringOf(issue.title),
    body: typeof issue.body === 'string' ? issue.body : '',
    isClosed: issue.state === 'closed',
    reason: stringOf(issue.state_reason),
    author: accountOf(issue.user),
    assignees: [...assignees, objectOf(issue.assignee)].map(accountOf),
    labels: listOf(issue.labels).map(labelOf),
    milestone: objectOf(issue.milestone),
    type: stringOf(objectOf(issue.type).name),
    created: issue.created_at,
    updated: issue.updated_at,
    closed: issue.closed_at,
    comments: [],
    parent: idOfUrl(stringOf(issue.parent_issue_url)) ?? '',
    children: [],
    blockedBy: [],
    blocking: [],
    values: objectsOf(issue.issue_field_values).flatMap(restValue),
    reactions: numberOf(objectOf(issue.reactions).total_count) ?? 0,
  }
}

/** A value of an issue field of the organization. */
function restValue(field: Json): GithubValue[] {
  const option = stringOf(objectOf(field.single_select_option).name)
  const name =
    stringOf(field.issue_field_name) ||
    stringOf(field.name) ||
    `Field ${stringOf(field.issue_field_id)}`
  const value = option || stringOf(field.value)
  if (!value) return []
  const type = stringOf(field.data_type)
  if (type === 'number') return [{ name, type: 'number', value: numberOf(field.value) ?? 0 }]
  return [{ name, type: option ? 'select' : type === 'date' ? 'date' : 'text', value }]
}

/** Reads an issue of `gh issue list --json`, or one of GraphQL. */
export function ghIssue(issue: Json): GithubIssue {
  return {
    repo: repoOfUrl(stringOf(issue.url)),
    number: numberOf(issue.number) ?? 0,
    title: stringOf(issue.title),
    body: typeof issue.body === 'string' ? issue.body : '',
    isClosed: stringOf(issue.state).toUpperCase() === 'CLOSED' || issue.closed === true,
    reason: stringOf(issue.stateReason).toLowerCase(),
    author: accountOf(issue.author),
    assignees: nodesOf(issue.assignees).map(accountOf),
    labels: listOf(issue.labels).map(labelOf),
    milestone: objectOf(issue.milestone),
    type: stringOf(objectOf(issue.issueType).name),
    created: issue.createdAt,
    updated: issue.updatedAt,
    closed: issue.closedAt,
    comments: nodesOf(issue.comments).map(ghComment),
    parent: idOf(objectOf(issue.parent)),
    children: idsOf(issue.subIssues),
    blockedBy: idsOf(issue.blockedBy),
    blocking: idsOf(issue.blocking),
    values: [],
    reactions: nodesOf(issue.reactionGroups)
      .map(({ users, reactors }) => numberOf(objectOf(users ?? reactors).totalCount) ?? 0)
      .reduce((sum, count) => sum + count, 0),
  }
}

export const ghComment = (comment: Json): GithubComment => ({
  id: stringOf(comment.url).split('#issuecomment-')[1] || stringOf(comment.id),
  author: accountOf(comment.author),
  body: typeof comment.body === 'string' ? comment.body : '',
  created: comment.createdAt,
  updated: comment.includesCreatedEdit === true ? comment.updatedAt : undefined,
})

export const restComment = (comment: Json): GithubComment => ({
  id: stringOf(comment.id),
  author: accountOf(comment.user),
  body: typeof comment.body === 'string' ? comment.body : '',
  created: comment.created_at,
  updated: comment.updated_at,
})
