import type { Board, ImportRecord, Task } from '../../record.ts'
import type { Report } from '../../source.ts'
import {
  type FieldPlans,
  fieldsOf,
  longValuesOf,
  planFields,
  valuesOf,
} from '../shared/field-plans.ts'
import { parentsFirst, parentsOf } from '../shared/task-tree.ts'
import { cut, cutText, titleOf, uniqueIds } from '../shared/text-limits.ts'
import { type Columns, columnsOf } from './columns.ts'
import { descriptionOf, markdownOf } from './description.ts'
import { htmlDescription, isHtml } from './html.ts'
import type { Issue, JiraData, RichText } from './issue.ts'
import type { WikiContext } from './wiki-inline.ts'

/** What the records of one import share. */
interface Job {
  data: JiraData
  report: Report
  keys: ReadonlyMap<string, Issue>
  parents: ReadonlyMap<string, string>
  boards: ReadonlyMap<string, { columns: Columns; plans: FieldPlans }>
  unique: (id: string) => string
}

export function* recordsOf(data: JiraData, report: Report): Generator<ImportRecord> {
  const projects = Map.groupBy(data.issues, ({ project }) => project.key)
  const [first] = projects.values()
  const isOne = projects.size === 1
  const title = isOne ? first![0]!.project.name : 'Jira'
  yield {
    origin: { id: isOne ? `jira:${first![0]!.project.key}` : 'jira', title: cut(title, 500) },
  }
  const job = jobOf(data, projects, report)
  registerAuthors(data)
  for (const person of data.people.values()) yield { person }
  for (const [key, issues] of projects) yield { board: boardOf(key, issues, job) }
  const tasks = data.issues.map((issue) => ({ ...issue, id: issue.key, issue }))
  for (const { issue } of parentsFirst(tasks, job.parents)) yield* issueRecords(issue, job)
  yield* relationsOf(data.issues, job)
}

function jobOf(data: JiraData, projects: Map<string, Issue[]>, report: Report): Job {
  const keys = new Map(data.issues.map((issue) => [issue.key, issue]))
  const ids = new Map(data.issues.map((issue) => [issue.id, issue.key]))
  ids.delete('')
  for (const issue of data.issues) issue.parent = ids.get(issue.parent ?? '') ?? issue.parent
  const tree = data.issues.map(({ key, project, parent }) => ({
    id: key,
    board: project.key,
    parent,
  }))
  const parents = parentsOf(tree, report.lose)
  for (const issue of data.issues)
    if (issue.parent && !parents.has(issue.key)) {
      const title = issue.parentTitle ?? keys.get(issue.parent)?.summary ?? ''
      const value = [issue.parent, title].filter(Boolean).join(' ').replace(/\s+/g, ' ')
      issue.values.push({ name: 'Parent', value: cut(value, 1000), type: 'text' })
    }
  const boards = new Map(
    [...projects].map(([key, issues]) => [
      key,
      { columns: columnsOf(issues, data.statuses.get(key), report), plans: planFields(issues) },
    ]),
  )
  return { data, report, keys, parents, boards, unique: uniqueIds() }
}

/** People who are known only as authors, by their account or user name. */
function registerAuthors({ issues, people }: JiraData): void {
  for (const { comments, worklogs, files } of issues)
    for (const { author } of [...comments, ...worklogs, ...files])
      if (author && !people.has(author)) people.set(author, { id: author, name: cut(author, 200) })
}

function boardOf(key: string, issues: readonly Issue[], { boards }: Job): Board {
  const { columns, plans } = boards.get(key)!
  const { name, description, lead } = issues[0]!.project
  const text = [description, lead && `Project lead: ${lead}`].filter(Boolean).join('\n\n')
  const labels = new Set(issues.flatMap(labelsOf))
  return {
    id: cut(key, 500),
    title: cut(name, 200),
    ...(/^[A-Z][A-Z0-9]{1,9}$/.test(key) && { key }),
    ...(text && { description: text }),
    columns: columns.list,
    labels: [...labels].slice(0, 10_000).map((label) => ({ name: label })),
    fields: fieldsOf(plans),
  }
}

const labelsOf = ({ labels }: Issue): string[] => [
  ...new Set(labels.filter((label) => label.trim()).map((label) => cut(label.trim(), 100))),
]

function contextOf(issue: Issue, { data, keys }: Job): WikiContext {
  const urls = new Map(issue.files.map(({ name, url }) => [name, url]))
  return {
    person: (id) => data.people.get(id)?.name,
    attachment: (name) => urls.get(name),
    isImported: (key) => keys.has(key),
  }
}

