import type { Attachment, Board, Column, Comment, Task } from '../../record.ts'
import type { Report } from '../../source.ts'
import { withDone } from '../shared/columns.ts'
import { CustomFields } from '../shared/custom-fields.ts'
import { compact, numberOf, stringOf } from '../shared/json.ts'
import { Labels } from '../shared/labels.ts'
import { People } from '../shared/people.ts'
import { linkHtml, linkMarkdown, type References } from '../shared/references.ts'
import { Relations } from '../shared/relations.ts'
import { cut, escapeHtml, fitText, fitTitle } from '../shared/texts.ts'
import { dayOrMomentOf, momentOf } from '../shared/times.ts'
import type { Entry } from '../shared/tree.ts'
import type { Contents } from '../shared/write-records.ts'
import type { PlaneFiles } from './files.ts'
import { memberName, type PlaneItem } from './item.ts'

const PRIORITIES = ['none', 'urgent', 'high', 'medium', 'low']
const SIZES = ['', '', 'xs', 's', 'm', 'l', 'xl']
const DONE = /^(done|completed?|closed|finished|shipped|released|resolved)$/i
const CANCELLED = /^cancell?ed$/i
const EMPTY = /^<p[^>]*>\s*<\/p>$/

interface Draft {
  board: Board
  columns: Map<string, Column>
  labels: Labels
  fields: CustomFields
  cancelled: Set<string>
}

interface Context {
  files: PlaneFiles
  people: People
  references: References
  relations: Relations
  report: Report
}

