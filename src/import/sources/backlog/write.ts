import { FieldAccount } from '../../fields.ts'
import {
  editList,
  type FileFormat,
  type FileWriter,
  type NewTask,
  type SharedFields,
  type TaskChange,
  Texts,
} from '../../file-writer.ts'
import { proposePriorities } from '../../priority.ts'
import { ImportProblem } from '../../problem.ts'
import { taskLink } from '../../source.ts'
import { takeApart } from '../shared/edit-sections.ts'
import { stringOf, stringsOf } from '../shared/json.ts'
import { statusFor } from './columns.ts'
import { editComments, editText, type Links } from './edit-body.ts'
import { FrontMatter, itemText, scalar } from './edit-front-matter.ts'
import { fields } from './fields.ts'
import { fileName } from './file-name.ts'
import { type Folder, readFolders } from './folders.ts'
import { canonicalId } from './ids.ts'
import { type Item, isDocument, prefixOf } from './items.ts'
import { readItems } from './read-items.ts'
import { boardIdOf, commentIdsOf, linkTasks, taskIdOf } from './records.ts'

export const format: FileFormat = {
  hasComments: true,
  async open(files, { now, taken }) {
    const report = { fields: new FieldAccount(fields), lose: () => {} }
    const folders = await readFolders(files, report)
    return new Writer(await Texts.of(files), folders, now, taken)
  },
}

/** A task that is in a file, or will be. */
interface Place {
  folder: Folder
  item: Item
  path: string
}

class Writer implements FileWriter {
  private readonly places = new Map<string, Place>()
  private readonly ids: Set<string>
  private readonly marksPeople: boolean

  constructor(
    private readonly texts: Texts,
    private readonly folders: readonly Folder[],
    private readonly now: string,
    taken: Iterable<string>,
  ) {
    this.ids = new Set(taken)
    for (const folder of folders)
      for (const [id, item] of readItems(folder, () => {}).items) {
        this.places.set(taskIdOf(folder, id), { folder, item, path: item.file })
        this.ids.add(taskIdOf(folder, id))
      }
    const items = [...this.places.values()].map(({ item }) => item)
    this.marksPeople = items.some(({ values }) => stringsOf(values.assignee).some(isMarked))
  }

  newId(board: string, parent: string | null): string {
    const folder = this.folderOf(board)
    const prefix = parent ?? taskIdOf(folder, prefixOf(folder).toUpperCase())
    const separator = parent === null ? '-' : '.'
    const numbers = [...this.ids].map((id) =>
      id.startsWith(prefix + separator) ? Number.parseInt(id.slice(prefix.length + 1), 10) : 0,
    )
    const id = `${prefix}${separator}${Math.max(0, ...numbers.filter(Number.isFinite)) + 1}`
    this.ids.add(id)
    return id
  }

  create(task: NewTask): void {
    const folder = this.folderOf(task.board)
    const key = folder.root ? task.id.slice(folder.root.length + 1) : task.id
    const matter = FrontMatter.parse('---\n---\n')
    matter.set('id', scalar(key))
    matter.set('title', scalar(task.fields.title))
    matter.set('status', scalar(statusFor(folder, task.fields.column)))
    matter.set('assignee', '[]')
    if (task.created_by) matter.set('reporter', scalar(this.personText(task.created_by)))
    matter.set('created_date', `'${toMinute(task.created_at)}'`)
    matter.set('labels', '[]')
    matter.set('dependencies', '[]')
    matter.body = '\n'
    this.setFields(matter, folder, undefined, task.fields)
    const body = editText('\n', task.fields.description, this.linksOf(folder))
    matter.body = editComments(body, { add: task.comments, edit: () => undefined })
    const kind = task.fields.archived ? archiveOf('tasks', task.done) : 'tasks'
    const path = [folder.base, kind, fileName(key, task.fields.title)].filter(Boolean).join('/')
    if (this.texts.get(path) !== undefined) throw occupied(path)
    this.texts.set(path, matter.toString())
  }