function* issueRecords(issue: Issue, job: Job): Generator<ImportRecord> {
  const context = contextOf(issue, job)
  yield { task: taskOf(issue, job, context) }
  const { key } = issue
  const ids = new Map<string, string>()
  for (const comment of issue.comments) {
    const { author, created, edited } = comment
    const id = job.unique(comment.id ?? `${key} comment ${created ?? ''} ${author ?? ''}`)
    const reply = ids.get(comment.replyTo ?? '')
    if (comment.id) ids.set(comment.id, id)
    const text = markdown(comment.text, `A comment of ${key}`, job, context)
    if (!text) continue
    yield {
      comment: {
        id,
        task: key,
        text,
        content_type: 'html' in comment.text ? 'html' : 'markdown',
        ...(author && { author }),
        ...(created && { created_at: created }),
        ...(edited && edited !== created && { edited_at: edited }),
        ...(reply && { reply_to: reply }),
      },
    }
  }
  yield* filesOf(issue, job)
  yield* timeOf(issue, job, context)
}

function* filesOf({ key, files }: Issue, { unique }: Job): Generator<ImportRecord> {
  for (const { id, name, url, type, author, created } of files)
    yield {
      attachment: {
        id: unique(id ?? `${key} file ${name} ${created ?? ''}`),
        task: key,
        filename: cut(name, 255),
        url: cut(url, 2000),
        ...(type && { content_type: type }),
        ...(author && { created_by: author }),
        ...(created && { created_at: created }),
      },
    }
}

function* timeOf(issue: Issue, job: Job, context: WikiContext): Generator<ImportRecord> {
  const { key, worklogs } = issue
  for (const { id, author, day, seconds, note } of worklogs) {
    const minutes = Math.round(seconds / 60)
    if (!author || minutes < 1) {
      job.report.lose(`A work log of ${key}`, author ? 'It has no time' : 'It has no author')
      continue
    }
    const text = note && cut(markdownOf(note, context), 10_000)
    yield {
      time_entry: {
        id: job.unique(id ?? `${key} time ${day} ${author} ${seconds}`),
        task: key,
        who: author,
        minutes: Math.min(minutes, 1_000_000),
        day,
        ...(text && { note: text }),
      },
    }
  }
}

const markdown = (text: RichText, name: string, job: Job, context: WikiContext) =>
  cutText(markdownOf(text, context), name, job.report.lose)

function taskOf(issue: Issue, job: Job, context: WikiContext): Task {
  const { key } = issue
  const { columns, plans } = job.boards.get(issue.project.key)!
  const head: string[] = []
  const title = titleOf(issue.summary || key, head)
  const texts = [
    ...issue.sections,
    ...longValuesOf(issue, plans).map(({ name, value }) => ({
      title: name,
      text: { wiki: String(value) },
    })),
  ]
  const isOfHtml = isHtml(issue)
  const describe = isOfHtml ? htmlDescription : descriptionOf
  const description = cutText(
    describe(issue, texts, context, head),
    `Description of ${key}`,
    job.report.lose,
  )
  const column = columns.of(issue.status)
  const labels = labelsOf(issue)
  const fields = valuesOf(issue, plans)
  const parent = job.parents.get(key)
  const completed = column.done ? (issue.resolved ?? issue.updated) : undefined
  return {
    id: key,
    board: issue.project.key,
    column: column.title,
    title,
    ...(key.length <= 50 && { key }),
    ...(description && { description, content_type: isOfHtml ? 'html' : 'markdown' }),
    ...(issue.priority && { priority: cut(issue.priority, 100) }),
    ...(issue.start && { start_date: issue.start }),
    ...(issue.due && { due_date: issue.due }),
    ...(labels.length && { labels }),
    ...(issue.assignee && { assignees: [issue.assignee] }),
    ...(parent && { parent }),
    ...(fields?.length && { fields }),
    ...(issue.creator && { created_by: issue.creator }),
    ...(issue.created && { created_at: issue.created }),
    ...(issue.updated && { updated_at: issue.updated }),
    ...(completed && { completed_at: completed }),
  }
}

/** Each link once, although both of its tasks name it. */
function* relationsOf(issues: readonly Issue[], { keys, parents }: Job): Generator<ImportRecord> {
  const seen = new Set<string>()
  for (const { key, links } of issues)
    for (const link of links) {
      const other = link.key
      if (!keys.has(other) || other === key) continue
      const kind = link.kind.startsWith('block') ? 'blocks' : 'related'
      const isFamily = parents.get(key) === other || parents.get(other) === key
      if (isFamily && kind === 'related') continue
      const isForward = link.kind === 'blocked by' ? false : kind === 'blocks' || key < other
      const [first, second] = isForward ? [key, other] : [other, key]
      const id = `${kind} ${first} ${second}`
      if (seen.has(id)) continue
      seen.add(id)
      yield { relation: { kind, first, second } }
    }
}
