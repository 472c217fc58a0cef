import type { Column } from '../../record.ts'
import type { Report } from '../../source.ts'
import type { BoardDraft } from '../shared/board-draft.ts'
import { boardKey } from '../shared/board-key.ts'
import { numberOf, stringOf } from '../shared/json.ts'
import { Milestones } from '../shared/milestones.ts'
import { fileNameOf } from '../shared/names.ts'
import { RecordCollector } from '../shared/record-collector.ts'
import { linkMarkdown, type References } from '../shared/references.ts'
import { cut, type TypedValue } from '../shared/task-limits.ts'
import { dayOf, dayOrMomentOf, momentOf } from '../shared/times.ts'
import type { GitlabFiles } from './files.ts'
import { type GitlabAccount, type GitlabIssue, idOfUrl, issueId } from './issue.ts'

const OPEN = 'Open'
const CLOSED = 'Closed'
const UPLOAD = /\/uploads\/([0-9a-f]{32}\/[^\s)"'<>\]]+)/g

interface Context {
  files: GitlabFiles
  ids: ReadonlySet<string>
  records: RecordCollector
  report: Report
}

interface GitlabBoard {
  board: BoardDraft
  lists: ReadonlySet<string>
  milestones: Milestones
}

/** Collects the boards and tasks: one board for each project. */
export function collect(files: GitlabFiles, report: Report): RecordCollector {
  const ids = new Set(files.issues.map(({ project, iid }) => issueId(project, iid)))
  const own = stringOf(files.project.path_with_namespace)
  const projects = new Set([...(own ? [own] : []), ...files.issues.map(({ project }) => project)])
  const records = new RecordCollector(originOf(files, [...projects]), report, 'drop')
  const boards = new Map(
    [...projects].map((project) => [project, boardOf(project, files, records)]),
  )
  const context = { files, ids, records, report }
  for (const issue of files.issues) addIssue(issue, boards.get(issue.project)!, context)
  for (const { kind, first, second } of files.relations) records.relation(kind, first, second)
  for (const { board, milestones } of boards.values()) milestones.describe(board)
  return records
}

function originOf(files: GitlabFiles, projects: readonly string[]): { id: string; title: string } {
  const title = projects.length === 1 ? titleOf(projects[0]!) : 'GitLab'
  const url = stringOf(files.project.web_url) || (files.issues[0]?.projectUrl ?? '')
  if (projects.length === 1) return { id: url || `gitlab ${projects[0]}`.trim(), title }
  return { id: url ? `gitlab ${new URL(url).host}` : 'gitlab', title }
}

/** Exports of projects name them only by a number. */
const titleOf = (project: string) => (/^\d*$/.test(project) ? 'GitLab project' : project)

function boardOf(project: string, files: GitlabFiles, records: RecordCollector): GitlabBoard {
  const title = titleOf(project)
  const key = title === project ? boardKey(title.split('/').at(-1)!) : undefined
  const own = stringOf(files.project.path_with_namespace)
  const isOwn = !own || own === project || !project
  const description = isOwn ? stringOf(files.project.description) : ''
  const board = records.board(project || 'gitlab', title, { key, description })
  for (const label of files.labels)
    board.label(stringOf(label.name) || stringOf(label.title), stringOf(label.color))
  for (const { title, ...column } of columnsOf(files)) board.column(title, column)
  const lists = new Set(files.lists.map(({ title }) => cut(title, 200)))
  return { board, lists, milestones: new Milestones() }
}

function columnsOf({ lists }: GitlabFiles): Column[] {
  const own = lists.filter(({ title }) => title && title !== OPEN && title !== CLOSED)
  const columns = own.slice(0, 48).map(({ title, limit }) => {
    const count = numberOf(limit) ?? 0
    return { title, ...(count > 0 && { wip_limit: Math.min(count, 10_000) }) }
  })
  return [{ title: OPEN }, ...columns, { title: CLOSED, done: true }]
}

function addIssue(issue: GitlabIssue, { board, lists, milestones }: GitlabBoard, context: Context) {
  const { records } = context
  const id = issueId(issue.project, issue.iid)
  const convert = converter(issue, context)
  const person = ({ id, name, email }: GitlabAccount) => records.person(id, name, email)
  records.task({
    id,
    board: board.id,
    column: columnOf(issue, lists),
    title: issue.title,
    description: convert(issue.description),
    content_type: 'markdown',
    key: board.about.key && `${board.about.key}-${issue.iid}`,
    parent: issue.parent || undefined,
    start_date: dayOrMomentOf(issue.start),
    due_date: dayOrMomentOf(issue.due),
    labels: issue.labels.flatMap(({ name, color }) => board.label(name, color) ?? []),
    assignees: issue.assignees.flatMap((account) => person(account) ?? []),
    fields: valuesOf(issue, milestones.add(issue.milestone)),
    created_by: person(issue.author),
    created_at: momentOf(issue.created),
    updated_at: momentOf(issue.updated),
    completed_at: issue.isClosed && !issue.isMoved ? momentOf(issue.closed) : undefined,
    archived: issue.isMoved || undefined,
  })
  addComments(issue, id, convert, person, context)
  addUploads(issue, id, context)
  for (const { who, day, ...time } of issue.times)
    records.time({ ...time, task: id, who: records.person(who), day: dayOf(day) })
}

/** Closed issues are done; open ones are in the first list that matches one of their labels. */
function columnOf({ isClosed, isMoved, labels }: GitlabIssue, lists: ReadonlySet<string>): string {
  if (isClosed && !isMoved) return CLOSED
  const names = new Set(labels.map(({ name }) => cut(name, 200)))
  return [...lists].find((title) => names.has(title)) ?? OPEN
}

function valuesOf({ values }: GitlabIssue, milestone: string): TypedValue[] {
  const fields = Object.entries(values).flatMap(([name, value]): TypedValue[] => {
    if (typeof value === 'number') return [{ name, type: 'number', value }]
    if (typeof value === 'boolean') return value ? [{ name, type: 'checkbox', value }] : []
    const text = stringOf(value)
    if (/^(issue|unknown)$/i.test(text)) return []
    return [{ name, type: name === 'Zoom meeting' ? 'url' : 'select', value: text }]
  })
  return [{ name: 'Milestone', type: 'select', value: milestone }, ...fields]
}

/** Turns references into task links and relative files into addresses. */
function converter({ project, projectUrl }: GitlabIssue, { ids }: Context) {
  const known = (id: string | undefined) => (id && ids.has(id) ? id : undefined)
  const references: References = {
    byUrl: (url) => known(idOfUrl(url)),
    byShort: (reference) => {
      const [path, iid] = reference.split('#') as [string, string]
      if (!path) return known(issueId(project, Number(iid)))
      const sibling = [...project.split('/').slice(0, -1), path].join('/')
      return known(issueId(path.includes('/') ? path : sibling, Number(iid)))
    },
  }
  return (text: string) => {
    const linked = linkMarkdown(text, references)
    return projectUrl ? linked.replace(/(\]\(|src=")(?=\/uploads\/)/g, `$1${projectUrl}`) : linked
  }
}

function addComments(
  { notes }: GitlabIssue,
  task: string,
  convert: (text: string) => string,
  person: (account: GitlabAccount) => string | undefined,
  { records, report }: Context,
): void {
  const threads = new Map<string, string>()
  for (const note of notes) {
    const first = note.discussion ? threads.get(note.discussion) : undefined
    if (note.discussion && !first) threads.set(note.discussion, note.id)
    if (note.isInternal) report.lose('That a comment is internal', 'Comments have no visibility')
    const edited = momentOf(note.edited)
    records.comment({
      id: note.id,
      task,
      text: convert(note.text),
      content_type: 'markdown',
      author: person(note.author),
      created_at: momentOf(note.created),
      edited_at: edited === momentOf(note.created) ? undefined : edited,
      reply_to: first,
    })
  }
}

function addUploads(issue: GitlabIssue, task: string, { files, records }: Context): void {
  const texts = [issue.description, ...issue.notes.map(({ text }) => text)]
  const paths = texts.flatMap((text) => [...text.matchAll(UPLOAD)].map(([, path]) => path!))
  for (const path of new Set(paths)) {
    const file = files.uploads.get(path) ?? files.uploads.get(decoded(path))
    const url = issue.projectUrl && `${issue.projectUrl}/uploads/${path}`
    const attachment = { id: `${task} ${path}`.slice(0, 500), task, filename: fileNameOf(path) }
    if (file) records.attachment({ ...attachment, bytes: () => file.bytes() })
    else if (url) records.attachment({ ...attachment, url })
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
