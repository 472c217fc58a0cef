import type { Board, Column, ImportRecord, Task } from '../../record.ts'
import { type Report, taskLink } from '../../source.ts'
import {
  type FieldPlans,
  fieldsOf,
  longValuesOf,
  planFields,
  valuesOf,
} from '../shared/field-plans.ts'
import { parentsFirst, parentsOf } from '../shared/task-tree.ts'
import { cut, cutText, titleOf, uniqueIds } from '../shared/text-limits.ts'
import { type Issue, type LinearData, STATE_TYPES, type Team } from './issue.ts'

/** What the records of one import share. */
interface Job {
  ids: ReadonlySet<string>
  parents: ReadonlyMap<string, string>
  plans: ReadonlyMap<string, FieldPlans>
  columns: ReadonlyMap<string, Column[]>
  unique: (id: string) => string
  report: Report
}

export function* recordsOf(data: LinearData, report: Report): Generator<ImportRecord> {
  const { people, issues } = data
  const byTeam = Map.groupBy(issues, ({ team }) => team)
  const teams = [...data.teams.values()]
  const [first] = teams
  const isOne = teams.length === 1
  yield {
    origin: isOne
      ? { id: `linear:${first!.key}`, title: cut(first!.name, 500) }
      : { id: 'linear', title: 'Linear' },
  }
  const parents = resolveParents(issues, report)
  const job: Job = {
    ids: new Set(issues.map(({ id }) => id)),
    parents,
    plans: new Map(teams.map(({ key }) => [key, planFields(byTeam.get(key) ?? [])])),
    columns: new Map(teams.map((team) => [team.key, columnsOf(team)])),
    unique: uniqueIds(),
    report,
  }
  for (const person of people.values()) yield { person }
  for (const team of teams) yield { board: boardOf(team, byTeam.get(team.key) ?? [], job) }
  for (const issue of parentsFirst(issues, parents)) yield* issueRecords(issue, job)
  yield* relationsOf(issues, job)
}

function resolveParents(issues: readonly Issue[], report: Report): Map<string, string> {
  const ids = new Map(issues.map(({ uuid, id }) => [uuid, id]))
  const titles = new Map(issues.map(({ id, title }) => [id, title]))
  ids.delete('')
  for (const issue of issues) issue.parent = ids.get(issue.parent ?? '') ?? issue.parent
  const tree = issues.map(({ id, team, parent }) => ({ id, board: team, parent }))
  const parents = parentsOf(tree, report.lose)
  for (const { id, parent, values } of issues)
    if (parent && !parents.has(id)) {
      const value = cut([parent, titles.get(parent)].filter(Boolean).join(' '), 1000)
      values.push({ name: 'Parent issue', value, type: 'text' })
    }
  return parents
}

function columnsOf({ states }: Team): Column[] {
  const sorted = states.toSorted(
    (a, b) => STATE_TYPES.indexOf(a.type) - STATE_TYPES.indexOf(b.type),
  )
  const titles = new Set<string>()
  const columns: Column[] = []
  for (const { name, type } of sorted) {
    const title = cut(name, 200)
    if (titles.has(title.toLowerCase()) || columns.length === 99) continue
    titles.add(title.toLowerCase())
    columns.push({ title, ...(type === 'completed' && { done: true }) })
  }
  if (!columns.some(({ done }) => done)) columns.push({ title: 'Done', done: true })
  return columns
}

function boardOf(team: Team, issues: readonly Issue[], { plans, columns }: Job): Board {
  const labels = new Map<string, { name: string; color?: string }>()
  for (const { name, color } of issues.flatMap((issue) => issue.labels)) {
    const isColor = /^#[0-9a-f]{6}$/i.test(color ?? '')
    const label = cut(name, 100)
    if (!labels.has(label)) labels.set(label, { name: label, ...(isColor && { color }) })
  }
  const isKey = /^[A-Z][A-Z0-9]{1,9}$/.test(team.key)
  return {
    id: team.key,
    title: cut(team.name, 200),
    ...(isKey && { key: team.key }),
    ...(team.description && { description: team.description }),
    columns: columns.get(team.key)!,
    labels: [...labels.values()].slice(0, 10_000),
    fields: fieldsOf(plans.get(team.key)!),
  }
}

