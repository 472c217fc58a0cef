import type { ImportRecord } from '../../record.ts'
import type { Report, Source, SourceFile } from '../../source.ts'
import { beginningOf } from '../../text.ts'
import { stringOf } from '../shared/json.ts'
import { RecordCollector } from '../shared/record-collector.ts'
import { sectionsOf } from './body.ts'
import { fields } from './fields.ts'
import { type Folder, type PageFile, readFolders } from './folders.ts'
import { readItems } from './read-items.ts'
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
    const text = await beginningOf(file)
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
  for (const page of folder.pages) countFields(page, report)
  const { items, milestones } = readItems(folder, report.lose)
  addBoard(folder, items, milestones.texts, records)
  for (const item of items.values()) addTask(folder, item, items, records)
  for (const { kind, first, second } of relationsOf(folder, items, report))
    records.relation(kind, first, second)
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
