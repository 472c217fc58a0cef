import { editJson } from '../../edit-json.ts'
import { FieldAccount } from '../../fields.ts'
import {
  editList,
  type FileFormat,
  type FileWriter,
  type NewComment,
  type NewTask,
  progressOf,
  type TaskChange,
  Texts,
} from '../../file-writer.ts'
import { takeApart } from '../shared/edit-sections.ts'
import { isObject, type Json, listOf, stringOf, stringsOf } from '../shared/json.ts'
import { wordsOf } from '../shared/names.ts'
import { SECTION_NAMES } from './fields.ts'
import { extrasOf } from './issues.ts'
import { prefixOf } from './lines.ts'
import { BLOCKS, linksOf, PARENT } from './links.ts'

export const format: FileFormat = {
  hasComments: true,
  async open(files, { now, taken }) {
    const paths = new Set(files.map(({ path }) => path))
    const current = files.filter(
      ({ path }) =>
        !paths.has(path.replace(/beads\.jsonl$/, 'issues.jsonl')) || !/beads\.jsonl$/.test(path),
    )
    return new Writer(await Texts.of(current), now, taken)
  },
}

/** The line of an issue. */
interface Place {
  path: string
  line: number
  issue: Json
}

const FLAGS: Readonly<Record<string, string>> = {
  pinned: 'pinned',
  ephemeral: 'ephemeral',
  template: 'is_template',
}
const SECTION_TITLES = [...new Set(Object.values(SECTION_NAMES))]
const AUTHOR = 'corkboard'

class Writer implements FileWriter {
  private readonly places = new Map<string, Place>()
  private readonly lines = new Map<string, string[]>()
  private readonly added: { id: string; line: string }[] = []
  private readonly ids: Set<string>

  constructor(
    private readonly texts: Texts,
    private readonly now: string,
    taken: Iterable<string>,
  ) {
    this.ids = new Set(taken)
    for (const path of texts.paths()) {
      const lines = texts.get(path)!.split('\n')
      this.lines.set(path, lines)
      for (const [line, text] of lines.entries()) this.addPlace(path, line, text)
    }
  }

  private addPlace(path: string, line: number, text: string): void {
    const issue = parse(text)
    const id = stringOf(issue?.id)
    if (!issue || !id) return
    this.ids.add(id)
    const other = this.places.get(id)
    const isNewer = !other || stringOf(issue.updated_at) >= stringOf(other.issue.updated_at)
    if (issue.status !== 'tombstone' && isNewer) this.places.set(id, { path, line, issue })
  }

  newId(_board: string, parent: string | null): string {
    const prefix = parent ?? prefixOf(this.places.keys())
    const separator = parent === null ? '-' : '.'
    const own = [...this.ids].filter((id) => id.startsWith(prefix + separator))
    const names = own.map((id) => id.slice(prefix.length + 1))
    const isCounted =
      parent !== null || (names.length > 0 && names.every((n) => /^\d+(\.|$)/.test(n)))
    const numbers = names.map((name) => Number.parseInt(name, 10)).filter(Number.isFinite)
    const next = isCounted ? String(Math.max(0, ...numbers) + 1) : this.randomName(prefix)
    const id = `${prefix}${separator}${next}`
    this.ids.add(id)
    return id
  }

  private randomName(prefix: string): string {
    for (;;) {
      const [number = 0] = crypto.getRandomValues(new Uint32Array(1))
      const name = (number % 36 ** 4).toString(36).padStart(4, '0')
      const isHash = /[a-z]/.test(name) && /\d/.test(name)
      if (isHash && !this.ids.has(`${prefix}-${name}`)) return name
    }
  }

  create({ id, fields, done, created_by, created_at, comments }: NewTask): void {
    const issue = { id, title: fields.title, description: '', status: 'open', priority: 2 }
    const extra = { issue_type: 'task', created_at, created_by, updated_at: this.now }
    const start = JSON.stringify({ ...issue, ...extra })
    const place: Place = { path: '', line: 0, issue: JSON.parse(start) }
    const change = { id, column: fields.column, done, editComments: [], removeComments: [] }
    const { archived, ...others } = fields
    const set = archived ? fields : others
    const line = this.edited(start, place, { ...change, set, addComments: comments })
    this.added.push({ id, line })
  }

