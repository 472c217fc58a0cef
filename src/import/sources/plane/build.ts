import type { Column, Task } from '../../record.ts'
import type { Report } from '../../source.ts'
import type { BoardDraft } from '../shared/board-draft.ts'
import { numberOf, stringOf } from '../shared/json.ts'
import { RecordCollector } from '../shared/record-collector.ts'
import { linkHtml, linkMarkdown, type References } from '../shared/references.ts'
import { cut, escapeHtml, type TypedValue } from '../shared/task-limits.ts'
import { dayOrMomentOf, momentOf } from '../shared/times.ts'
import type { PlaneFiles } from './files.ts'
import { memberName, type PlaneItem } from './item.ts'

const PRIORITIES = ['none', 'urgent', 'high', 'medium', 'low']
const SIZES = ['', '', 'xs', 's', 'm', 'l', 'xl']
const DONE = /^(done|completed?|closed|finished|shipped|released|resolved)$/i
const CANCELLED = /^cancell?ed$/i
const EMPTY = /^<p[^>]*>\s*<\/p>$/

interface PlaneBoard {
  board: BoardDraft
  /** Tasks in these columns are archived. */
  cancelled: Set<string>
}

interface Context {
  files: PlaneFiles
  references: References
  records: RecordCollector
  report: Report
}

/** Collects the boards and tasks: one board for each project. */
export function collect(files: PlaneFiles, report: Report): RecordCollector {
  const projects = new Map(files.items.map(({ project, projectName }) => [project, projectName]))
  if (!projects.size) projects.set(stringOf(files.project.identifier), stringOf(files.project.name))
  const [[only, name]] = [...projects] as [[string, string]]
  const isOne = projects.size === 1
  const origin = {
    id: isOne ? `plane ${only || 'project'}` : 'plane',
    title: (isOne && (name || only)) || 'Plane',
  }
  const records = new RecordCollector(origin, report, 'drop')
  for (const member of files.members)
    records.person(stringOf(member.id), memberName(member), stringOf(member.email))
  const boards = new Map(
    [...projects].map(([project, title]) => [project, boardOf(project, title, files, records)]),
  )
  const context = { files, references: referencesOf(files), records, report }
  for (const item of files.items) addItem(item, boards.get(item.project)!, context)
  return records
}

