import { csvOf } from '../../csv.ts'
import { ImportProblem } from '../../problem.ts'
import type { Report, SourceFile } from '../../source.ts'
import { jsonOf } from '../../text.ts'
import { isObject, type Json, objectOf, objectsOf, stringOf } from '../shared/json.ts'
import { apiItem, exportItem, type Lookup, memberOf, type PlaneItem } from './item.ts'

export interface PlaneFiles {
  items: PlaneItem[]
  states: Json[]
  labels: Json[]
  members: Json[]
  project: Json
  assets: Map<string, SourceFile>
}

/** The files of a download, by the first part of their name. */
type Download = Map<string, { of: string; list: Json[] }[]>

const DOWNLOAD =
  /^(?:.*\/)?(project|states|labels|members|points|modules|cycles|items|comments|links|relations|attachments|module-items|cycle-items)(?:\/([^/]+))?-\d+\.json$/

export async function filesOf(files: readonly SourceFile[], report: Report): Promise<PlaneFiles> {
  const content: PlaneFiles = {
    items: [],
    states: [],
    labels: [],
    members: [],
    project: {},
    assets: new Map(),
  }
  const parts: Download = new Map()
  for (const file of files) {
    const [, kind, of = ''] = DOWNLOAD.exec(file.path) ?? []
    if (/^assets\//.test(file.path)) content.assets.set(file.path.split('/').at(-1)!, file)
    else if (kind) {
      const value = await jsonOf(file)
      report.fields.add(value, kind)
      const list = objectsOf(Array.isArray(value) ? value : [value])
      parts.set(kind, [...(parts.get(kind) ?? []), { of, list }])
    } else await readExport(file, content, report)
  }
  if (parts.size) joinDownload(parts, content, report)
  if (!content.items.length && !parts.size)
    throw new ImportProblem(
      'The file has no work items',
      'Export them in Plane under Settings, Exports, as JSON or CSV',
      { file: files[0]?.path },
    )
  return content
}

const snake = (name: string) => name.trim().toLowerCase().replace(/\s+/g, '_')

async function readExport(file: SourceFile, content: PlaneFiles, report: Report): Promise<void> {
  for (const row of await rowsOf(file)) {
    const normal = Object.fromEntries(
      Object.entries(row).map(([name, value]) => [snake(name), value]),
    )
    report.fields.add(normal, 'export[]')
    const item = exportItem(normal)
    if (item.id && item.title) content.items.push(item)
    else report.lose('A work item', 'It has no id or no name')
  }
}

async function rowsOf(file: SourceFile): Promise<Json[]> {
  if (/\.xlsx$/i.test(file.path))
    throw new ImportProblem('XLSX files cannot be imported', 'Export them as JSON or CSV', {
      file: file.path,
    })
  if (!/\.csv$/i.test(file.path)) return objectsOf(await jsonOf(file))
  const { header, rows } = await csvOf(file)
  return rows.map((row) => Object.fromEntries(header.map((name) => [name, row.get(name)])))
}

function joinDownload(parts: Download, content: PlaneFiles, report: Report): void {
  const all = (kind: string) => (parts.get(kind) ?? []).flatMap(({ list }) => list)
  const byId = (list: readonly Json[]) => new Map(list.map((one) => [stringOf(one.id), one]))
  content.project = all('project')[0] ?? {}
  content.states = all('states')
  content.labels = all('labels')
  content.members = all('members').map((member) =>
    isObject(member.member) ? member.member : member,
  )
  const lookup: Lookup = {
    project: content.project,
    states: byId(content.states),
    labels: byId(content.labels),
    members: byId(content.members),
    points: new Map(all('points').map(({ id, value }) => [stringOf(id), stringOf(value)])),
  }
  for (const item of all('items'))
    if (stringOf(item.name)) content.items.push(apiItem(item, lookup))
    else report.lose('A work item', 'It has no name')
  joinParts(parts, content, lookup)
}

function joinParts(parts: Download, { items }: PlaneFiles, lookup: Lookup): void {
  const byUuid = new Map(items.map((item) => [item.uuid, item]))
  const each = (kind: string, join: (item: PlaneItem, one: Json) => void) => {
    for (const { of, list } of parts.get(kind) ?? [])
      for (const one of list) {
        const item = byUuid.get(of)
        if (item) join(item, one)
      }
  }
  each('comments', (item, one) => item.comments.push(commentOf(one, lookup)))
  each('links', (item, { url, title }) =>
    item.links.push({ url: stringOf(url), title: stringOf(title) || stringOf(url) }),
  )
  each('relations', (item, one) => {
    for (const [type, ids] of Object.entries(one))
      for (const id of Array.isArray(ids) ? ids : [])
        item.relations.push({ type, to: byUuid.get(stringOf(isObject(id) ? id.id : id))?.id ?? '' })
  })
  each('attachments', (item, one) => item.attachments.push(attachmentOf(one)))
  for (const item of items) item.parent = byUuid.get(item.parent)?.id ?? item.parent
  joinGroups(parts, 'modules', 'module-items', byUuid)
  joinGroups(parts, 'cycles', 'cycle-items', byUuid)
}

/** The items of modules and cycles are listed by the module or cycle. */
function joinGroups(
  parts: Download,
  kind: 'modules' | 'cycles',
  members: string,
  byUuid: ReadonlyMap<string, PlaneItem>,
): void {
  const groups = (parts.get(kind) ?? []).flatMap(({ list }) => list)
  const names = new Map(groups.map(({ id, name }) => [stringOf(id), stringOf(name)]))
  for (const { of, list } of parts.get(members) ?? [])
    for (const one of list) {
      const id = stringOf(isObject(one.issue) ? one.issue.id : one.issue) || stringOf(one.id)
      const name = names.get(of)
      if (name) byUuid.get(id)?.[kind].push(name)
    }
}

const commentOf = (comment: Json, lookup: Lookup) => ({
  id: stringOf(comment.id),
  author: memberOf(stringOf(comment.actor) || stringOf(comment.created_by), lookup),
  text: stringOf(comment.comment_html),
  isHtml: true,
  created: comment.created_at,
  edited: comment.edited_at,
})

const attachmentOf = (attachment: Json) => {
  const { name, type } = objectOf(attachment.attributes)
  return {
    id: stringOf(attachment.id),
    name: stringOf(name),
    type: stringOf(type),
    created: attachment.created_at,
    url: stringOf(attachment.asset_url),
  }
}
