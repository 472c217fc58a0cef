import type { Board, Column, Comment, Task } from '../../record.ts'
import type { Report } from '../../source.ts'
import { boardKey } from '../shared/board-key.ts'
import { withDone } from '../shared/columns.ts'
import { CustomFields } from '../shared/custom-fields.ts'
import { compact, stringOf } from '../shared/json.ts'
import { Labels } from '../shared/labels.ts'
import { People } from '../shared/people.ts'
import { linkMarkdown, type References } from '../shared/references.ts'
import { Relations } from '../shared/relations.ts'
import { cut, fitText, fitTitle } from '../shared/texts.ts'
import { dayOf, dayOrMomentOf, momentOf } from '../shared/times.ts'
import type { Entry } from '../shared/tree.ts'
import type { Contents } from '../shared/write-records.ts'
import type { GithubFiles } from './files.ts'
import { type GithubAccount, type GithubIssue, idOfUrl, issueId } from './issue.ts'

const DONE = /^\P{L}*(done|closed|complete|completed|finished|shipped|released|resolved)\b/iu
const NOT_DONE = new Set(['not_planned', 'duplicate'])
const START = /^start( date)?$/i
const DUE = /^(due|due date|target|target date|end|end date|deadline)$/i
const SIZE = ['none', '', 'xs', 's', 'm', 'l', 'xl']

const idOf = ({ draft, repo, number }: GithubIssue) => draft || issueId(repo, number)

interface BoardDraft {
  board: Board
  labels: Labels
  fields: CustomFields
  columns: Map<string, Column>
  milestones: Map<string, string>
}

/** Builds the boards and tasks: one board for a project, else one for each repository. */
export function contentsOf(files: GithubFiles, report: Report): Contents {
  const ids = new Set(files.issues.map(idOf))
  const people = new People()
  const relations = new Relations()
  const drafts = boardsOf(files)
  const entries: Entry[] = []
  const keys = new Set<string>()
  setParents(files)
  for (const issue of files.issues) {
    const draft = drafts.get(files.isProject ? '' : issue.repo)!
    entries.push(entryOf(issue, draft, people, ids, keys, report))
    for (const other of issue.blockedBy) relations.add('blocks', other, idOf(issue))
    for (const other of issue.blocking) relations.add('blocks', idOf(issue), other)
  }
  const boards = [...drafts.values()].map(finishBoard)
  return { origin: originOf(files), people, boards, entries, relations }
}

function boardsOf({ issues, project, repositories, isProject }: GithubFiles) {
  const repos = new Set([
    ...repositories.map(({ full_name }) => stringOf(full_name)),
    ...issues.map(({ repo }) => repo),
  ])
  const drafts = new Map<string, BoardDraft>()
  if (isProject) {
    const options = project?.options ?? new Map<string, string[]>()
    const title = project?.title || 'GitHub project'
    const key = repos.size === 1 ? [...repos][0]! : title
    const draft = newBoard('project', title, key, options.get('Status') ?? [])
    for (const [name, values] of options) if (!isOwnField(name)) draft.fields.declare(name, values)
    return drafts.set('', describe(draft, project?.description ?? ''))
  }
  for (const repo of repos) {
    const description = repositories.find(({ full_name }) => full_name === repo)?.description
    const draft = newBoard(repo || 'github', repo || 'GitHub', repo, ['Open', 'Done'])
    drafts.set(repo, describe(draft, stringOf(description)))
  }
  return drafts
}

const isOwnField = (name: string) => /^(status|priority)$/i.test(name)

function describe(draft: BoardDraft, description: string): BoardDraft {
  if (description) draft.board.description = description
  return draft
}

function newBoard(id: string, title: string, name: string, columns: readonly string[]): BoardDraft {
  const key = boardKey(name.split('/').at(-1)!)
  const board = {
    id,
    title: cut(title, 200),
    ...(key && { key }),
    columns: [],
    labels: [],
    fields: [],
  }
  const draft: BoardDraft = {
    board,
    labels: new Labels(),
    fields: new CustomFields(),
    columns: new Map(),
    milestones: new Map(),
  }
  for (const column of columns) columnOf(draft, column)
  return draft
}

/** The title of a column, which is added if it is new. */
function columnOf({ columns }: BoardDraft, name: string): string {
  const title = cut(name.trim() || 'No status', 200)
  if (!columns.has(title)) columns.set(title, { title, ...(DONE.test(title) && { done: true }) })
  return title
}

function finishBoard({ board, labels, fields, columns, milestones }: BoardDraft): Board {
  const list = [...columns.values()]
  const dates = [...milestones].map(([title, text]) => `- ${title}${text}`)
  const description = [
    board.description ?? '',
    dates.length ? `## Milestones\n\n${dates.join('\n')}` : '',
  ].filter(Boolean)
  return {
    ...board,
    ...(description.length && { description: description.join('\n\n') }),
    columns: list.length ? withDone(list) : [{ title: 'Open' }],
    labels: labels.list(),
    fields: fields.list(),
  }
}

/** Parents that name their sub-issues, and sub-issues that name their parent, are the same. */
function setParents({ issues }: GithubFiles): void {
  const byId = new Map(issues.map((issue) => [idOf(issue), issue]))
  for (const issue of issues)
    for (const child of issue.children) {
      const found = byId.get(child)
      if (found && !found.parent) found.parent = idOf(issue)
    }
}

