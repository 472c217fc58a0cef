import type { JSONPath } from 'jsonc-parser'
import { appendJson, editJson } from '../../edit-json.ts'
import { FieldAccount } from '../../fields.ts'
import {
  editList,
  type FileFormat,
  type FileWriter,
  type NewTask,
  progressOf,
  type TaskChange,
  Texts,
} from '../../file-writer.ts'
import { takeApart } from '../shared/edit-sections.ts'
import { type Json, listOf, stringOf, stringsOf } from '../shared/json.ts'
import { blockerOf } from './dependencies.ts'
import { currentFiles, isTasksFile, rootOf, type TaskList, tagsOf } from './project.ts'
import { boardIdOf, columnOf, type Node, nodesOf, taskIdOf } from './tasks.ts'

export const format: FileFormat = {
  hasComments: false,
  async open(files, { now, taken }) {
    const current = currentFiles(files.filter(isTasksFile), SILENT)
    return new Writer(await Texts.of(current), now, taken)
  },
}

const SILENT = { fields: new FieldAccount({}), lose: () => {} }

/** A list of tasks as it is in its file at the moment. */
interface OpenList {
  path: string
  list: TaskList
  nodes: Map<string, Node>
  /** Where the tasks and the list itself are in the file. */
  places: Map<object, JSONPath>
}

class Writer implements FileWriter {
  private readonly ids: Set<string>

  constructor(
    private readonly texts: Texts,
    private readonly now: string,
    taken: Iterable<string>,
  ) {
    this.ids = new Set(taken)
    for (const { list, nodes } of this.lists())
      for (const id of nodes.keys()) this.ids.add(taskIdOf(list, id))
  }

  newId(board: string, parent: string | null): string {
    const prefix = parent === null ? `${board}:` : `${parent}.`
    const numbers = [...this.ids]
      .filter((id) => id.startsWith(prefix))
      .map((id) => Number.parseInt(id.slice(prefix.length), 10))
    const id = `${prefix}${Math.max(0, ...numbers.filter(Number.isFinite)) + 1}`
    this.ids.add(id)
    return id
  }

  create({ id, board, fields, done }: NewTask): void {
    const open = this.lists().find(({ list }) => boardIdOf(list) === board)
    if (!open) return
    const full = id.slice(board.length + 1)
    const parent = open.nodes.get(full.replace(/\.[^.]*$/, ''))
    const at = full.includes('.') && parent ? open.places.get(parent.content) : undefined
    const number = Number(full.split('.').at(-1))
    const basis = { id: number, title: fields.title, description: '', details: '' }
    const task = at
      ? { ...basis, status: 'pending', dependencies: [] }
      : { ...basis, testStrategy: '', status: 'pending', dependencies: [], subtasks: [] }
    const list = at ? [...at, 'subtasks'] : this.tasksPath(open)
    const text = this.texts.get(open.path)!
    const hasList = !at || Array.isArray(parent!.content.subtasks)
    this.texts.set(open.path, hasList ? appendJson(text, list, task) : editJson(text, list, [task]))
    const { archived, ...others } = fields
    const set = archived ? fields : others
    const change = { id, set, done, column: fields.column }
    this.update({ ...change, addComments: [], editComments: [], removeComments: [] })
  }

  update(change: TaskChange): void {
    const found = this.find(change.id)
    if (!found) return
    const { path, node, at } = found
    let text = this.texts.get(path)!
    const before = text
    for (const [name, value] of Object.entries(this.valuesOf(found, change)))
      if (JSON.stringify(value) !== JSON.stringify(node.content[name]))
        text = editJson(text, [...at, name], value)
    if (text !== before && node.content.updatedAt !== undefined)
      text = editJson(text, [...at, 'updatedAt'], this.now)
    this.texts.set(path, text)
  }

  /** Removes a task with its subtasks, and the dependencies of others on it. */
  remove(id: string): void {
    const found = this.find(id)
    if (!found) return
    const { path, node, nodes, places, at } = found
    let text = this.texts.get(path)!
    for (const other of nodes.values()) {
      const place = places.get(other.content)
      const names = listOf(other.content.dependencies)
      const remaining = names.filter((name) => blockerOf(other, stringOf(name), nodes) !== node.id)
      if (place && remaining.length < names.length)
        text = editJson(text, [...place, 'dependencies'], remaining)
    }
    this.texts.set(path, editJson(text, at, undefined))
  }

  changedFiles = () => this.texts.changes()

  private find(id: string) {
    for (const open of this.lists())
      for (const node of open.nodes.values()) {
        const at = open.places.get(node.content)
        if (taskIdOf(open.list, node.id) === id && at) return { ...open, node, at }
      }
    return undefined
  }

  /** Parses the files again, because each edit moves what follows it. */
  private *lists(): Generator<OpenList> {
    for (const path of this.texts.paths()) {
      const document = parse(this.texts.get(path)!)
      const places = placesIn(document)
      for (const [tag, content] of tagsOf(document)) {
        const list = { root: rootOf(path), tag, content }
        const project = { name: '', lists: [], complexity: new Map() }
        yield { path, list, nodes: nodesOf(list, project, SILENT), places }
      }
    }
  }