  update({ id, set, done, addComments, ...change }: TaskChange): void {
    const place = this.places.get(id)
    const before = place && this.texts.get(place.path)
    if (!place || before === undefined) return
    const { folder, item } = place
    const isWindows = before.includes('\r\n')
    const matter = FrontMatter.parse(before.replaceAll('\r\n', '\n'))
    this.setFields(matter, folder, item, set)
    if (set.description !== undefined) this.setDescription(matter, place, set.description)
    matter.body = this.withComments(matter.body, place, { addComments, ...change })
    let text = matter.toString()
    const isChanged = text !== before.replaceAll('\r\n', '\n')
    if (isChanged) text = this.touched(matter)
    if (isWindows) text = text.replaceAll('\n', '\r\n')
    if (isChanged) this.texts.set(place.path, text)
    if (set.archived !== undefined) this.move(place, set.archived, done)
  }

  /** Deleted tasks go to the archive, as Backlog.md has no other deletion. */
  remove(id: string): void {
    const place = this.places.get(id)
    if (place) this.move(place, true, false)
  }

  changedFiles = () => this.texts.changes()

  private folderOf(board: string): Folder {
    return this.folders.find((folder) => boardIdOf(folder) === board) ?? this.folders[0]!
  }

  private setFields(
    matter: FrontMatter,
    folder: Folder,
    item: Item | undefined,
    set: Partial<SharedFields>,
  ): void {
    const { title, column, priority, labels, assignees, due_date, parent, dependencies } = set
    if (title !== undefined) matter.setScalar('title', title, ['id'])
    if (column !== undefined && !(item && isDocument(item.kind)))
      matter.setScalar('status', statusFor(folder, column), ['title', 'id'])
    if (assignees)
      matter.setList('assignee', (items) => this.people(items, assignees), ['status', 'title'])
    if (due_date !== undefined) setDueDate(matter, due_date)
    if (labels) setLists(matter, ['labels', 'tags'], labels, itemText, scalar)
    if (dependencies) this.setDependencies(matter, folder, dependencies)
    if (parent !== undefined) this.setParent(matter, parent)
    if (priority !== undefined) setPriority(matter, folder, priority)
  }

  private people(items: readonly string[], names: readonly string[]): string[] {
    const idOf = (item: string) => itemText(item).replace(/^@/, '')
    return editList(items, names, idOf, (name) => scalar(this.personText(name)))
  }

  private personText = (name: string) => (this.marksPeople && !/\s/.test(name) ? `@${name}` : name)

  private setDependencies(matter: FrontMatter, folder: Folder, blockers: readonly string[]): void {
    const idOf = (item: string) => taskIdOf(folder, canonicalId(itemText(item), prefixOf(folder)))
    const names = ['dependencies', 'blocked_by'] as const
    setLists(matter, names, blockers, idOf, (id) => scalar(this.keyOf(id)))
  }

  private setParent(matter: FrontMatter, parent: string | null): void {
    const key = matter.has('parent') ? 'parent' : 'parent_task_id'
    if (parent === null) matter.remove(key)
    else matter.setScalar(key, this.keyOf(parent), ['dependencies'])
  }

  /** The id as people write it, which may have zeros in front. */
  private keyOf(id: string): string {
    return this.places.get(id)?.item.key ?? id.replace(/^.*:/, '')
  }

  /** The reader adds sections with other values of the file, which stay where they are. */
  private setDescription(matter: FrontMatter, { folder, item }: Place, description: string): void {
    const { text } = takeApart(description, [], item.extras.sections)
    matter.body = editText(matter.body, text, this.linksOf(folder))
  }

  private linksOf(folder: Folder): Links {
    const places = [...this.places.values()].filter((place) => place.folder === folder)
    const items = new Map(places.map(({ item }) => [item.id, item]))
    const read = (text: string) => linkTasks(text, folder, items)
    return { read, write: (text) => this.unlink(text) }
  }

