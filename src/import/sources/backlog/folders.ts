import { ImportProblem } from '../../problem.ts'
import type { Report, SourceFile } from '../../source.ts'
import { textOf } from '../../text.ts'
import { refuseConflict } from '../shared/conflict-markers.ts'
import { type Json, stringOf } from '../shared/json.ts'
import { type Page, parsePage, parseYaml } from './front-matter.ts'

/** The folders of Backlog.md, in the order in which a repeated id is decided. */
export const KINDS = [
  'tasks',
  'drafts',
  'completed',
  'archive/tasks',
  'archive/drafts',
  'milestones',
  'archive/milestones',
  'decisions',
  'docs',
] as const
export type Kind = (typeof KINDS)[number]

export interface PageFile extends Page {
  kind: Kind
  /** Below the folder of its kind. */
  path: string
  /** The whole path of the file. */
  file: string
}

export interface Folder {
  /** The folder above that of Backlog.md; empty if that is what was imported. */
  root: string
  /** The folder of Backlog.md itself; empty if that is what was imported. */
  base: string
  config: Json
  pages: PageFile[]
}

const CONFIG = /^(?:(.*)\/)?(backlog\.)?config\.ya?ml$/
const USUAL = /(^|\/)\.?backlog$/

/** Reads all folders of Backlog.md among the files. */
export async function readFolders(files: readonly SourceFile[], report: Report): Promise<Folder[]> {
  const folders = await readConfigs(files, report)
  const isConfigured = folders.size > 0
  // A repository has folders with names such as docs beside the one of Backlog.md.
  const isBase = (base: string) =>
    folders.has(base) || USUAL.test(base) || (base === '' && !isConfigured)
  for (const file of files) {
    const place = placeOf(file.path, isBase)
    const page = place && (await pageOf(file, report))
    if (!page) continue
    const { base, kind, path } = place
    const folder = folders.get(base) ?? {
      ...{ root: base.replace(USUAL, ''), base },
      ...{ config: {}, pages: [] },
    }
    folders.set(base, folder)
    folder.pages.push({ ...page, kind, path, file: file.path })
  }
  if (folders.size) return [...folders.values()]
  throw new ImportProblem(
    'There are no tasks of Backlog.md',
    'Import the folder with its config.yml and tasks, usually named backlog',
    { file: files[0]?.path },
  )
}

/** Which folder of Backlog.md a file is in, and where. */
function placeOf(file: string, isBase: (base: string) => boolean) {
  if (!file.endsWith('.md') || /(^|\/)readme\.md$/i.test(file)) return undefined
  const names = file.split('/')
  for (let at = 0; at < names.length - 1; at++) {
    const base = names.slice(0, at).join('/')
    const rest = names.slice(at).join('/')
    const kind = KINDS.find((name) => rest.startsWith(`${name}/`))
    if (kind && isBase(base)) return { base, kind, path: rest.slice(kind.length + 1) }
  }
  return undefined
}

/** The folders with a configuration, by their paths. */
async function readConfigs(files: readonly SourceFile[], report: Report) {
  const folders = new Map<string, Folder>()
  for (const file of files) {
    const match = CONFIG.exec(file.path)
    const config = match && (await configOf(file, report))
    if (!config) continue
    const [, above = '', isInRoot] = match
    const own = stringOf(config.backlog_directory).replace(/^\.\/|\/$/g, '') || 'backlog'
    const base = isInRoot ? [above, own].filter(Boolean).join('/') : above
    const root = isInRoot ? above : above.replace(USUAL, '')
    if (!folders.has(base)) folders.set(base, { root, base, config, pages: [] })
  }
  return folders
}

async function configOf(file: SourceFile, report: Report): Promise<Json | undefined> {
  const text = await textOf(file)
  refuseConflict(text, file.path)
  const config = parseYaml(text.replace(/\r\n?/g, '\n'))
  if (!config) report.lose(file.path, 'Its YAML is damaged')
  const isOurs = config && ('statuses' in config || 'project_name' in config)
  if (isOurs) report.fields.add(config, 'config')
  return isOurs ? config : undefined
}

async function pageOf(file: SourceFile, report: Report): Promise<Page | undefined> {
  let page: Page | undefined
  try {
    const text = await textOf(file)
    refuseConflict(text, file.path)
    page = parsePage(text)
  } catch (error) {
    report.lose(file.path, error instanceof ImportProblem ? error.problem : String(error))
    return undefined
  }
  if (!page) report.lose(file.path, 'The YAML at its beginning is damaged')
  return page
}
