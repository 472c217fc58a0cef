import { isObject, type Json, numberOf, objectOf, objectsOf, stringOf } from '../shared/json.ts'
import { accountOf, type GithubIssue, type GithubValue, ghIssue, nodesOf } from './issue.ts'

/** A project: a board with issues of several repositories. */
export interface GithubProject {
  title: string
  url: string
  description: string
  /** The options of its select fields, by field. */
  options: Map<string, string[]>
}

/** Reads what the download saves of a project. */
export function projectOf(project: Json): GithubProject {
  const fields = nodesOf(project.fields).filter(({ options }) => Array.isArray(options))
  return {
    title: stringOf(project.title) || 'Project',
    url: stringOf(project.url),
    description: [project.shortDescription, project.readme]
      .map(stringOf)
      .filter(Boolean)
      .join('\n\n'),
    options: new Map(
      fields.map(({ name, options }) => [
        stringOf(name),
        objectsOf(options).map((option) => stringOf(option.name)),
      ]),
    ),
  }
}

/** Reads an item of GraphQL; pull requests are not tasks. */
export function projectItem(item: Json): GithubIssue | undefined {
  const content = objectOf(item.content)
  const kind = stringOf(content.__typename)
  if (kind === 'PullRequest' || (!kind && !stringOf(content.title))) return
  const values = nodesOf(item.fieldValues).flatMap(graphValue)
  const status = values.find(({ name }) => name === 'Status')?.value
  const issue = ghIssue(content)
  return {
    ...issue,
    ...(kind === 'DraftIssue' && {
      draft: stringOf(item.id),
      repo: '',
      author: accountOf(content.creator),
    }),
    isArchived: item.isArchived === true,
    values: values.filter(({ name }) => name !== 'Status'),
    status: String(status ?? ''),
  }
}

function graphValue(value: Json): GithubValue[] {
  const name = stringOf(objectOf(value.field).name)
  if (!name || name === 'Title') return []
  const number = numberOf(value.number)
  if (number !== undefined) return [{ name, type: 'number', value: number }]
  const [type, text] = value.date
    ? (['date', stringOf(value.date)] as const)
    : value.name
      ? (['select', stringOf(value.name)] as const)
      : value.title
        ? (['select', stringOf(value.title)] as const)
        : (['text', stringOf(value.text)] as const)
  return text ? [{ name, type, value: text }] : []
}

/** What the command writes of an item besides its custom fields. */
const OWN = new Set([
  'id',
  'title',
  'content',
  'repository',
  'status',
  'labels',
  'assignees',
  'milestone',
  'linked pull requests',
  'reviewers',
  'sub-issues progress',
  'parent issue',
])

/** Reads an item of `gh project item-list --format json`. */
export function listedItem(item: Json): GithubIssue | undefined {
  const content = objectOf(item.content)
  const type = stringOf(content.type)
  if (type === 'PullRequest') return
  const issue = ghIssue({ ...content, ...(!content.title && { title: item.title }) })
  const assignees = Array.isArray(item.assignees) ? item.assignees : []
  return {
    ...issue,
    ...(type === 'DraftIssue' && { draft: stringOf(content.id) || stringOf(item.id), repo: '' }),
    repo: type === 'DraftIssue' ? '' : issue.repo || stringOf(content.repository),
    assignees: assignees.map((login) => ({ login: stringOf(login), name: '' })),
    labels: (Array.isArray(item.labels) ? item.labels : []).map((name) => ({
      name: stringOf(name),
      color: '',
    })),
    milestone: objectOf(item.milestone),
    parent: ghIssue({ subIssues: [objectOf(item['parent issue'])] }).children[0] ?? '',
    values: Object.entries(item).flatMap(([name, value]) =>
      OWN.has(name) ? [] : listedValue(name, value),
    ),
    status: stringOf(item.status),
    isArchived: item.isArchived === true,
  }
}

function listedValue(field: string, value: unknown): GithubValue[] {
  const name = field.charAt(0).toUpperCase() + field.slice(1)
  if (typeof value === 'number') return [{ name, type: 'number', value }]
  const text = stringOf(isObject(value) ? value.title : value)
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text)
  return text ? [{ name, type: isDate ? 'date' : 'select', value: text }] : []
}