function originOf({ issues, project, repositories, isProject }: GithubFiles): Contents['origin'] {
  if (project?.url) return { id: project.url, title: project.title }
  const repos = new Set([
    ...repositories.map(({ full_name }) => stringOf(full_name)),
    ...issues.map(({ repo }) => repo).filter(Boolean),
  ])
  const owners = new Set([...repos].map((repo) => repo.split('/')[0]!))
  const of = repos.size === 1 ? [...repos][0]! : owners.size === 1 ? [...owners][0]! : ''
  const id = [isProject ? 'project' : '', of].filter(Boolean).join(' ')
  return { id: id ? `github ${id}` : 'github', title: of || 'GitHub' }
}

function entryOf(
  issue: GithubIssue,
  draft: BoardDraft,
  people: People,
  ids: ReadonlySet<string>,
  keys: Set<string>,
  report: Report,
): Entry {
  const id = idOf(issue)
  const references = referencesOf(issue, ids)
  const source = fitText(issue.body, id, report)
  const { title, description } = fitTitle(issue.title, linkMarkdown(source, references), 'markdown')
  const key = boardKey(issue.repo.split('/').at(-1)!)
  const wanted = key && issue.number ? `${key}-${issue.number}` : ''
  const task: Task = compact({
    id,
    board: draft.board.id,
    title,
    description: fitText(description, id, report),
    content_type: 'markdown' as const,
    key: keys.has(wanted) ? '' : wanted,
    parent: issue.parent,
    labels: issue.labels
      .map(({ name, color }) => draft.labels.add(name, color) ?? '')
      .filter(Boolean),
    assignees: peopleOf(issue.assignees, people),
    created_by: people.add(issue.author.login, issue.author.name),
    created_at: momentOf(issue.created),
    updated_at: momentOf(issue.updated),
    ...stateOf(issue, draft),
    ...valuesOf(issue, draft),
  })
  keys.add(wanted)
  const comments = commentsOf(issue, id, people, references, report)
  return { task, comments, attachments: [], times: [] }
}

const peopleOf = (accounts: readonly GithubAccount[], people: People): string[] => [
  ...new Set(accounts.flatMap(({ login, name }) => people.add(login, name) ?? [])),
]

function commentsOf(
  { comments }: GithubIssue,
  task: string,
  people: People,
  references: References,
  report: Report,
): Comment[] {
  return comments.map((comment) => ({
    text: linkMarkdown(fitText(comment.body, `a comment of ${task}`, report), references),
    ...compact({
      id: comment.id,
      task,
      content_type: 'markdown' as const,
      author: people.add(comment.author.login, comment.author.name),
      created_at: momentOf(comment.created),
      edited_at: comment.updated !== comment.created ? momentOf(comment.updated) : undefined,
    }),
  }))
}

function referencesOf({ repo }: GithubIssue, ids: ReadonlySet<string>): References {
  const known = (id: string | undefined) => (id && ids.has(id) ? id : undefined)
  return {
    byUrl: (url) => known(idOfUrl(url)),
    byShort: (reference) => {
      const [name, number] = reference.split('#') as [string, string]
      if (!name.includes('/')) return name ? undefined : known(`${repo}#${Number(number)}`)
      return known(`${name}#${Number(number)}`)
    },
  }
}

/** A closed issue is done, unless it is not planned or a duplicate: then it is archived. */
function stateOf(issue: GithubIssue, draft: BoardDraft): Pick<Task, 'column'> & Partial<Task> {
  const isDone = issue.isClosed && !NOT_DONE.has(issue.reason)
  const isArchived = issue.isArchived || (issue.isClosed && !isDone)
  const status = issue.status === undefined ? 'Open' : columnOf(draft, issue.status)
  const isInDone = draft.columns.get(status)?.done === true
  const done = [...draft.columns.values()].find((column) => column.done)?.title
  return {
    column: isDone && !isInDone ? (done ?? columnOf(draft, 'Done')) : status,
    ...(isArchived && { archived: true }),
    ...(isDone && momentOf(issue.closed) && { completed_at: momentOf(issue.closed)! }),
  }
}

function valuesOf(issue: GithubIssue, draft: BoardDraft): Partial<Task> {
  const { fields, milestones } = draft
  const milestone = stringOf(issue.milestone.title)
  const due = dayOf(issue.milestone.due_on ?? issue.milestone.dueOn ?? issue.milestone.dueDate)
  const about = stringOf(issue.milestone.description)
  if (milestone && (due || about))
    milestones.set(milestone, `${due ? ` (due ${due})` : ''}${about ? `: ${about}` : ''}`)
  const result: Partial<Task> = {}
  const values = [
    ...fields.value('Milestone', 'select', milestone),
    ...fields.value('Type', 'select', issue.type),
    ...fields.value('Closed as', 'select', closedAs(issue)),
    ...fields.value('Reactions', 'number', issue.reactions || undefined),
  ]
  for (const { name, type, value } of issue.values) {
    const day = type === 'date' ? dayOrMomentOf(value) : undefined
    const size = /size|estimate/i.test(name) ? SIZE.indexOf(String(value).toLowerCase()) : -1
    if (/^priority$/i.test(name)) result.priority = priorityOf(String(value))
    else if (day && START.test(name)) result.start_date = day
    else if (day && DUE.test(name)) result.due_date = day
    else if (size > 1 && !result.estimate) result.estimate = size
    else values.push(...fields.value(name, type, day ?? value))
  }
  if (values.length) result.fields = values
  return result
}

/** Options often begin with a symbol, such as `🌋 Urgent`. */
const priorityOf = (word: string) => cut(word.replace(/^[^\p{L}\p{N}]+/u, '') || word, 100)

const closedAs = ({ isClosed, reason }: GithubIssue) =>
  isClosed && NOT_DONE.has(reason) ? reason.replaceAll('_', ' ') : ''
