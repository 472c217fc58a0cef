import type { CsvRow } from '../../csv.ts'
import { type Json, numberOf, objectOf, objectsOf, stringOf } from '../shared/json.ts'

export interface GitlabAccount {
  id: string
  name: string
  email?: string
}

export interface GitlabNote {
  id: string
  author: GitlabAccount
  text: string
  created: unknown
  edited: unknown
  discussion: string
  isInternal: boolean
}

export interface GitlabTime {
  id: string
  who: string
  seconds: number
  day: unknown
  note: string
}

/** An issue, whichever format it comes from. */
export interface GitlabIssue {
  /** The path of the project, or its id if the file does not say the path. */
  project: string
  /** The address of the project; empty if unknown. */
  projectUrl: string
  iid: number
  title: string
  description: string
  isClosed: boolean
  isMoved: boolean
  author: GitlabAccount
  assignees: GitlabAccount[]
  labels: { name: string; color: string }[]
  milestone: Json
  values: Json
  start: unknown
  due: unknown
  created: unknown
  updated: unknown
  closed: unknown
  notes: GitlabNote[]
  times: GitlabTime[]
  parent: string
}

export const issueId = (project: string, iid: number | string): string => `${project}#${iid}`

const URL_OF_ISSUE = /^(https?:\/\/[^/]+\/(.+?))\/(?:-\/)?(?:issues|work_items)\/(\d+)(?:[?#].*)?$/

/** The id of the issue that an address means. */
export function idOfUrl(url: string): string | undefined {
  const [, , project, iid] = URL_OF_ISSUE.exec(url) ?? []
  return project && issueId(project, Number(iid))
}

const projectUrlOf = (url: string) => URL_OF_ISSUE.exec(url)?.[1] ?? ''
const pathOf = (url: string) => URL_OF_ISSUE.exec(url)?.[2] ?? ''
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

export const accountOf = (value: unknown): GitlabAccount => {
  const { id, username, name } = objectOf(value)
  return { id: stringOf(id) || stringOf(username), name: stringOf(name) || stringOf(username) }
}

const labelOf = (label: unknown) =>
  typeof label === 'string'
    ? { name: label, color: '' }
    : {
        name: stringOf(objectOf(label).name) || stringOf(objectOf(label).title),
        color: stringOf(objectOf(label).color),
      }

const hours = (seconds: unknown) => {
  const number = numberOf(seconds) ?? 0
  return number > 0 ? Math.round(number / 36) / 100 : undefined
}

const periodOf = (iteration: Json) =>
  stringOf(iteration.title) ||
  [iteration.start_date, iteration.due_date].map(stringOf).filter(Boolean).join(' to ')

/** Reads an issue of the REST API. */
export function restIssue(issue: Json): GitlabIssue {
  const url = stringOf(issue.web_url)
  const time = objectOf(issue.time_stats)
  const assignees = objectsOf(issue.assignees)
  return {
    project: pathOf(url) || stringOf(issue.project_id),
    projectUrl: projectUrlOf(url),
    iid: numberOf(issue.iid) ?? 0,
    title: stringOf(issue.title),
    description: textOf(issue.description),
    isClosed: issue.state === 'closed',
    isMoved: Boolean(issue.moved_to_id),
    author: accountOf(issue.author),
    assignees: (assignees.length ? assignees : [objectOf(issue.assignee)]).map(accountOf),
    labels: (Array.isArray(issue.labels) ? issue.labels : []).map(labelOf),
    milestone: objectOf(issue.milestone),
    values: {
      Weight: numberOf(issue.weight),
      'Time estimate (hours)': hours(time.time_estimate),
      'Time spent (hours)': hours(time.total_time_spent),
      Type: issue.issue_type,
      Severity: issue.severity,
      Health: issue.health_status,
      Epic: objectOf(issue.epic).title,
      Iteration: periodOf(objectOf(issue.iteration)),
      Confidential: issue.confidential === true,
    },
    start: issue.start_date,
    due: issue.due_date,
    created: issue.created_at,
    updated: issue.updated_at,
    closed: issue.closed_at,
    notes: [],
    times: [],
    parent: '',
  }
}

export const restNote = (note: Json): GitlabNote => ({
  id: stringOf(note.id),
  author: accountOf(note.author),
  text: textOf(note.body),
  created: note.created_at,
  edited: note.updated_at,
  discussion: stringOf(note.discussion_id),
  isInternal: note.internal === true || note.confidential === true,
})

/** Reads an issue of the folder `tree` of an exported project. */
export function treeIssue(issue: Json, names: ReadonlyMap<string, GitlabAccount>): GitlabIssue {
  const account = (id: unknown) => names.get(stringOf(id)) ?? { id: stringOf(id), name: '' }
  const project = stringOf(issue.project_id)
  const type = stringOf(issue.issue_type) || stringOf(objectOf(issue.work_item_type).base_type)
  const assigned = objectsOf(issue.issue_assignees).map(({ user_id }) => account(user_id))
  return {
    project,
    projectUrl: '',
    iid: numberOf(issue.iid) ?? 0,
    title: stringOf(issue.title),
    description: textOf(issue.description),
    isClosed: issue.state === 'closed' || issue.state_id === 2,
    isMoved: Boolean(issue.moved_to_id),
    author: account(issue.author_id),
    assignees: assigned.length ? assigned : [account(issue.assignee_id)],
    labels: objectsOf(issue.label_links).map(({ label }) => labelOf(label)),
    milestone: objectOf(issue.milestone),
    values: {
      Weight: numberOf(issue.weight),
      'Time estimate (hours)': hours(issue.time_estimate),
      Type: type,
      Health: issue.health_status,
      Epic: objectOf(objectOf(issue.epic_issue).epic).title,
      Iteration: periodOf(objectOf(issue.iteration)),
      'Zoom meeting': objectsOf(issue.zoom_meetings)[0]?.url,
      Confidential: issue.confidential === true,
    },
    start: issue.start_date,
    due: issue.due_date,
    created: issue.created_at,
    updated: issue.updated_at,
    closed: issue.closed_at,
    notes: objectsOf(issue.notes)
      .filter(({ system }) => system !== true)
      .map((note, at) => treeNote(note, at, `${project}#${stringOf(issue.iid)}`, account)),
    times: objectsOf(issue.timelogs).map((time, at) => ({
      id: stringOf(time.id) || `${project}#${stringOf(issue.iid)} ${at}`,
      who: account(time.user_id).id,
      seconds: numberOf(time.time_spent) ?? 0,
      day: time.spent_at ?? time.created_at,
      note: stringOf(time.summary),
    })),
    parent: '',
  }
}

/** Newer exports have no ids of notes; their order in the issue is stable. */
const treeNote = (
  note: Json,
  at: number,
  issue: string,
  account: (id: unknown) => GitlabAccount,
): GitlabNote => ({
  id: stringOf(note.id) || `${issue} ${stringOf(note.created_at)} ${at}`,
  author: {
    ...account(note.author_id),
    name: account(note.author_id).name || stringOf(objectOf(note.author).name),
  },
  text: textOf(note.note),
  created: note.created_at,
  edited: note.last_edited_at,
  discussion: stringOf(note.discussion_id),
  isInternal: note.internal === true || note.confidential === true,
})

/** Reads a row of the CSV export. */
export function csvIssue(row: CsvRow): GitlabIssue {
  const url = row.get('URL')
  const list = (column: string) =>
    row
      .get(column)
      .split(', ')
      .map((text) => text.trim())
  const names = list('Assignee')
  const usernames = list('Assignee Username')
  return {
    project: pathOf(url),
    projectUrl: projectUrlOf(url),
    iid: numberOf(row.get('Issue ID') || row.get('IID') || row.get('Id')) ?? 0,
    title: row.get('Title'),
    description: row.get('Description'),
    isClosed: row.get('State').toLowerCase() === 'closed',
    isMoved: false,
    author: { id: row.get('Author Username') || row.get('Author'), name: row.get('Author') },
    assignees: usernames.map((id, at) => ({ id: id || names[at]!, name: names[at] ?? '' })),
    labels: row
      .get('Labels')
      .split(',')
      .map((name) => ({ name, color: '' })),
    milestone: { title: row.get('Milestone') },
    values: {
      Weight: numberOf(row.get('Weight')),
      'Time estimate (hours)': hours(row.get('Time Estimate')),
      'Time spent (hours)': hours(row.get('Time Spent')),
      Type: row.get('Type'),
      Epic: row.get('Epic Title') || row.get('Parent Title'),
      Confidential: row.get('Confidential') === 'Yes',
    },
    start: row.get('Start Date'),
    due: row.get('Due Date'),
    created: row.get('Created At (UTC)'),
    updated: row.get('Updated At (UTC)'),
    closed: row.get('Closed At (UTC)'),
    notes: [],
    times: [],
    parent: '',
  }
}
