import type { Person } from '../../record.ts'
import { newPerson } from '../shared/person.ts'
import type { TypedValue } from '../shared/task-limits.ts'

/** The types of statuses, in the order of a workflow. */
export const STATE_TYPES = [
  'triage',
  'backlog',
  'unstarted',
  'started',
  'completed',
  'canceled',
] as const
export type StateType = (typeof STATE_TYPES)[number]

export interface State {
  name: string
  type: StateType
}

export interface Team {
  key: string
  name: string
  description?: string
  states: State[]
}

export interface Label {
  name: string
  color?: string
}

export interface IssueComment {
  id: string
  author?: string
  text: string
  created?: string
  edited?: string
  replyTo?: string
}

export interface Issue {
  /** Such as ENG-12. */
  id: string
  uuid: string
  team: string
  title: string
  description: string
  state: string
  /** 0 none, 1 urgent to 4 low. */
  priority: number
  /** 2 XS to 6 XL, if the team estimates in sizes. */
  size?: number
  labels: Label[]
  assignee?: string
  creator?: string
  created?: string
  updated?: string
  completed?: string
  isClosed: boolean
  isArchived: boolean
  due?: string
  parent?: string
  values: TypedValue[]
  blocks: string[]
  blockedBy: string[]
  related: string[]
  links: { title: string; url: string }[]
  files: { id: string; name: string; url: string; author?: string; created?: string }[]
  comments: IssueComment[]
}

export interface LinearData {
  people: Map<string, Person>
  teams: Map<string, Team>
  issues: Issue[]
}

/** Registers a person. The email address is the id, since the CSV has nothing else. */
export function addPerson(
  people: Map<string, Person>,
  { id = '', name = '', email = '' }: { id?: string; name?: string; email?: string },
): string | undefined {
  const key = (email || id || name).slice(0, 500)
  if (!key) return undefined
  if (!people.has(key)) people.set(key, newPerson(key, name, email))
  return key
}

const DEFAULTS: Record<string, StateType> = {
  triage: 'triage',
  backlog: 'backlog',
  icebox: 'backlog',
  todo: 'unstarted',
  'to do': 'unstarted',
  'in progress': 'started',
  'in review': 'started',
  done: 'completed',
  completed: 'completed',
  released: 'completed',
  canceled: 'canceled',
  cancelled: 'canceled',
  duplicate: 'canceled',
}

export const defaultType = (name: string): StateType | undefined => DEFAULTS[name.toLowerCase()]

/** A type of the API; the newer type "duplicate" counts as canceled. */
export const stateType = (type: string): StateType =>
  STATE_TYPES.find((known) => known === type) ?? (type === 'duplicate' ? 'canceled' : 'unstarted')
