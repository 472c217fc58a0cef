import type { Report, SourceFile } from '../../source.ts'
import { jsonOf } from '../../text.ts'
import { isObject, type Json, objectOf, objectsOf, stringOf } from '../shared/json.ts'
import { momentOf } from '../shared/times.ts'
import { addPerson, type Issue, type IssueComment, type LinearData, stateType } from './issue.ts'

/** GraphQL wraps most lists in `nodes`. */
export const nodesOf = (value: unknown): Json[] => objectsOf(isObject(value) ? value.nodes : value)

const nameOf = (value: unknown) => (isObject(value) ? stringOf(value.name) : '')
const dayOf = (value: unknown) => /^\d{4}-\d\d-\d\d/.exec(stringOf(value))?.[0]

/** Reads the answers of the API: the teams, and pages of issues. */
export async function readJson(
  files: readonly SourceFile[],
  data: LinearData,
  report: Report,
): Promise<void> {
  const documents: Json[] = []
  const sized = new Set<string>()
  for (const file of files) {
    const document = await jsonOf(file)
    if (!isObject(document)) continue
    report.fields.add(document)
    documents.push(document)
    for (const team of nodesOf(document.teams)) addTeam(team, data, sized)
  }
  const issues = documents.flatMap((document) => nodesOf(document.issues))
  issues.sort((a, b) => Number(a.sortOrder ?? 0) - Number(b.sortOrder ?? 0) || 0)
  for (const json of issues) {
    const issue = issueOf(json, data, sized)
    if (!issue) report.lose('An issue', 'It has no identifier')
    else if (json.trashed === true) report.lose(issue.id, 'It is in the trash')
    else data.issues.push(issue)
  }
}

function addTeam(team: Json, { teams }: LinearData, sized: Set<string>): void {
  const key = stringOf(team.key)
  if (!key) return
  const states = nodesOf(team.states).toSorted((a, b) => Number(a.position) - Number(b.position))
  teams.set(key, {
    key,
    name: stringOf(team.name) || key,
    description: stringOf(team.description),
    states: states.map(({ name, type }) => ({
      name: stringOf(name) || 'Unnamed',
      type: stateType(stringOf(type)),
    })),
  })
  if (team.issueEstimationType === 'tShirt') sized.add(key)
}

function personOf(value: unknown, { people }: LinearData): string | undefined {
  if (!isObject(value)) return undefined
  const [id, name, email] = [value.id, value.name, value.email].map(stringOf)
  return addPerson(people, { id, name, email })
}

/** The points behind the sizes XS to XL, and our sizes. */
const SIZES: Record<number, number> = { 1: 2, 2: 3, 3: 4, 5: 5, 8: 6 }

function issueOf(json: Json, data: LinearData, sized: ReadonlySet<string>): Issue | undefined {
  const id = stringOf(json.identifier)
  const team = isObject(json.team) ? stringOf(json.team.key) : id.replace(/-\d+$/, '')
  if (!/-\d+$/.test(id) || !team) return undefined
  const state = objectOf(json.state)
  addUsedState(team, state, data)
  const size = sized.has(team) ? SIZES[Number(json.estimate)] : undefined
  return {
    id,
    uuid: stringOf(json.id),
    team,
    title: stringOf(json.title),
    description: stringOf(json.description),
    state: stringOf(state.name) || 'Unnamed',
    priority: [1, 2, 3, 4].find((priority) => priority === json.priority) ?? 0,
    ...(size && { size }),
    labels: nodesOf(json.labels).flatMap(labelOf),
    assignee: personOf(json.assignee, data) ?? personOf(json.delegate, data),
    creator: personOf(json.creator, data),
    created: momentOf(json.createdAt),
    updated: momentOf(json.updatedAt),
    completed: momentOf(json.completedAt),
    isClosed: Boolean(json.canceledAt),
    isArchived: Boolean(json.archivedAt),
    due: dayOf(json.dueDate),
    parent: isObject(json.parent) ? stringOf(json.parent.identifier) : '',
    values: valuesOf(json, size),
    blocks: relatedBy(json, (type) => type === 'blocks'),
    blockedBy: [],
    related: relatedBy(json, (type) => type !== 'blocks'),
    ...attachmentsOf(json, data),
    comments: commentsOf(json.comments, data),
  }
}

