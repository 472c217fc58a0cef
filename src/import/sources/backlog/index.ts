import type { ImportRecord } from '../../record.ts'
import type { Report, Source, SourceFile } from '../../source.ts'
import { textOf } from '../../text.ts'
import { stringOf } from '../shared/json.ts'
import { RecordCollector } from '../shared/record-collector.ts'
import { sectionsOf } from './body.ts'
import { fields } from './fields.ts'
import { type Folder, KINDS, type PageFile, readFolders } from './folders.ts'
import { itemsOf } from './items.ts'
import { milestonesOf } from './milestones.ts'
import { addBoard, addTask, relationsOf } from './records.ts'

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
  const origin = { id: `backlog:${name}`, title: name || 'Backlog.md' }
  const records = new RecordCollector(origin, report)
  for (const folder of folders) addFolder(folder, records)
  yield* records.records()
}

function addFolder(folder: Folder, records: RecordCollector): void {
  const { report } = records
  const pages = folder.pages.toSorted(byPlace)
  for (const page of pages) countFields(page, report)
  const milestones = milestonesOf({ ...folder, pages })
  const others = pages.filter(({ kind }) => !kind.endsWith('milestones'))
  const items = itemsOf(folder, others, milestones.titles, report.lose)
  addBoard(folder, items, milestones.texts, records)
  for (const item of items.values()) addTask(folder, item, items, records)
  for (const { kind, first, second } of relationsOf(folder, items, report))
    records.relation(kind, first, second)
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
