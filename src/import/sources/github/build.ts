import type { Task } from '../../record.ts'
import type { Report } from '../../source.ts'
import type { BoardDraft } from '../shared/board-draft.ts'
import { boardKey } from '../shared/board-key.ts'
import { stringOf } from '../shared/json.ts'
import { Milestones } from '../shared/milestones.ts'
import { RecordCollector } from '../shared/record-collector.ts'
import { linkMarkdown, type References } from '../shared/references.ts'
import { cut, type TypedValue } from '../shared/task-limits.ts'
import { dayOrMomentOf, momentOf } from '../shared/times.ts'
import type { GithubFiles } from './files.ts'
import { type GithubAccount, type GithubIssue, idOfUrl, issueId } from './issue.ts'

const DONE = /^\P{L}*(done|closed|complete|completed|finished|shipped|released|resolved)\b/iu
const NOT_DONE = new Set(['not_planned', 'duplicate'])
const START = /^start( date)?$/i
const DUE = /^(due|due date|target|target date|end|end date|deadline)$/i
const SIZE = ['none', '', 'xs', 's', 'm', 'l', 'xl']

const idOf = ({ draft, repo, number }: GithubIssue) => draft || issueId(repo, number)

/** Collects the boards and tasks: one board for a project, else one for each repository. */
export function collect(files: GithubFiles, report: Report): RecordCollector {
  const records = new RecordCollector(originOf(files), report, 'drop')
  const boards = boardsOf(files, records)
  const ids = new Set(files.issues.map(idOf))
  setParents(files)
  for (const issue of files.issues) {
    const { board, milestones } = boards.get(files.isProject ? '' : issue.repo)!
    addIssue(issue, board, milestones, referencesOf(issue, ids), records)
    for (const other of issue.blockedBy) records.relation('blocks', other, idOf(issue))
    for (const other of issue.blocking) records.relation('blocks', idOf(issue), other)
  }
  for (const { board, milestones } of boards.values()) milestones.describe(board)
  return records
}

interface GithubBoard {
  board: BoardDraft
  milestones: Milestones
}

function reposOf({ issues, repositories }: GithubFiles): string[] {
  const named = repositories.map(({ full_name }) => stringOf(full_name))
  return [...new Set([...named, ...issues.map(({ repo }) => repo)])]
}

function boardsOf(files: GithubFiles, records: RecordCollector): Map<string, GithubBoard> {
  const { project, repositories, isProject } = files
  const repos = reposOf(files)
  const boards = new Map<string, GithubBoard>()
  const add = (repo: string, id: string, title: string, name: string, description: string) => {
    const key = boardKey(name.split('/').at(-1)!)
    const board = records.board(id, title, { key, description })
    boards.set(repo, { board, milestones: new Milestones() })
    return board
  }
  if (isProject) {
    const title = project?.title || 'GitHub project'
    const name = repos.length === 1 ? repos[0]! : title
    const board = add('', 'project', title, name, project?.description ?? '')
    for (const [field, options] of project?.options ?? [])
      if (field === 'Status') for (const option of options) columnOf(board, option)
      else if (!/^(status|priority)$/i.test(field)) board.declare(field, options)
    return boards
  }
  for (const repo of repos) {
    const about = repositories.find(({ full_name }) => full_name === repo)?.description
    const board = add(repo, repo || 'github', repo || 'GitHub', repo, stringOf(about))
    for (const title of ['Open', 'Done']) columnOf(board, title)
  }
  return boards
}

/** The title of a column, which is added if it is new. */
function columnOf(board: BoardDraft, name: string): string {
  const title = name.trim() || 'No status'
  return board.column(title, DONE.test(title) ? { done: true } : {})
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

function originOf(files: GithubFiles): { id: string; title: string } {
  const { project, isProject } = files
  if (project?.url) return { id: project.url, title: project.title }
  const repos = reposOf(files).filter(Boolean)
  const owners = new Set(repos.map((repo) => repo.split('/')[0]!))
  const of = repos.length === 1 ? repos[0]! : owners.size === 1 ? [...owners][0]! : ''
  const id = ['github', isProject ? 'project' : '', of].filter(Boolean).join(' ')
  return { id, title: of || 'GitHub' }
}

function addIssue(
  issue: GithubIssue,
  board: BoardDraft,
  milestones: Milestones,
  references: References,
  records: RecordCollector,
): void {
  const id = idOf(issue)
  const person = ({ login, name }: GithubAccount) => records.person(login, name)
  const key = boardKey(issue.repo.split('/').at(-1)!)
  const milestone = milestones.add(issue.milestone)
  records.task({
    id,
    board: board.id,
    title: issue.title,
    description: linkMarkdown(issue.body, references),
    content_type: 'markdown',
    key: key && issue.number ? `${key}-${issue.number}` : '',
    parent: issue.parent || undefined,
    labels: issue.labels.flatMap(({ name, color }) => board.label(name, color) ?? []),
    assignees: issue.assignees.flatMap((account) => person(account) ?? []),
    created_by: person(issue.author),
    created_at: momentOf(issue.created),
    updated_at: momentOf(issue.updated),
    ...stateOf(issue, board),
    ...valuesOf(issue, milestone),
  })
  for (const comment of issue.comments)
    records.comment({
      id: comment.id,
      task: id,
      text: linkMarkdown(comment.body, references),
      content_type: 'markdown',
      author: person(comment.author),
      created_at: momentOf(comment.created),
      edited_at: comment.updated !== comment.created ? momentOf(comment.updated) : undefined,
    })
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
function stateOf(issue: GithubIssue, board: BoardDraft): Pick<Task, 'column'> & Partial<Task> {
  const isDone = issue.isClosed && !NOT_DONE.has(issue.reason)
  const status = issue.status === undefined ? 'Open' : columnOf(board, issue.status)
  return {
    column: isDone && !board.isDone(status) ? board.doneColumn() : status,
    archived: issue.isArchived || (issue.isClosed && !isDone) || undefined,
    completed_at: isDone ? momentOf(issue.closed) : undefined,
  }
}

function valuesOf(issue: GithubIssue, milestone: string) {
  const result: Pick<Task, 'priority' | 'start_date' | 'due_date' | 'estimate'> = {}
  const fields: TypedValue[] = [
    { name: 'Milestone', type: 'select', value: milestone },
    { name: 'Type', type: 'select', value: issue.type },
    { name: 'Closed as', type: 'select', value: closedAs(issue) },
    { name: 'Reactions', type: 'number', value: issue.reactions || '' },
  ]
  for (const { name, type, value } of issue.values) {
    const day = type === 'date' ? dayOrMomentOf(value) : undefined
    const size = /size|estimate/i.test(name) ? SIZE.indexOf(String(value).toLowerCase()) : -1
    if (/^priority$/i.test(name)) result.priority = priorityOf(String(value))
    else if (day && START.test(name)) result.start_date = day
    else if (day && DUE.test(name)) result.due_date = day
    else if (size > 1 && !result.estimate) result.estimate = size
    else fields.push({ name, type, value: day ?? value })
  }
  return { ...result, fields }
}

/** Options often begin with a symbol, such as `🌋 Urgent`. */
const priorityOf = (word: string) => cut(word.replace(/^[^\p{L}\p{N}]+/u, '') || word, 100)

const closedAs = ({ isClosed, reason }: GithubIssue) =>
  isClosed && NOT_DONE.has(reason) ? reason.replaceAll('_', ' ') : ''
