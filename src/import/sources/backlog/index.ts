import type { ImportRecord } from '../../record.ts'
import type { Report, Source, SourceFile } from '../../source.ts'
import { textOf } from '../../text.ts'
import { stringOf } from '../shared/json.ts'
import { cut } from '../shared/limits.ts'
import { People } from '../shared/named-people.ts'
import { limitDepth, parentsFirst } from '../shared/task-levels.ts'
import { sectionsOf } from './body.ts'
import { fields } from './fields.ts'
import { type Folder, KINDS, type PageFile, readFolders } from './folders.ts'
import { type Item, itemsOf } from './items.ts'
import { milestonesOf } from './milestones.ts'
import { boardOf, commentsOf, parentOf, relationsOf, taskOf } from './records.ts'

const FOLDERS = 'tasks|drafts|completed|archive|milestones|decisions|docs'

export const backlog: Source = {
  name: 'backlog',
  title: 'Backlog.md',
  accepts:
    'A repository with Backlog.md, or its folder with config.yml and tasks, usually named backlog',
  inFolder: new RegExp(
    `(^|/)\\.?backlog/(config\\.ya?ml|(${FOLDERS})/.*\\.md)$` +
      `|^(config|backlog\\.config)\\.ya?ml$|^(${FOLDERS})/.*\\.md$`,
  ),
  fields,
  detects,
  read,
}

async function detects(files: readonly SourceFile[]): Promise<boolean> {
  for (const file of files) {
    const isConfig = /(^|\/|^backlog\.)config\.ya?ml$/.test(file.path)
    const isTask = /(^|\/)(tasks|completed|drafts)\/[a-z]+-\d[\d.]* - .*\.md$/i.test(file.path)
    if (!isConfig && !isTask) continue
    const text = await textOf(file).catch(() => '')
    const config = /^project_name:/m.test(text) && /^(statuses|default_status):/m.test(text)
    if (isConfig ? config : /^---\s+id:/.test(text) && /^status:/m.test(text)) return true
  }
  return false
}

async function* read(files: readonly SourceFile[], report: Report): AsyncGenerator<ImportRecord> {
  const folders = await readFolders(files, report)
  const [main] = folders.toSorted((a, b) => a.root.length - b.root.length)
  const name = stringOf(main!.config.project_name)
  yield { origin: { id: cut(`backlog:${name}`, 500), title: cut(name, 500) || 'Backlog.md' } }
  const people = new People()
  const boards = folders.map((folder) => recordsOf(folder, people, report))
  for (const person of people.all()) yield { person }
  for (const { board } of boards) yield { board }
  for (const { tasks } of boards) yield* tasks
  for (const { folder, items } of boards)
    for (const relation of relationsOf(folder, items, report)) yield { relation }
}

function recordsOf(folder: Folder, people: People, report: Report) {
  const pages = folder.pages.toSorted(byPlace)
  for (const page of pages) countFields(page, report)
  const milestones = milestonesOf({ ...folder, pages })
  const others = pages.filter(({ kind }) => !kind.endsWith('milestones'))
  const items = itemsOf(folder, others, milestones.titles, report.lose)
  const board = boardOf(folder, items, milestones.texts)
  const parents = parentsIn(folder, items, report)
  const tasks: ImportRecord[] = []
  for (const [id, item] of parentsFirst(items, parents)) {
    const parent = parents.get(id)
    const place = { board, items, ...(parent !== undefined && { parent }) }
    tasks.push({ task: taskOf(folder, item, place, people, report) })
    for (const comment of commentsOf(folder, item, people, report)) tasks.push({ comment })
  }
  return { folder, items, board, tasks }
}

function parentsIn(folder: Folder, items: ReadonlyMap<string, Item>, report: Report) {
  const above = [...items].flatMap(([id, item]): [string, string][] => {
    const parent = parentOf(folder, item, items)
    return parent === undefined ? [] : [[id, parent]]
  })
  return limitDepth(new Map(above), {
    onMoved: (id) => report.lose(`Task ${id}`, 'It is too deep, and moves up to level 5'),
    onCycle: (id) => report.lose(`Parent of ${id}`, 'The task is below itself'),
  })
}

/** Tasks are in the order of their ordinals, then of their names. */
function byPlace(a: PageFile, b: PageFile): number {
  const kind = KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind)
  if (kind) return kind
  const [first, second] = [ordinalOf(a), ordinalOf(b)]
  return first === second ? COLLATOR.compare(a.path, b.path) : first - second
}

const COLLATOR = new Intl.Collator('en', { numeric: true })
const ordinalOf = ({ values }: PageFile): number => {
  const ordinal = stringOf(values.ordinal)
  return ordinal && !Number.isNaN(Number(ordinal)) ? Number(ordinal) : Number.MAX_VALUE
}

function countFields({ kind, values, text }: PageFile, report: Report): void {
  if (kind === 'decisions') report.fields.add(values, 'decision')
  else if (kind === 'docs') report.fields.add(values, 'doc')
  else if (kind.endsWith('milestones')) report.fields.add({ ...values, text }, 'milestone')
  else {
    report.fields.add(values, 'task')
    const sections = sectionsOf(text).map((title) => [title, true])
    report.fields.add(Object.fromEntries(sections), 'section')
  }
}