/** Builds the boards and tasks: one board for each project. */
export function contentsOf(files: PlaneFiles, report: Report): Contents {
  const people = new People()
  for (const member of files.members)
    people.add(stringOf(member.id), memberName(member), stringOf(member.email))
  const relations = new Relations()
  const context = { files, people, references: referencesOf(files), relations, report }
  const drafts = new Map<string, Draft>()
  const entries: Entry[] = []
  for (const item of files.items) {
    const draft = drafts.get(item.project) ?? draftOf(item, files)
    drafts.set(item.project, draft)
    entries.push(entryOf(item, draft, context))
  }
  const project = stringOf(files.project.identifier)
  if (!drafts.size)
    drafts.set('', draftOf({ project, projectName: stringOf(files.project.name) }, files))
  const [only] = drafts.size === 1 ? [...drafts.values()] : []
  return {
    origin: {
      id: only ? `plane ${only.board.id}` : 'plane',
      title: only ? only.board.title : 'Plane',
    },
    people,
    boards: [...drafts.values()].map((draft) => finish(draft, files)),
    entries,
    relations,
  }
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

function draftOf(
  { project, projectName }: Pick<PlaneItem, 'project' | 'projectName'>,
  files: PlaneFiles,
): Draft {
  const key = /^[A-Z][A-Z0-9]{1,9}$/.test(project) ? project : undefined
  const description = stringOf(files.project.description)
  const labels = new Labels()
  for (const { name, color } of files.labels) labels.add(stringOf(name), stringOf(color))
  const columns = new Map<string, Column>()
  const cancelled = new Set<string>()
  const states = files.states.toSorted(
    (one, other) => (numberOf(one.sequence) ?? 0) - (numberOf(other.sequence) ?? 0),
  )
  for (const { name, group } of states) {
    const title = cut(stringOf(name), 200)
    if (group === 'cancelled') cancelled.add(title)
    if (title && group !== 'triage')
      columns.set(title, { title, ...(group === 'completed' && { done: true }) })
  }
  return {
    board: {
      id: project || 'project',
      title: cut(projectName || project || 'Plane', 200),
      ...(key && { key }),
      ...(description && { description }),
      columns: [],
      labels: [],
      fields: [],
    },
    columns,
    labels,
    fields: new CustomFields(),
    cancelled,
  }
}

/** Exports do not say the order of states; this is the one of a new project. */
const STATES = ['backlog', 'todo', 'in progress', '', 'done', 'cancelled']
const orderOf = ({ title }: Column) => {
  const at = STATES.indexOf(title.toLowerCase())
  return at < 0 ? STATES.indexOf('') : at
}

function finish({ board, columns, labels, fields }: Draft, files: PlaneFiles): Board {
  const known = columns.size ? [...columns.values()] : [{ title: 'Backlog' }]
  const list = files.states.length
    ? known
    : known.toSorted((one, other) => orderOf(one) - orderOf(other))
  return { ...board, columns: withDone(list), labels: labels.list(), fields: fields.list() }
}

function entryOf(item: PlaneItem, draft: Draft, context: Context): Entry {
  const { people, relations, report } = context
  const { id } = item
  const contentType = item.isHtml ? 'html' : 'markdown'
  const text = fitText(descriptionOf(item, context), id, report)
  const { title, description } = fitTitle(item.title, text, contentType)
  const column = columnOf(item, draft)
  const isArchived = item.isArchived || draft.cancelled.has(column)
  const task: Task = compact({
    id,
    board: draft.board.id,
    column,
    title,
    description: fitText(description, id, report),
    content_type: contentType,
    key: cut(id, 50),
    parent: item.parent,
    priority: priorityOf(item.priority),
    ...estimateOf(item, draft.fields),
    start_date: dayOrMomentOf(item.start),
    due_date: dayOrMomentOf(item.due),
    labels: [...new Set(item.labels.flatMap((name) => draft.labels.add(name) ?? []))],
    assignees: [...new Set(item.assignees.flatMap((one) => people.add(one.id, one.name) ?? []))],
    created_by: people.add(item.author.id, item.author.name),
    created_at: momentOf(item.created),
    updated_at: momentOf(item.updated),
    ...(draft.columns.get(column)?.done && { completed_at: momentOf(item.completed) }),
    ...(isArchived && { archived: true }),
  })
  for (const { type, to } of item.relations) relate(relations, type, id, to)
  return {
    task,
    comments: commentsOf(item, context),
    attachments: filesOfItem(item, context),
    times: [],
  }
}

/** Without the states of the API, names decide which are done or cancelled. */
function columnOf({ state }: PlaneItem, { columns, cancelled }: Draft): string {
  const title = cut(state || 'Backlog', 200)
  if (!columns.has(title)) {
    columns.set(title, { title, ...(DONE.test(title) && { done: true }) })
    if (CANCELLED.test(title)) cancelled.add(title)
  }
  return title
}

function priorityOf(word: string): Task['priority'] {
  const at = PRIORITIES.indexOf(word.toLowerCase())
  return at < 0 ? cut(word, 100) || undefined : at
}

function estimateOf(item: PlaneItem, fields: CustomFields): Pick<Task, 'estimate' | 'fields'> {
  const size = item.estimate ? SIZES.indexOf(item.estimate.toLowerCase()) : -1
  const number = numberOf(item.estimate)
  const values = [
    ...(size > 1
      ? []
      : number === undefined
        ? fields.value('Estimate', 'select', item.estimate)
        : fields.value('Estimate', 'number', number)),
    ...fields.value('Module', 'select', item.modules.join(', ')),
    ...fields.value('Cycle', 'select', item.cycles.join(', ')),
    ...fields.value('Type', 'select', item.type),
    ...(item.isDraft ? fields.value('Draft', 'checkbox', true) : []),
  ]
  return { ...(size > 1 && { estimate: size }), ...(values.length && { fields: values }) }
}

function descriptionOf(item: PlaneItem, { references }: Context): string {
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

function relate(relations: Relations, type: string, from: string, to: string): void {
  if (!to) return
  if (type === 'blocked_by' || type === 'start_after' || type === 'finish_after')
    relations.add('blocks', to, from)
  else if (type === 'blocking' || type === 'start_before' || type === 'finish_before')
    relations.add('blocks', from, to)
  else relations.add('related', from, to)
}

function commentsOf(item: PlaneItem, { people, references, report }: Context): Comment[] {
  return item.comments.map((comment) => {
    const text = comment.isHtml
      ? linkHtml(comment.text, references)
      : linkMarkdown(comment.text, references)
    return {
      text: fitText(text, `a comment of ${item.id}`, report),
      ...compact({
        id: comment.id,
        task: item.id,
        content_type: comment.isHtml ? ('html' as const) : ('markdown' as const),
        author: people.add(comment.author.id, comment.author.name),
        created_at: momentOf(comment.created),
        edited_at: momentOf(comment.edited),
      }),
    }
  })
}

function filesOfItem({ id, attachments }: PlaneItem, { files, report }: Context): Attachment[] {
  return attachments.flatMap((file) => {
    const asset = files.assets.get(file.id)
    if (!asset && !/^https?:/.test(file.url)) {
      report.lose('A file', 'It is not in the download')
      return []
    }
    const attachment = compact({
      id: file.id,
      task: id,
      filename: cut(file.name, 255) || 'file',
      content_type: file.type,
      created_at: momentOf(file.created),
    })
    return [
      asset ? { ...attachment, bytes: () => asset.bytes() } : { ...attachment, url: file.url },
    ]
  })
}
