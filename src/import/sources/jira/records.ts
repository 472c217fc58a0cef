import type { Report } from '../../source.ts'
import { longFields } from '../shared/field-types.ts'
import { RecordCollector } from '../shared/record-collector.ts'
import { cut } from '../shared/task-limits.ts'
import { type Columns, columnsOf } from './columns.ts'
import { descriptionOf, markdownOf } from './description.ts'
import { htmlDescription, isHtml } from './html.ts'
import type { Issue, JiraData } from './issue.ts'
import type { WikiContext } from './wiki-inline.ts'

interface Context {
  data: JiraData
  keys: ReadonlyMap<string, Issue>
  records: RecordCollector
}

export function collect(data: JiraData, report: Report): RecordCollector {
  const projects = Map.groupBy(data.issues, ({ project }) => project.key)
  const [first] = projects.values()
  const { key, name } = first![0]!.project
  const isOne = projects.size === 1
  const origin = isOne ? { id: `jira:${key}`, title: name } : { id: 'jira', title: 'Jira' }
  const records = new RecordCollector(origin, report)
  for (const { id, name, email } of data.people.values()) records.person(id, name, email)
  const keys = new Map(data.issues.map((issue) => [issue.key, issue]))
  setParents(data.issues, keys)
  const context = { data, keys, records }
  for (const [key, issues] of projects) addProject(key, issues, context)
  for (const { key, parent, links } of data.issues)
    for (const link of links) {
      const { kind } = link
      const isFamily = parent === link.key || keys.get(link.key)?.parent === key
      if (!keys.has(link.key) || (isFamily && !kind.startsWith('block'))) continue
      if (kind === 'blocked by') records.relation('blocks', link.key, key)
      else records.relation(kind === 'blocks' ? 'blocks' : 'related', key, link.key)
    }
  return records
}

/** A parent in another project, or that is not imported, becomes a custom field. */
function setParents(issues: readonly Issue[], keys: ReadonlyMap<string, Issue>): void {
  const ids = new Map(issues.map((issue) => [issue.id, issue.key]))
  ids.delete('')
  for (const issue of issues) {
    if (!issue.parent) continue
    issue.parent = ids.get(issue.parent) ?? issue.parent
    const parent = keys.get(issue.parent)
    if (parent?.project.key === issue.project.key) continue
    const title = issue.parentTitle ?? parent?.summary ?? ''
    const value = [issue.parent, title].filter(Boolean).join(' ').replace(/\s+/g, ' ')
    issue.values.push({ name: 'Parent', value: cut(value, 1000), type: 'text' })
    issue.parent = undefined
  }
}

function addProject(key: string, issues: readonly Issue[], context: Context): void {
  const { data, records } = context
  const { name, description, lead } = issues[0]!.project
  const board = records.board(key, name, {
    key: /^[A-Z][A-Z0-9]{1,9}$/.test(key) ? key : undefined,
    description: [description, lead && `Project lead: ${lead}`].filter(Boolean).join('\n\n'),
  })
  const columns = columnsOf(issues, data.statuses.get(key), records.report)
  for (const { title, ...column } of columns.list) board.column(title, column)
  const long = longFields(issues.flatMap(({ values }) => values))
  for (const issue of issues) addIssue(issue, board.id, columns, long, context)
}

function contextOf(issue: Issue, { data, keys }: Context): WikiContext {
  const urls = new Map(issue.files.map(({ name, url }) => [name, url]))
  return {
    person: (id) => data.people.get(id)?.name,
    attachment: (name) => urls.get(name),
    isImported: (key) => keys.has(key),
  }
}

function addIssue(
  issue: Issue,
  board: string,
  columns: Columns,
  long: ReadonlySet<string>,
  context: Context,
): void {
  const { records } = context
  const { key } = issue
  const wiki = contextOf(issue, context)
  const describe = isHtml(issue) ? htmlDescription : descriptionOf
  const texts = issue.values
    .filter(({ name }) => long.has(name))
    .map(({ name, value }) => ({ title: name, text: { wiki: String(value) } }))
  const { title: column, done } = columns.of(issue.status)
  records.task({
    id: key,
    board,
    column,
    title: issue.summary || key,
    key,
    description: describe(issue, [...issue.sections, ...texts], wiki),
    content_type: isHtml(issue) ? 'html' : 'markdown',
    priority: issue.priority,
    start_date: issue.start,
    due_date: issue.due,
    labels: issue.labels,
    assignees: issue.assignee ? [issue.assignee] : [],
    parent: issue.parent || undefined,
    fields: issue.values.filter(({ name }) => !long.has(name)),
    created_by: issue.creator,
    created_at: issue.created,
    updated_at: issue.updated,
    completed_at: done ? (issue.resolved ?? issue.updated) : undefined,
  })
  addComments(issue, wiki, records)
  addFiles(issue, records)
  addTimes(issue, wiki, records)
}

function addFiles({ key, files }: Issue, records: RecordCollector): void {
  for (const { id, name, author, type, created, url } of files)
    records.attachment({
      id: id ?? `${key} file ${name} ${created ?? ''}`,
      task: key,
      filename: name,
      url,
      content_type: type,
      created_by: author && records.person(author),
      created_at: created,
    })
}

function addTimes({ key, worklogs }: Issue, wiki: WikiContext, records: RecordCollector): void {
  for (const { id, author, day, seconds, note } of worklogs)
    records.time({
      id: id ?? `${key} time ${day} ${author} ${seconds}`,
      task: key,
      who: author && records.person(author),
      day,
      seconds,
      note: note && markdownOf(note, wiki),
    })
}

function addComments({ key, comments }: Issue, wiki: WikiContext, records: RecordCollector): void {
  const ids = new Map<string, string>()
  for (const { id, author, created, edited, replyTo, text } of comments) {
    const added = records.comment({
      id: id ?? `${key} comment ${created ?? ''} ${author ?? ''}`,
      task: key,
      text: markdownOf(text, wiki),
      content_type: 'html' in text ? 'html' : 'markdown',
      author: author && records.person(author),
      created_at: created,
      edited_at: edited === created ? undefined : edited,
      reply_to: ids.get(replyTo ?? ''),
    })
    if (id && added) ids.set(id, added)
  }
}