  update(change: TaskChange): void {
    const place = this.places.get(change.id)
    const line = place && this.lines.get(place.path)![place.line]
    if (!place || line === undefined) return
    const edited = this.edited(line, place, change)
    if (edited !== line)
      this.lines.get(place.path)![place.line] = editJson(edited, ['updated_at'], this.now)
  }

  /** Older versions of beads mark deleted issues; newer ones skip those that are marked. */
  remove(id: string): void {
    const place = this.places.get(id)
    if (!place) return
    const lines = this.lines.get(place.path)!
    const tombstone = {
      status: 'tombstone',
      ...{ deleted_at: this.now, deleted_by: AUTHOR, delete_reason: 'Deleted on the board' },
      original_type: stringOf(place.issue.issue_type) || 'task',
      updated_at: this.now,
    }
    lines[place.line] = Object.entries(tombstone).reduce(
      (line, [name, value]) => editJson(line, [name], value),
      lines[place.line]!,
    )
  }

  changedFiles(): ReadonlyMap<string, string | undefined> {
    const [main] = this.lines.keys()
    for (const [path, lines] of this.lines) {
      const all = path === main ? withAdded(lines, this.added) : lines
      this.texts.set(path, all.join('\n'))
    }
    return this.texts.changes()
  }

  private edited(line: string, place: Place, change: TaskChange): string {
    const { issue } = place
    const values = {
      ...this.fieldValues(issue, change),
      ...this.commentValues(issue, change),
    }
    return Object.entries(values).reduce(
      (text, [name, value]) =>
        JSON.stringify(value) === JSON.stringify(issue[name])
          ? text
          : editJson(text, [name], value),
      line,
    )
  }

  /** The new values of an issue by their names. Undefined removes one. */
  private fieldValues(issue: Json, change: TaskChange): Json {
    const { title, description, priority, labels, assignees, due_date } = change.set
    return {
      ...(title !== undefined && { title }),
      ...(description !== undefined && this.textValues(issue, description)),
      ...this.statusValues(issue, change),
      ...(priority !== undefined && { priority: priority === 0 ? 4 : priority - 1 }),
      ...(labels && labelValues(issue, labels)),
      ...(assignees && { assignee: assignees[0] }),
      ...(due_date !== undefined && { due_at: momentText(due_date) }),
      ...this.linkValues(issue, change),
    }
  }

  private statusValues(issue: Json, { set, column, done }: TaskChange): Json {
    if (set.column === undefined && set.archived === undefined) return {}
    const status = set.archived ? 'closed' : this.statusOf(set.column ?? column, done)
    if (status === stringOf(issue.status)) return {}
    const closed_at = status === 'closed' ? this.now : undefined
    return { status, closed_at, ...(status !== 'closed' && { close_reason: undefined }) }
  }

  private statusOf(column: string, done: boolean): string {
    const word = column.toLowerCase().replaceAll(' ', '_')
    if (KNOWN.has(word)) return word
    const used = [...this.places.values()].map(({ issue }) => stringOf(issue.status))
    const same = used.find((status) => wordsOf(status) === column)
    return same ?? { open: 'open', active: 'in_progress', done: 'closed' }[progressOf(column, done)]
  }

  /** The description and its sections, which are values of their own. */
  private textValues(issue: Json, description: string): Json {
    const all = new Map([...this.places].map(([id, other]) => [id, other.issue]))
    const links = linksOf(all, SILENT).lines.get(stringOf(issue.id)) ?? []
    const { sections } = extrasOf(issue, links)
    const fixed = sections.filter(({ title }) => !isText(issue, title))
    const parts = takeApart(description, SECTION_TITLES, fixed)
    const values: Json = {}
    if (parts.text !== stringOf(issue.description)) values.description = parts.text
    for (const [name, title] of Object.entries(SECTION_NAMES)) {
      const text = parts.sections.get(title)
      if (name === 'closed_reason' && issue.closed_reason === undefined) continue
      if ((text ?? '') !== stringOf(issue[name])) values[name] = text
    }
    return values
  }