function* issueRecords(issue: Issue, job: Job): Generator<ImportRecord> {
  yield { task: taskOf(issue, job) }
  const ids = new Map<string, string>()
  for (const { id, author, text, created, edited, replyTo } of issue.comments) {
    if (!text.trim()) continue
    const unique = job.unique(id)
    const reply = ids.get(replyTo ?? '')
    ids.set(id, unique)
    yield {
      comment: {
        id: unique,
        task: issue.id,
        text: linked(cutText(text, `A comment of ${issue.id}`, job.report.lose), job),
        content_type: 'markdown',
        ...(author && { author }),
        ...(created && { created_at: created }),
        ...(edited && { edited_at: edited }),
        ...(reply && { reply_to: reply }),
      },
    }
  }
  for (const { id, name, url, author, created } of issue.files)
    yield {
      attachment: {
        id: job.unique(id),
        task: issue.id,
        filename: cut(name, 255),
        url,
        ...(author && { created_by: author }),
        ...(created && { created_at: created }),
      },
    }
}

const ISSUE_ADDRESS =
  /(\]\(<?)?https:\/\/linear\.app\/[^/\s]+\/issue\/([A-Z0-9_]+-\d+)(?:\/[^\s)\]>"'#?]*)?(?![#?])/g

/** Addresses of imported issues become links to their tasks. */
const linked = (text: string, { ids }: Job) =>
  text.replace(ISSUE_ADDRESS, (address, start: string | undefined, id: string) => {
    if (!ids.has(id)) return address
    return start ? `${start}${taskLink(id)}` : `[${id}](${taskLink(id)})`
  })

function descriptionOf(issue: Issue, job: Job, head: readonly string[]): string {
  const links = issue.links.map(
    ({ title, url }) => `- [${title.replace(/[[\]]/g, '\\$&')}](<${url}>)`,
  )
  const texts = longValuesOf(issue, job.plans.get(issue.team)!)
  const parts = [
    ...head,
    issue.description.trim(),
    ...texts.map(({ name, value }) => `## ${name}\n\n${value}`),
    links.length ? `## Links\n\n${links.join('\n')}` : '',
  ]
  const text = linked(parts.filter(Boolean).join('\n\n'), job)
  return cutText(text, `Description of ${issue.id}`, job.report.lose)
}

function taskOf(issue: Issue, job: Job): Task {
  const { id, team } = issue
  const head: string[] = []
  const title = titleOf(issue.title || id, head)
  const description = descriptionOf(issue, job, head)
  const columns = job.columns.get(team)!
  const state = cut(issue.state, 200).toLowerCase()
  const column = columns.find((found) => found.title.toLowerCase() === state) ?? columns[0]!
  const fields = valuesOf(issue, job.plans.get(team)!)
  const parent = job.parents.get(id)
  const labels = [...new Set(issue.labels.map(({ name }) => cut(name, 100)))]
  const completed = column.done ? (issue.completed ?? issue.updated) : undefined
  return {
    id,
    board: team,
    column: column.title,
    title,
    ...(id.length <= 50 && { key: id }),
    ...(description && { description, content_type: 'markdown' as const }),
    priority: issue.priority,
    ...(issue.size && { estimate: issue.size }),
    ...(issue.due && { due_date: issue.due }),
    ...(labels.length && { labels }),
    ...(issue.assignee && { assignees: [issue.assignee] }),
    ...(parent && { parent }),
    ...((issue.isArchived || issue.isClosed) && { archived: true }),
    ...(fields?.length && { fields }),
    ...(issue.creator && { created_by: issue.creator }),
    ...(issue.created && { created_at: issue.created }),
    ...(issue.updated && { updated_at: issue.updated }),
    ...(completed && { completed_at: completed }),
  }
}

/** Each relation once, although both of its issues may name it. */
function* relationsOf(issues: readonly Issue[], { ids, report }: Job): Generator<ImportRecord> {
  const seen = new Set<string>()
  for (const { id, blocks, blockedBy, related } of issues) {
    const all = [
      ...blocks.map((other) => ['blocks', id, other] as const),
      ...blockedBy.map((other) => ['blocks', other, id] as const),
      ...related.map((other) => ['related', ...([id, other].sort() as [string, string])] as const),
    ]
    for (const [kind, first, second] of all) {
      if (seen.has(`${kind} ${first} ${second}`) || first === second) continue
      seen.add(`${kind} ${first} ${second}`)
      if (ids.has(first) && ids.has(second)) yield { relation: { kind, first, second } }
      else report.lose(`Relation of ${first} and ${second}`, 'One of them is not imported')
    }
  }
}
