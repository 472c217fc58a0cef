import type { Column } from '../../record.ts'
import { type Report, taskLink } from '../../source.ts'
import { longFields } from '../shared/field-types.ts'
import { RecordCollector } from '../shared/record-collector.ts'
import { cut, joinTexts } from '../shared/task-limits.ts'
import { type Issue, type LinearData, STATE_TYPES, type Team } from './issue.ts'

interface Context {
  ids: ReadonlySet<string>
  records: RecordCollector
}

export function collect({ people, teams, issues }: LinearData, report: Report): RecordCollector {
  const [first, ...others] = teams.values()
  const origin = others.length
    ? { id: 'linear', title: 'Linear' }
    : { id: `linear:${first!.key}`, title: first!.name }
  const records = new RecordCollector(origin, report)
  for (const { id, name, email } of people.values()) records.person(id, name, email)
  setParents(issues)
  const context = { ids: new Set(issues.map(({ id }) => id)), records }
  const byTeam = Map.groupBy(issues, ({ team }) => team)
  for (const team of teams.values()) addTeam(team, byTeam.get(team.key) ?? [], context)
  for (const { id, blocks, blockedBy, related } of issues) {
    for (const other of blocks) records.relation('blocks', id, other)
    for (const other of blockedBy) records.relation('blocks', other, id)
    for (const other of related) records.relation('related', id, other)
  }
  return records
}

/** A parent in another team, or that is not imported, becomes a custom field. */
function setParents(issues: readonly Issue[]): void {
  const ids = new Map(issues.map(({ uuid, id }) => [uuid, id]))
  const byId = new Map(issues.map((issue) => [issue.id, issue]))
  ids.delete('')
  for (const issue of issues) {
    if (!issue.parent) continue
    issue.parent = ids.get(issue.parent) ?? issue.parent
    const parent = byId.get(issue.parent)
    if (parent?.team === issue.team) continue
    const value = cut([issue.parent, parent?.title].filter(Boolean).join(' '), 1000)
    issue.values.push({ name: 'Parent issue', value, type: 'text' })
    issue.parent = undefined
  }
}

function columnsOf({ states }: Team): Column[] {
  const sorted = states.toSorted(
    (a, b) => STATE_TYPES.indexOf(a.type) - STATE_TYPES.indexOf(b.type),
  )
  const titles = new Set<string>()
  const columns: Column[] = []
  for (const { name, type } of sorted) {
    const title = cut(name, 200)
    if (titles.has(title.toLowerCase()) || columns.length === 49) continue
    titles.add(title.toLowerCase())
    columns.push({ title, ...(type === 'completed' && { done: true }) })
  }
  if (!columns.some(({ done }) => done)) columns.push({ title: 'Done', done: true })
  return columns
}

function addTeam(team: Team, issues: readonly Issue[], context: Context): void {
  const board = context.records.board(team.key, team.name, {
    key: /^[A-Z][A-Z0-9]{1,9}$/.test(team.key) ? team.key : undefined,
    description: team.description,
  })
  const columns = columnsOf(team)
  for (const { title, ...column } of columns) board.column(title, column)
  const long = longFields(issues.flatMap(({ values }) => values))
  for (const issue of issues) {
    for (const { name, color } of issue.labels) board.label(name, color)
    addIssue(issue, columns, long, context)
  }
}

function addIssue(
  issue: Issue,
  columns: readonly Column[],
  long: ReadonlySet<string>,
  { ids, records }: Context,
): void {
  const { id } = issue
  const state = cut(issue.state, 200).toLowerCase()
  const column = columns.find(({ title }) => title.toLowerCase() === state) ?? columns[0]!
  records.task({
    id,
    board: issue.team,
    column: column.title,
    title: issue.title || id,
    key: id,
    description: linked(descriptionOf(issue, long), ids),
    content_type: 'markdown',
    priority: issue.priority,
    estimate: issue.size || undefined,
    due_date: issue.due,
    labels: issue.labels.map(({ name }) => name),
    assignees: issue.assignee ? [issue.assignee] : [],
    parent: issue.parent || undefined,
    archived: issue.isArchived || issue.isClosed || undefined,
    fields: issue.values.filter(({ name }) => !long.has(name)),
    created_by: issue.creator,
    created_at: issue.created,
    updated_at: issue.updated,
    completed_at: column.done ? (issue.completed ?? issue.updated) : undefined,
  })
  addComments(issue, ids, records)
  for (const { name, author, created, ...file } of issue.files)
    records.attachment({
      ...file,
      task: id,
      filename: name,
      created_by: author,
      created_at: created,
    })
}

function addComments(issue: Issue, ids: ReadonlySet<string>, records: RecordCollector): void {
  const comments = new Map<string, string | undefined>()
  for (const { author, text, created, edited, replyTo, ...comment } of issue.comments) {
    const added = records.comment({
      id: comment.id,
      task: issue.id,
      text: linked(text, ids),
      content_type: 'markdown',
      author,
      created_at: created,
      edited_at: edited,
      reply_to: comments.get(replyTo ?? ''),
    })
    comments.set(comment.id, added)
  }
}

const ISSUE_ADDRESS =
  /(\]\(<?)?https:\/\/linear\.app\/[^/\s]+\/issue\/([A-Z0-9_]+-\d+)(?:\/[^\s)\]>"'#?]*)?(?![#?])/g

/** Addresses of imported issues become links to their tasks. */
const linked = (text: string, ids: ReadonlySet<string>) =>
  text.replace(ISSUE_ADDRESS, (address, start: string | undefined, id: string) => {
    if (!ids.has(id)) return address
    return start ? `${start}${taskLink(id)}` : `[${id}](${taskLink(id)})`
  })

function descriptionOf(issue: Issue, long: ReadonlySet<string>): string {
  const links = issue.links.map(
    ({ title, url }) => `- [${title.replace(/[[\]]/g, '\\$&')}](<${url}>)`,
  )
  const texts = issue.values.filter(({ name }) => long.has(name))
  return joinTexts(
    issue.description,
    ...texts.map(({ name, value }) => `## ${name}\n\n${value}`),
    links.length ? `## Links\n\n${links.join('\n')}` : '',
  )
}
