import { parseDate } from '../shared/dates.ts'
import { isObject, type Json, numberOf, objectOf, objectsOf, stringOf } from '../shared/json.ts'
import { momentOf } from '../shared/times.ts'

export interface PlaneComment {
  id: string
  author: { id: string; name: string }
  text: string
  isHtml: boolean
  created: unknown
  edited: unknown
}

export interface PlaneLink {
  url: string
  title: string
}

/** A work item of the API or of an export. */
export interface PlaneItem {
  /** The key, such as HARBOR-12. */
  id: string
  /** The id inside Plane; empty in exports. */
  uuid: string
  project: string
  projectName: string
  title: string
  description: string
  isHtml: boolean
  state: string
  priority: string
  estimate: string
  labels: string[]
  assignees: { id: string; name: string }[]
  author: { id: string; name: string }
  parent: string
  modules: string[]
  cycles: string[]
  type: string
  isArchived: boolean
  isDraft: boolean
  start: unknown
  due: unknown
  created: unknown
  updated: unknown
  completed: unknown
  links: PlaneLink[]
  relations: { type: string; to: string }[]
  comments: PlaneComment[]
  attachments: { id: string; name: string; type: string; created: unknown; url: string }[]
}

/** Exports write days such as `Mon, 02 Mar 2026`, and times behind them. */
export function exportTime(value: unknown): string {
  const text = stringOf(value)
  return /^\d{4}-/.test(text) ? text : (parseDate(text) ?? text)
}

const personOf = (name: string) => ({ id: name.trim(), name: name.trim() })

/** A list in a cell is JSON, or its values are joined by commas. */
export function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  const text = stringOf(value)
  if (!text) return []
  return isObject(parsed(text)) ? [parsed(text)] : (jsonList(text) ?? text.split(', '))
}

const jsonList = (text: string): unknown[] | undefined => {
  const value = parsed(text)
  return Array.isArray(value) ? value : undefined
}

function parsed(text: string): unknown {
  if (!/^[[{]/.test(text)) return
  try {
    return JSON.parse(text)
  } catch {
    return
  }
}

const textsOf = (value: unknown) => listOf(value).map(stringOf).filter(Boolean)

/** Reads a row of an export. Its names are in lower case with underscores. */
export function exportItem(row: Json): PlaneItem {
  const number = stringOf(row.sequence_id)
  const project = stringOf(row.project_identifier)
  const id = stringOf(row.identifier) || stringOf(row.id)
  const key = /^[^-\s]+-\d+$/.test(id) ? id : project && number ? `${project}-${number}` : id
  return {
    id: key,
    uuid: '',
    project: project || key.replace(/-\d+$/, ''),
    projectName: stringOf(row.project_name) || stringOf(row.project),
    title: stringOf(row.name),
    description: stringOf(row.description),
    isHtml: false,
    state: stringOf(row.state_name) || stringOf(row.state),
    priority: stringOf(row.priority),
    estimate: stringOf(row.estimate),
    labels: textsOf(row.labels),
    assignees: textsOf(row.assignees ?? row.assignee).map(personOf),
    author: personOf(stringOf(row.created_by_name) || stringOf(row.created_by)),
    parent: stringOf(row.parent),
    modules: textsOf(row.modules ?? row.module_name),
    cycles: textsOf(row.cycles ?? row.cycle_name),
    type: '',
    isArchived: Boolean(stringOf(row.archived_at)),
    isDraft: /^true$/i.test(stringOf(row.is_draft)) || row.is_draft === true,
    start: exportTime(row.start_date),
    due: exportTime(row.target_date),
    created: exportTime(row.created_at),
    updated: exportTime(row.updated_at),
    completed: exportTime(row.completed_at),
    links: listOf(row.links ?? row.link).flatMap(linkOf),
    relations: relationsOf(row.relations),
    comments: listOf(row.comments).filter(isObject).map(exportComment(key)),
    attachments: [],
  }
}

const linkOf = (link: unknown): PlaneLink[] => {
  const url = stringOf(isObject(link) ? link.url : link)
  return url ? [{ url, title: stringOf(objectOf(link).title) || url }] : []
}

/** Newer exports have a list of relations, older ones one relation of each type. */
function relationsOf(value: unknown): PlaneItem['relations'] {
  const [first] = listOf(value)
  if (isObject(value) || (isObject(first) && !('issue' in first)))
    return Object.entries(isObject(value) ? value : objectOf(first)).map(([type, to]) => ({
      type,
      to: stringOf(to),
    }))
  return objectsOf(listOf(value)).map(({ type, issue, direction }) => ({
    type: direction === 'incoming' ? reverseOf(stringOf(type)) : stringOf(type),
    to: stringOf(issue),
  }))
}

const reverseOf = (type: string) => (type === 'blocked_by' ? 'blocking' : type)

const exportComment =
  (item: string) =>
  (comment: Json, at: number): PlaneComment => ({
    id: `${item} ${momentOf(exportTime(comment.created_at)) ?? ''} ${at}`,
    author: personOf(stringOf(comment.created_by)),
    text: stringOf(comment.comment),
    isHtml: false,
    created: exportTime(comment.created_at),
    edited: undefined,
  })

/** What an id of the API stands for. */
export interface Lookup {
  project: Json
  states: ReadonlyMap<string, Json>
  labels: ReadonlyMap<string, Json>
  members: ReadonlyMap<string, Json>
  points: ReadonlyMap<string, string>
}

const idOf = (value: unknown) => stringOf(isObject(value) ? value.id : value)

/** Reads a work item of the API. */
export function apiItem(item: Json, lookup: Lookup): PlaneItem {
  const project = stringOf(lookup.project.identifier)
  const state = idOf(item.state) || stringOf(item.state_id)
  const person = (value: unknown) => memberOf(idOf(value), lookup)
  const point = idOf(item.estimate_point) || stringOf(item.estimate_point_id)
  return {
    id: project ? `${project}-${stringOf(item.sequence_id)}` : stringOf(item.id),
    uuid: stringOf(item.id),
    project,
    projectName: stringOf(lookup.project.name),
    title: stringOf(item.name),
    description: stringOf(item.description_html),
    isHtml: true,
    state: stringOf(lookup.states.get(state)?.name) || stringOf(objectOf(item.state).name),
    priority: stringOf(item.priority),
    estimate: lookup.points.get(point) ?? String(numberOf(item.point) ?? ''),
    labels: listOf(item.labels ?? item.label_ids).flatMap(
      (label) => stringOf((lookup.labels.get(idOf(label)) ?? objectOf(label)).name) || [],
    ),
    assignees: listOf(item.assignees ?? item.assignee_ids).map(person),
    author: person(item.created_by),
    parent: idOf(item.parent) || stringOf(item.parent_id),
    modules: [],
    cycles: [],
    type: stringOf(objectOf(item.type).name),
    isArchived: Boolean(item.archived_at),
    isDraft: item.is_draft === true,
    start: item.start_date,
    due: item.target_date,
    created: item.created_at,
    updated: item.updated_at,
    completed: item.completed_at,
    links: [],
    relations: [],
    comments: [],
    attachments: [],
  }
}

export const memberName = (member: Json): string =>
  stringOf(member.display_name) ||
  [member.first_name, member.last_name].map(stringOf).filter(Boolean).join(' ')

export const memberOf = (id: string, { members }: Lookup) => ({
  id,
  name: memberName(members.get(id) ?? {}),
})
