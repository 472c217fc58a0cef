import type { Attachment, Board, Column, Comment, Task, TimeEntry } from '../../record.ts'
import type { Report } from '../../source.ts'
import { boardKey } from '../shared/board-key.ts'
import { withDone } from '../shared/columns.ts'
import { CustomFields } from '../shared/custom-fields.ts'
import { compact, numberOf, stringOf } from '../shared/json.ts'
import { Labels } from '../shared/labels.ts'
import { People } from '../shared/people.ts'
import { linkMarkdown, type References } from '../shared/references.ts'
import { Relations } from '../shared/relations.ts'
import { cut, fileNameOf, fitText, fitTitle } from '../shared/texts.ts'
import { dayOf, dayOrMomentOf, momentOf } from '../shared/times.ts'
import type { Entry } from '../shared/tree.ts'
import type { Contents } from '../shared/write-records.ts'
import type { GitlabFiles } from './files.ts'
import { type GitlabAccount, type GitlabIssue, idOfUrl, issueId } from './issue.ts'

const OPEN = 'Open'
const CLOSED = 'Closed'
const UPLOAD = /\/uploads\/([0-9a-f]{32}\/[^\s)"'<>\]]+)/g
const SECONDS = 60

interface Draft {
  board: Board
  columns: Column[]
  labels: Labels
  fields: CustomFields
  milestones: Map<string, string>
}

interface Context {
  files: GitlabFiles
  people: People
  ids: ReadonlySet<string>
  report: Report
}

/** Builds the boards and tasks: one board for each project. */
export function contentsOf(files: GitlabFiles, report: Report): Contents {
  const people = new People()
  const relations = new Relations()
  const ids = new Set(files.issues.map(({ project, iid }) => issueId(project, iid)))
  const context = { files, people, ids, report }
  const drafts = new Map<string, Draft>()
  const own = stringOf(files.project.path_with_namespace)
  if (own) drafts.set(own, draftOf(own, files))
  const entries = files.issues.map((issue) => {
    const draft = drafts.get(issue.project) ?? draftOf(issue.project, files)
    drafts.set(issue.project, draft)
    return entryOf(issue, draft, context)
  })
  for (const { kind, first, second } of files.relations) relations.add(kind, first, second)
  const boards = [...drafts.values()].map((draft) => finish(draft, files))
  return { origin: originOf(files, [...drafts.keys()]), people, boards, entries, relations }
}

function originOf(files: GitlabFiles, projects: readonly string[]): Contents['origin'] {
  const title = projects.length === 1 ? titleOf(projects[0]!) : 'GitLab'
  const url = stringOf(files.project.web_url) || (files.issues[0]?.projectUrl ?? '')
  if (projects.length === 1) return { id: url || `gitlab ${projects[0]}`.trim(), title }
  return { id: url ? `gitlab ${new URL(url).host}` : 'gitlab', title }
}

/** Exports of projects name them only by a number. */
const titleOf = (project: string) => (/^\d*$/.test(project) ? 'GitLab project' : project)

function draftOf(project: string, { lists, labels }: GitlabFiles): Draft {
  const title = titleOf(project)
  const key = boardKey(title.split('/').at(-1)!)
  const known = new Labels()
  for (const label of labels)
    known.add(stringOf(label.name) || stringOf(label.title), stringOf(label.color))
  return {
    board: {
      id: project || 'gitlab',
      title: cut(title, 200),
      ...(key && title === project && { key }),
      columns: [],
      labels: [],
      fields: [],
    },
    columns: columnsOf(lists),
    labels: known,
    fields: new CustomFields(),
    milestones: new Map(),
  }
}

function columnsOf(lists: GitlabFiles['lists']): Column[] {
  const titles = new Set([OPEN, CLOSED])
  const columns: Column[] = [{ title: OPEN }]
  for (const { title, limit } of lists) {
    const count = numberOf(limit) ?? 0
    if (title && !titles.has(title))
      columns.push({
        title: cut(title, 200),
        ...(count > 0 && { wip_limit: Math.min(count, 10_000) }),
      })
    titles.add(title)
  }
  return withDone([...columns.slice(0, 99), { title: CLOSED, done: true }])
}

function finish({ board, columns, labels, fields, milestones }: Draft, files: GitlabFiles): Board {
  const dates = [...milestones].map(([title, text]) => `- ${title}${text}`)
  const isOwn = [stringOf(files.project.path_with_namespace), ''].includes(board.id)
  const description = [
    isOwn || !files.project.path_with_namespace ? stringOf(files.project.description) : '',
    dates.length ? `## Milestones\n\n${dates.join('\n')}` : '',
  ].filter(Boolean)
  return {
    ...board,
    ...(description.length && { description: description.join('\n\n') }),
    columns,
    labels: labels.list(),
    fields: fields.list(),
  }
}

function entryOf(issue: GitlabIssue, draft: Draft, context: Context): Entry {
  const { people, report } = context
  const id = issueId(issue.project, issue.iid)
  const convert = converter(issue, context)
  const text = convert(fitText(issue.description, id, report))
  const { title, description } = fitTitle(issue.title, text, 'markdown')
  const task: Task = compact({
    id,
    board: draft.board.id,
    column: columnOf(issue, draft),
    title,
    description: fitText(description, id, report),
    content_type: 'markdown' as const,
    key: draft.board.key && `${draft.board.key}-${issue.iid}`,
    parent: issue.parent,
    start_date: dayOrMomentOf(issue.start),
    due_date: dayOrMomentOf(issue.due),
    labels: [
      ...new Set(issue.labels.flatMap(({ name, color }) => draft.labels.add(name, color) ?? [])),
    ],
    assignees: [...new Set(issue.assignees.flatMap((account) => personOf(account, people) ?? []))],
    fields: valuesOf(issue, draft),
    created_by: personOf(issue.author, people),
    created_at: momentOf(issue.created),
    updated_at: momentOf(issue.updated),
    ...(issue.isClosed && !issue.isMoved && { completed_at: momentOf(issue.closed) }),
    ...(issue.isMoved && { archived: true }),
  })
  return {
    task,
    comments: commentsOf(issue, id, convert, context),
    attachments: attachmentsOf(issue, id, context),
    times: timesOf(issue, id, context),
  }
}

const personOf = ({ id, name, email }: GitlabAccount, people: People) => people.add(id, name, email)

/** A closed issue is done. An open one is in the first list whose label it has. */
function columnOf({ isClosed, isMoved, labels }: GitlabIssue, { columns }: Draft): string {
  if (isClosed && !isMoved) return CLOSED
  const names = new Set(labels.map(({ name }) => cut(name, 200)))
  return columns.find(({ title, done }) => !done && names.has(title))?.title ?? OPEN
}

function valuesOf({ values, milestone }: GitlabIssue, { fields, milestones }: Draft) {
  const title = stringOf(milestone.title)
  const due = dayOf(milestone.due_date)
  const about = stringOf(milestone.description)
  if (due || about)
    milestones.set(title, `${due ? ` (due ${due})` : ''}${about ? `: ${about}` : ''}`)
  return [
    ...fields.value('Milestone', 'select', title),
    ...Object.entries(values).flatMap(([name, value]) => {
      if (typeof value === 'number') return fields.value(name, 'number', value)
      if (typeof value === 'boolean') return value ? fields.value(name, 'checkbox', true) : []
      const text = stringOf(value)
      if (/^(issue|unknown)$/i.test(text)) return []
      return fields.value(name, name === 'Zoom meeting' ? 'url' : 'select', text)
    }),
  ]
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

function commentsOf(
  { notes }: GitlabIssue,
  task: string,
  convert: (text: string) => string,
  { people, report }: Context,
): Comment[] {
  const threads = new Map<string, string>()
  return notes.map((note) => {
    const first = note.discussion ? threads.get(note.discussion) : undefined
    if (note.discussion && !first) threads.set(note.discussion, note.id)
    if (note.isInternal) report.lose('That a comment is internal', 'Comments have no visibility')
    const edited = momentOf(note.edited)
    return {
      text: fitText(convert(note.text), `a comment of ${task}`, report),
      ...compact({
        id: note.id,
        task,
        content_type: 'markdown' as const,
        author: personOf(note.author, people),
        created_at: momentOf(note.created),
        edited_at: edited === momentOf(note.created) ? undefined : edited,
        reply_to: first,
      }),
    }
  })
}

function attachmentsOf(issue: GitlabIssue, task: string, { files }: Context): Attachment[] {
  const texts = [issue.description, ...issue.notes.map(({ text }) => text)]
  const paths = new Set(
    texts.flatMap((text) => [...text.matchAll(UPLOAD)].map(([, path]) => path!)),
  )
  return [...paths].flatMap((path) => {
    const file = files.uploads.get(path) ?? files.uploads.get(decoded(path))
    const url = issue.projectUrl && `${issue.projectUrl}/uploads/${path}`
    if (!file && !url) return []
    const attachment = { id: `${task} ${path}`.slice(0, 500), task, filename: fileNameOf(path) }
    return [file ? { ...attachment, bytes: () => file.bytes() } : { ...attachment, url }]
  })
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function timesOf({ times }: GitlabIssue, task: string, { people, report }: Context): TimeEntry[] {
  return times.flatMap(({ id, who, seconds, day, note }) => {
    const minutes = Math.round(seconds / SECONDS)
    const spent = dayOf(day)
    const person = people.add(who)
    if (minutes > 0 && spent && person)
      return [
        {
          id,
          task,
          who: person,
          minutes: Math.min(minutes, 1_000_000),
          day: spent,
          ...(note && { note: cut(note, 10_000) }),
        },
      ]
    report.lose('A time entry', 'It has no person, no day, or a negative time')
    return []
  })
}
