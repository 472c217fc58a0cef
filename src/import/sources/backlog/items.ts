import { addExtra, addSection, type Extras, noExtras } from '../shared/extras.ts'
import { type Json, stringOf, stringsOf } from '../shared/json.ts'
import { uniqueId, wordsOf } from '../shared/names.ts'
import { cut } from '../shared/task-limits.ts'
import { type CommentText, parseBody } from './body.ts'
import { columnFor } from './columns.ts'
import { TASK_NAMES } from './fields.ts'
import type { Folder, Kind, PageFile } from './folders.ts'
import { canonicalId, idIn, nameOf } from './ids.ts'

/** A task, draft, decision or document. */
export interface Item {
  /** Unique within the folder. */
  id: string
  key: string
  kind: Kind
  /** The path of its file. */
  file: string
  values: Json
  title: string
  column: string
  labels: string[]
  text: string
  comments: CommentText[]
  extras: Extras
}

const DOCUMENTS = { decisions: 'decision', docs: 'doc' } as const
export const isDocument = (kind: Kind): kind is keyof typeof DOCUMENTS => kind in DOCUMENTS

export const prefixOf = ({ config }: Folder): string => stringOf(config.task_prefix) || 'TASK'

/** The tasks and documents of a folder by their ids. `milestones` are titles by id. */
export function itemsOf(
  folder: Folder,
  pages: readonly PageFile[],
  milestones: ReadonlyMap<string, string>,
  lose: (path: string, why: string) => void,
): Map<string, Item> {
  const items = new Map<string, Item>()
  const prefix = prefixOf(folder)
  for (const page of pages) {
    const key = isDocument(page.kind) ? documentKey(page) : idIn(page.values, page.path, prefix)
    if (!key) lose(page.path, 'It has no id, and its name is not like "task-1 - Title.md"')
    else {
      const id = uniqueId(cut(isDocument(page.kind) ? key : canonicalId(key, prefix), 300), items)
      items.set(id, itemOf(id, key, page, folder, milestones))
    }
  }
  return items
}

const documentKey = ({ kind, values, path }: PageFile): string =>
  stringOf(values.id).toLowerCase() || nameOf(path).id.toLowerCase() || `${kind}/${path}`

function itemOf(
  id: string,
  key: string,
  page: PageFile,
  folder: Folder,
  milestones: ReadonlyMap<string, string>,
): Item {
  const { kind, values, path, file } = page
  const { text, comments } = parseBody(page.text)
  const document = isDocument(kind) ? [DOCUMENTS[kind]] : []
  const labels = [...stringsOf(values.labels), ...stringsOf(values.tags), ...document]
  return {
    id,
    key,
    kind,
    file,
    values,
    title: stringOf(values.title) || headingOf(text) || nameOf(path).title || fileTitle(path),
    column: columnFor(folder, kind, values),
    labels: [...new Set(labels.map((label) => cut(label, 100)))],
    text,
    comments,
    extras: isDocument(kind) ? documentExtras(page) : taskExtras(values, milestones),
  }
}

const headingOf = (text: string) => /^# +(.+)/.exec(text)?.[1]?.trim() ?? ''
const fileTitle = (path: string) => wordsOf(path.split('/').at(-1)!.replace(/\.md$/, ''))

function taskExtras(values: Json, milestones: ReadonlyMap<string, string>): Extras {
  const extras = noExtras()
  const milestone = stringOf(values.milestone)
  addExtra(extras, 'Milestone', cut(milestones.get(milestone.toLowerCase()) ?? milestone, 100))
  addExtra(extras, 'Type', stringOf(values.type))
  const references = stringsOf(values.references)
  const [link] = references
  const isLink = references.length === 1 && /^https?:\/\/\S+$/.test(link!) && link!.length <= 200
  if (isLink) addExtra(extras, 'Reference', link)
  else addSection(extras, 'References', references)
  addSection(extras, 'Documentation', stringsOf(values.documentation))
  addSection(extras, 'Modified files', stringsOf(values.modified_files))
  for (const [name, value] of Object.entries(values))
    if (!TASK_NAMES.has(name)) addExtra(extras, wordsOf(name), value)
  return extras
}

const DOCUMENT_NAMES = new Set(
  'id title date status type created_date updated_date tags labels'.split(' '),
)

function documentExtras({ kind, values, path }: PageFile): Extras {
  const extras = noExtras()
  const isDecision = kind === 'decisions'
  addExtra(extras, isDecision ? 'Decision status' : 'Document status', stringOf(values.status))
  addExtra(extras, 'Document type', stringOf(values.type))
  if (path.includes('/')) addExtra(extras, 'Path', path)
  for (const [name, value] of Object.entries(values))
    if (!DOCUMENT_NAMES.has(name)) addExtra(extras, wordsOf(name), value)
  return extras
}