  /** Links to tasks become links to their files. */
  private unlink(text: string): string {
    if (!text.includes('task:')) return text
    for (const [id, { path }] of this.places) {
      const name = path.split('/').at(-1)!.replaceAll(' ', '%20')
      text = text.replaceAll(`](${taskLink(id)})`, `](${name})`)
    }
    return text
  }

  private withComments(
    body: string,
    { folder, item }: Place,
    change: Pick<TaskChange, 'addComments' | 'editComments' | 'removeComments'>,
  ): string {
    const { addComments: add, editComments: edits, removeComments } = change
    if (!add.length && !edits.length && !removeComments.length) return body
    const ids = commentIdsOf(folder, item)
    const edit = (at: number) =>
      removeComments.includes(ids[at]!) ? null : edits.find(({ id }) => id === ids[at])?.text
    return editComments(body, { add, edit })
  }

  private touched(matter: FrontMatter): string {
    for (const key of ['updated_date', 'updated'])
      if (matter.has(key)) matter.setScalar(key, toMinute(this.now))
    return matter.toString()
  }

  private move(place: Place, archived: boolean, done: boolean): void {
    const { folder, item, path } = place
    const kind = archived
      ? archiveOf(item.kind, done)
      : item.kind.replace(/^(archive\/|completed$)/, '')
    const target = [folder.base, kind || 'tasks', path.split('/').at(-1)].filter(Boolean).join('/')
    if (target === path || isDocument(item.kind)) return
    if (this.texts.get(target) !== undefined) throw occupied(target)
    this.texts.set(target, this.texts.get(path))
    this.texts.set(path, undefined)
    place.path = target
  }
}

const isMarked = (name: string) => name.startsWith('@')

const archiveOf = (kind: string, done: boolean) =>
  kind.startsWith('archive') || kind === 'completed'
    ? kind
    : kind === 'drafts'
      ? 'archive/drafts'
      : done
        ? 'completed'
        : 'archive/tasks'

const occupied = (file: string) =>
  new ImportProblem('Another file has this name', 'Move it away, then run the same command again', {
    file,
  })

/** A time to the minute in UTC, as Backlog.md writes it. */
const toMinute = (date: string) => date.slice(0, 16).replace('T', ' ')

/** A day without a time means its end. */
function setDueDate(matter: FrontMatter, date: string | null): void {
  if (date === null) return void matter.remove('due_date')
  const isDay = !date.includes('T')
  const hadOnlyDay = /^\d{4}-\d\d-\d\d$/.test(itemText(matter.raw('due_date') ?? ''))
  const text = isDay ? (hadOnlyDay ? date : `${date} 23:59`) : toMinute(date)
  matter.setScalar('due_date', text, ['updated_date', 'created_date', 'assignee'])
}

/** Edits a list that two keys share: what is new comes to the first one. */
function setLists(
  matter: FrontMatter,
  [first, second]: readonly [string, string],
  wanted: readonly string[],
  idOf: (item: string) => string,
  create: (id: string) => string,
): void {
  const others = new Set<string>()
  if (matter.has(second))
    matter.setList(second, (items) => {
      const remaining = items.filter((item) => wanted.includes(idOf(item)))
      for (const item of remaining) others.add(idOf(item))
      return remaining
    })
  const own = wanted.filter((id) => !others.has(id))
  matter.setList(
    first,
    (items) => {
      const both = items.map(idOf).filter((id) => wanted.includes(id))
      return editList(items, [...new Set([...own, ...both])], idOf, create)
    },
    ['labels', 'assignee', 'status'],
  )
}

function setPriority(matter: FrontMatter, { config }: Folder, priority: number): void {
  const named = stringsOf(config.priorities)
  const words = named.length ? named : ['high', 'medium', 'low']
  const meanings = proposePriorities(words)
  const distance = (word: string) => Math.abs((meanings.get(word) || 9) - priority)
  const [best] = words.toSorted((a, b) => distance(a) - distance(b))
  if (priority === 0) matter.remove('priority')
  else matter.setScalar('priority', stringOf(best), ['parent_task_id', 'dependencies', 'labels'])
}