  private tasksPath({ list, places }: OpenList): JSONPath {
    return places.get(list.content.tasks as object) ?? [list.tag, 'tasks']
  }

  /** The new values of a task by their names. Undefined removes one. */
  private valuesOf({ list, node, nodes }: OpenList & { node: Node }, change: TaskChange): Json {
    const { content } = node
    const { title, description, priority, labels, assignees, due_date, dependencies } = change.set
    return {
      ...(title !== undefined && { title }),
      ...(description !== undefined && textValues(node, description)),
      ...this.statusValues(node, change),
      ...(priority !== undefined && { priority: this.priorityOf(priority) }),
      ...(labels && labelValues(content, labels)),
      ...(assignees && { assignee: assigneeOf(content, assignees) }),
      ...(due_date !== undefined && { dueDate: due_date ?? undefined }),
      ...(dependencies && {
        dependencies: editList<unknown>(
          listOf(content.dependencies),
          dependencies.map((id) => id.slice(boardIdOf(list).length + 1)),
          (name) => blockerOf(node, stringOf(name), nodes),
          (id) => nameFor(node, id),
        ),
      }),
    }
  }

  private statusValues({ content }: Node, { set, column, done }: TaskChange): Json {
    if (set.column === undefined && set.archived === undefined) return {}
    const isCancelled = set.archived === true && !done
    const status = isCancelled ? 'cancelled' : this.statusOf(set.column ?? column, done)
    return status === stringOf(content.status) ? {} : { status }
  }

  private statusOf(column: string, done: boolean): string {
    const word = column.toLowerCase().replaceAll(' ', '-')
    if (KNOWN.has(word)) return word
    const contents = this.lists().flatMap(({ nodes }) => nodes.values())
    const same = contents.find((node) => columnOf(node) === column)
    const other = { open: 'pending', active: 'in-progress', done: 'done' }
    return same ? stringOf(same.content.status) : other[progressOf(column, done)]
  }

  private priorityOf(priority: number): string | undefined {
    const words = this.lists().flatMap(({ nodes }) =>
      nodes.values().map(({ content }) => stringOf(content.priority)),
    )
    if (priority === 1) return words.some((word) => word === 'critical') ? 'critical' : 'high'
    return [undefined, undefined, 'high', 'medium', 'low'][priority]
  }
}

const KNOWN = new Set(['pending', 'in-progress', 'review', 'deferred', 'done', 'cancelled'])

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

/** The path of each object and list of a document. */
function placesIn(document: unknown): Map<object, JSONPath> {
  const places = new Map<object, JSONPath>()
  const visit = (value: unknown, path: JSONPath) => {
    if (typeof value !== 'object' || value === null) return
    places.set(value, path)
    for (const [name, part] of Object.entries(value))
      visit(part, [...path, Array.isArray(value) ? Number(name) : name])
  }
  visit(document, [])
  return places
}

const TEXTS: Readonly<Record<string, string>> = {
  Details: 'details',
  'Test strategy': 'testStrategy',
}

/** The description and its sections, which are values of their own. */
function textValues({ content, extras }: Node, description: string): Json {
  const isOwn = (title: string) => {
    const name = TEXTS[title]
    return name !== undefined && typeof (content[name] ?? '') === 'string'
  }
  const fixed = extras.sections.filter(({ title }) => !isOwn(title))
  const parts = takeApart(description, Object.keys(TEXTS).filter(isOwn), fixed)
  const values: Json = {}
  if (parts.text !== stringOf(content.description)) values.description = parts.text
  for (const [title, name] of Object.entries(TEXTS)) {
    const text = parts.sections.get(title) ?? ''
    if (isOwn(title) && text !== stringOf(content[name])) values[name] = text
  }
  return values
}

function labelValues(content: Json, wanted: readonly string[]): Json {
  const same = (label: string) => label
  const tags = stringsOf(content.tags).filter((tag) => wanted.includes(tag))
  const own = stringsOf(content.labels)
  const labels = wanted.filter((label) => own.includes(label) || !tags.includes(label))
  const edited = editList(own, labels, same, same)
  return {
    ...(content.tags !== undefined && { tags }),
    ...((edited.length > 0 || content.labels !== undefined) && { labels: edited }),
  }
}

/** Task Master has one assignee. Some files have a list. */
function assigneeOf({ assignee }: Json, names: readonly string[]): unknown {
  const idOf = (name: string) => name.replace(/^@/, '')
  const edited = editList(stringsOf(assignee), names, idOf, (name) => name)
  return Array.isArray(assignee) ? edited : edited[0]
}

/** A sibling by its number, another task by its number, any other subtask by its whole id. */
function nameFor({ parent, content }: Node, id: string): string | number {
  const isSibling = parent !== undefined && id.startsWith(`${parent}.`)
  const name = isSibling ? id.slice(parent.length + 1) : id
  const isText = listOf(content.dependencies).some((other) => typeof other === 'string')
  return /^\d+$/.test(name) && (isSibling || parent === undefined) && !isText ? Number(name) : name
}