function referencesOf({ items }: PlaneFiles): References {
  const byUuid = new Map(items.map(({ uuid, id }) => [uuid, id]))
  const ids = new Set(items.map(({ id }) => id))
  return {
    byUrl: (url) => {
      const [, uuid] = /\/(?:issues|work-items)\/([0-9a-f-]{36})\/?(?:[?#].*)?$/.exec(url) ?? []
      const [, key] = /\/browse\/([^/?#]+-\d+)\/?(?:[?#].*)?$/.exec(url) ?? []
      return key && ids.has(key) ? key : uuid && byUuid.get(uuid)
    },
  }
}

function boardOf(
  project: string,
  name: string,
  files: PlaneFiles,
  records: RecordCollector,
): PlaneBoard {
  const key = /^[A-Z][A-Z0-9]{1,9}$/.test(project) ? project : undefined
  const description = stringOf(files.project.description)
  const title = name || project || 'Plane'
  const board = records.board(project || 'project', title, { key, description })
  for (const { name, color } of files.labels) board.label(stringOf(name), stringOf(color))
  const cancelled = new Set<string>()
  for (const { title, ...column } of columnsOf(project, files)) {
    const added = board.column(title, column)
    if (CANCELLED.test(title)) cancelled.add(added)
  }
  for (const { name, group } of files.states)
    if (group === 'cancelled') cancelled.add(cut(stringOf(name), 200))
  return { board, cancelled }
}

/** Exports do not say the order of states; this is the one of a new project. */
const STATES = ['backlog', 'todo', 'in progress', '', 'done', 'cancelled']
const orderOf = (title: string) => {
  const at = STATES.indexOf(title.toLowerCase())
  return at < 0 ? STATES.indexOf('') : at
}

/** Without the states of the API, the items and the names of their states tell the columns. */
function columnsOf(project: string, { states, items }: PlaneFiles): Column[] {
  const own = items.filter((item) => item.project === project).map(stateOf)
  if (!states.length)
    return [...new Set(own.length ? own : ['Backlog'])]
      .toSorted((one, other) => orderOf(one) - orderOf(other))
      .map((title) => ({ title, ...(DONE.test(title) && { done: true }) }))
  return states
    .filter(({ name, group }) => stringOf(name) && group !== 'triage')
    .toSorted((one, other) => (numberOf(one.sequence) ?? 0) - (numberOf(other.sequence) ?? 0))
    .map(({ name, group }) => ({ title: stringOf(name), done: group === 'completed' }))
}

const stateOf = ({ state }: PlaneItem) => state || 'Backlog'

function addItem(item: PlaneItem, { board, cancelled }: PlaneBoard, context: Context): void {
  const { records, references, report } = context
  const { id } = item
  const column = board.column(stateOf(item))
  const person = (one: { id: string; name: string }) => records.person(one.id, one.name)
  records.task({
    id,
    board: board.id,
    column,
    title: item.title,
    description: descriptionOf(item, references),
    content_type: item.isHtml ? 'html' : 'markdown',
    key: cut(id, 50),
    parent: item.parent || undefined,
    priority: priorityOf(item.priority),
    ...estimateOf(item),
    start_date: dayOrMomentOf(item.start),
    due_date: dayOrMomentOf(item.due),
    labels: item.labels.flatMap((name) => board.label(name) ?? []),
    assignees: item.assignees.flatMap((one) => person(one) ?? []),
    created_by: person(item.author),
    created_at: momentOf(item.created),
    updated_at: momentOf(item.updated),
    completed_at: board.isDone(column) ? momentOf(item.completed) : undefined,
    archived: item.isArchived || cancelled.has(column) || undefined,
  })
  for (const { type, to } of item.relations) relate(records, type, id, to)
  for (const comment of item.comments)
    records.comment({
      id: comment.id,
      task: id,
      text: (comment.isHtml ? linkHtml : linkMarkdown)(comment.text, references),
      content_type: comment.isHtml ? 'html' : 'markdown',
      author: person(comment.author),
      created_at: momentOf(comment.created),
      edited_at: momentOf(comment.edited),
    })
  addFiles(item, context.files, records, report)
}

function priorityOf(word: string): Task['priority'] {
  const at = PRIORITIES.indexOf(word.toLowerCase())
  return at < 0 ? cut(word, 100) || undefined : at
}

function estimateOf(item: PlaneItem): { estimate?: number; fields: TypedValue[] } {
  const size = item.estimate ? SIZES.indexOf(item.estimate.toLowerCase()) : -1
  const number = numberOf(item.estimate)
  const fields: TypedValue[] = [
    { name: 'Module', type: 'select', value: item.modules.join(', ') },
    { name: 'Cycle', type: 'select', value: item.cycles.join(', ') },
    { name: 'Type', type: 'select', value: item.type },
    { name: 'Draft', type: 'checkbox', value: item.isDraft || '' },
  ]
  if (size > 1) return { estimate: size, fields }
  const estimate: TypedValue =
    number === undefined
      ? { name: 'Estimate', type: 'select', value: item.estimate }
      : { name: 'Estimate', type: 'number', value: number }
  return { fields: [estimate, ...fields] }
}

function descriptionOf(item: PlaneItem, references: References): string {
  const { links, isHtml } = item
  const text = EMPTY.test(item.description) ? '' : item.description
  if (!isHtml) {
    const list = links.map(({ url, title }) => `- ${title === url ? url : `[${title}](${url})`}`)
    const section = list.length ? `## Links\n\n${list.join('\n')}` : ''
    return [linkMarkdown(text, references), section].filter(Boolean).join('\n\n')
  }
  const list = links.map(
    ({ url, title }) =>
      `<li><a href="${escapeHtml(url).replaceAll('"', '&quot;')}">${escapeHtml(title)}</a></li>`,
  )
  const section = list.length ? `<h2>Links</h2><ul>${list.join('')}</ul>` : ''
  return linkHtml(text, references) + section
}

function relate(records: RecordCollector, type: string, from: string, to: string): void {
  if (!to) return
  if (type === 'blocked_by' || type === 'start_after' || type === 'finish_after')
    records.relation('blocks', to, from)
  else if (type === 'blocking' || type === 'start_before' || type === 'finish_before')
    records.relation('blocks', from, to)
  else records.relation('related', from, to)
}

function addFiles(
  { id, attachments }: PlaneItem,
  files: PlaneFiles,
  records: RecordCollector,
  report: Report,
): void {
  for (const file of attachments) {
    const asset = files.assets.get(file.id)
    if (!asset && !/^https?:/.test(file.url)) report.lose('A file', 'It is not in the download')
    else
      records.attachment({
        id: file.id,
        task: id,
        filename: file.name,
        content_type: file.type,
        created_at: momentOf(file.created),
        ...(asset ? { bytes: () => asset.bytes() } : { url: file.url }),
      })
  }
}