  private linkValues(issue: Json, { set: { parent, dependencies } }: TaskChange): Json {
    if (parent === undefined && !dependencies) return {}
    const id = stringOf(issue.id)
    const link = (target: string, type: string) => ({
      ...{ issue_id: id, depends_on_id: target, type },
      ...{ created_at: this.now, created_by: AUTHOR },
    })
    let links = listOf(issue.dependencies)
    if (dependencies) {
      const [blocking, others] = partition(links, (one) => BLOCKS.has(typeIn(one)))
      const blocks = (target: string) => link(target, 'blocks')
      links = [...others, ...editList<unknown>(blocking, dependencies, targetIn, blocks)]
    }
    if (parent !== undefined) {
      const others = links.filter((one) => typeIn(one) !== PARENT)
      links = parent === null ? others : [...others, link(parent, PARENT)]
    }
    return {
      dependencies: links.length ? links : undefined,
      ...(parent !== undefined && issue.parent !== undefined && { parent: parent ?? undefined }),
    }
  }

  private commentValues(issue: Json, change: TaskChange): Json {
    const { addComments, editComments, removeComments } = change
    if (!addComments.length && !editComments.length && !removeComments.length) return {}
    const id = stringOf(issue.id)
    const remaining = listOf(issue.comments).flatMap((comment) => {
      const commentId = isObject(comment) ? commentIdOf(id, comment) : undefined
      if (!isObject(comment) || commentId === undefined) return [comment]
      if (removeComments.includes(commentId)) return []
      const edit = editComments.find((one) => one.id === commentId)
      return [edit ? { ...comment, text: edit.text } : comment]
    })
    const comments = [...remaining, ...addComments.map((comment) => this.newComment(id, comment))]
    return { comments: comments.length ? comments : undefined }
  }

  private newComment(issue_id: string, { author, text, created_at }: NewComment): Json {
    return { id: crypto.randomUUID(), issue_id, author, text, created_at }
  }
}

const KNOWN = new Set(['open', 'in_progress', 'blocked', 'deferred', 'closed', 'pinned', 'hooked'])
const SILENT = { fields: new FieldAccount({}), lose: () => {} }

function parse(line: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(line.replace(/^\uFEFF/, ''))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The lines of a file with new ones at the end, before the last line break. */
function withAdded(lines: readonly string[], added: readonly { id: string; line: string }[]) {
  const result = [...lines]
  for (const { line } of added) {
    const end = result.at(-1)?.trim() === '' ? result.length - 1 : result.length
    result.splice(end, 0, line)
  }
  return result
}

/** The id that the reader gives to a comment. */
function commentIdOf(issue: string, { id, created_at }: Json): string {
  const name = (typeof id === 'string' && id) || stringOf(created_at) || 'comment'
  return `${issue}:${name.slice(0, 90)}`
}

const typeIn = (link: unknown) => (isObject(link) && stringOf(link.type)) || 'blocks'
const targetIn = (link: unknown) => stringOf(isObject(link) ? link.depends_on_id : link)

const isText = (issue: Json, title: string) =>
  Object.entries(SECTION_NAMES).some(
    ([name, other]) => other === title && typeof issue[name] === 'string',
  )

function labelValues(issue: Json, labels: readonly string[]): Json {
  const flags = Object.entries(FLAGS).filter(([, name]) => issue[name])
  const own = stringsOf(issue.labels)
  const fromFlags = flags.map(([label]) => label).filter((label) => !own.includes(label))
  const wanted = labels.filter((label) => !fromFlags.includes(label))
  const list = editList(
    own,
    wanted,
    (label) => label,
    (label) => label,
  )
  const cleared = flags
    .filter(([label]) => !labels.includes(label))
    .map(([, name]) => [name, false])
  return { labels: list.length ? list : undefined, ...Object.fromEntries(cleared) }
}

/** beads has only moments. */
const momentText = (date: string | null) =>
  date === null ? undefined : date.includes('T') ? date : `${date}T00:00:00Z`

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))]
}
