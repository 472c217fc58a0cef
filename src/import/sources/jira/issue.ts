import type { Person } from '../../record.ts'
import type { TypedValue } from '../shared/task-limits.ts'

/** A text in one of the formats of Jira. */
export type RichText = { wiki: string } | { document: unknown } | { html: string }

export interface Project {
  key: string
  name: string
  description?: string
  lead?: string
}

/** The three kinds of statuses: not begun, in progress, and done. */
export type Category = 'new' | 'indeterminate' | 'done'

export interface IssueComment {
  id?: string
  author?: string
  text: RichText
  created?: string
  edited?: string
  replyTo?: string
}

export interface Worklog {
  id?: string
  author?: string
  day: string
  seconds: number
  note?: RichText
}

export interface IssueFile {
  id?: string
  author?: string
  name: string
  url: string
  type?: string
  created?: string
}

export interface IssueLink {
  /** How this task relates to the other one, such as "blocks". */
  phrase: string
  kind: 'blocks' | 'blocked by' | 'related' | 'other'
  key: string
}

/** A task, as all formats of Jira describe it. People are named by their ids. */
export interface Issue {
  key: string
  id: string
  project: Project
  summary: string
  status: string
  category?: Category
  description?: RichText
  environment?: RichText
  sections: { title: string; text: RichText }[]
  priority?: string
  resolution?: string
  labels: string[]
  assignee?: string
  creator?: string
  created?: string
  updated?: string
  resolved?: string
  due?: string
  start?: string
  /** The key or id of the parent or epic. */
  parent?: string
  /** What is known of a parent that is not imported. */
  parentTitle?: string
  rank?: string
  values: TypedValue[]
  links: IssueLink[]
  comments: IssueComment[]
  worklogs: Worklog[]
  files: IssueFile[]
}

/** Everything that the files of one import contain. */
export interface JiraData {
  people: Map<string, Person>
  issues: Issue[]
  /** The order of the statuses of a project, if the files tell it. */
  statuses: Map<string, { name: string; category?: Category }[]>
}

export const projectKeyOf = (issueKey: string): string => issueKey.replace(/-\d+$/, '')

/** The kind of a link from the name of its type, or from its phrase such as "is blocked by". */
export function linkKind(type: string, isInward: boolean): IssueLink['kind'] {
  if (/^block/i.test(type)) return isInward ? 'blocked by' : 'blocks'
  return /^relate/i.test(type) ? 'related' : 'other'
}

export const hoursOf = (seconds: number): number => Math.round(seconds / 36) / 100