const relatedBy = ({ relations }: Json, isKind: (type: string) => boolean): string[] =>
  nodesOf(relations)
    .filter(({ type }) => isKind(stringOf(type)))
    .map(({ relatedIssue }) => (isObject(relatedIssue) ? stringOf(relatedIssue.identifier) : ''))
    .filter(Boolean)

/** Only uploads are files; other attachments are links to pages of other products. */
function attachmentsOf(json: Json, data: LinearData): Pick<Issue, 'links' | 'files'> {
  const attachments = nodesOf(json.attachments).filter(({ url }) => stringOf(url))
  return {
    links: attachments.filter((file) => !isUpload(file)).map(linkOf),
    files: attachments.filter(isUpload).map((file) => fileOf(file, data)),
  }
}

function addUsedState(key: string, state: Json, { teams }: LinearData): void {
  const team = teams.get(key) ?? { key, name: key, states: [] }
  teams.set(key, team)
  const name = stringOf(state.name) || 'Unnamed'
  if (!team.states.some((known) => known.name.toLowerCase() === name.toLowerCase()))
    team.states.push({ name, type: stateType(stringOf(state.type)) })
}

/** A label of a group is written as Linear itself writes it: group/label. */
function labelOf({ name, color, parent }: Json): Issue['labels'] {
  const own = stringOf(name)
  const group = nameOf(parent)
  if (!own) return []
  return [{ name: group ? `${group}/${own}` : own, color: stringOf(color) }]
}

const isUpload = ({ url }: Json) => stringOf(url).startsWith('https://uploads.linear.app/')

function linkOf({ title, subtitle, url }: Json) {
  const words = [stringOf(title), stringOf(subtitle)].filter(Boolean).join(', ')
  return { title: words.replace(/\s+/g, ' ') || stringOf(url), url: stringOf(url) }
}

function fileOf({ id, title, url, creator, createdAt }: Json, data: LinearData) {
  const address = stringOf(url)
  return {
    id: stringOf(id) || address,
    name: stringOf(title) || address.split('/').at(-1)!,
    url: address,
    author: personOf(creator, data),
    created: momentOf(createdAt),
  }
}

/** From old to new, so that replies follow the comment that they answer. */
function commentsOf(value: unknown, data: LinearData): IssueComment[] {
  const comments = nodesOf(value).map((comment) => {
    const quote = stringOf(comment.quotedText)
    return {
      id: stringOf(comment.id) || stringOf(comment.createdAt),
      author: [comment.user, comment.externalUser, comment.botActor]
        .map((author) => personOf(author, data))
        .find(Boolean),
      text: (quote ? `${quote.replace(/^/gm, '> ')}\n\n` : '') + stringOf(comment.body),
      created: momentOf(comment.createdAt),
      edited: momentOf(comment.editedAt),
      replyTo: isObject(comment.parent) ? stringOf(comment.parent.id) : undefined,
    }
  })
  return comments
    .filter(({ id }) => id)
    .sort((a, b) => Date.parse(a.created ?? '') - Date.parse(b.created ?? '') || 0)
}

function valuesOf(json: Json, size: number | undefined) {
  const values: Issue['values'] = []
  const add = (
    name: string,
    value: string | number | undefined,
    type: 'number' | 'text' | 'select' | 'date',
  ) => void (value && values.push({ name, value, type }))
  const cycle = objectOf(json.cycle)
  const number = stringOf(cycle.number)
  add('Estimate', size ? 0 : Number(json.estimate) || 0, 'number')
  add('Cycle', stringOf(cycle.name) || (number && `Cycle ${number}`), 'select')
  add('Duplicate of', relatedBy(json, (type) => type === 'duplicate').join(', '), 'text')
  add('Project', nameOf(json.project), 'select')
  add('Cycle Start', dayOf(cycle.startsAt), 'date')
  add('Cycle End', dayOf(cycle.endsAt), 'date')
  add('Started', dayOf(json.startedAt), 'date')
  add('Triaged', dayOf(json.triagedAt), 'date')
  add('Project Milestone', nameOf(json.projectMilestone), 'select')
  add('SLA breach', dayOf(json.slaBreachesAt), 'date')
  add('Snoozed until', dayOf(json.snoozedUntilAt), 'date')
  const former = Array.isArray(json.previousIdentifiers) ? json.previousIdentifiers : []
  add('Earlier ids', former.map(stringOf).join(', '), 'text')
  return values
}
