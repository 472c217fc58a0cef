import { resolve } from 'node:path'
import { ImportApiError, type Preview } from '../../../import/api.ts'
import type { FileWriter } from '../../../import/file-writer.ts'
import { previewPlan } from '../../../import/mapping.ts'
import type { Plan } from '../../../import/plan.ts'
import { ImportProblem } from '../../../import/problem.ts'
import { FORMATS } from '../../../import/sources/formats.ts'
import { SOURCES } from '../../../import/sources/index.ts'
import { Client } from '../client.ts'
import { CommandError, UsageError } from '../command.ts'
import type { ImportContext } from '../import/context.ts'
import { isFolder } from '../import/local-files.ts'
import { restApi } from '../import/rest-api.ts'
import { targetOf } from '../import/target.ts'
import { plain } from '../table.ts'
import { applyToBoard } from './apply-to-board.ts'
import { applyToFiles } from './apply-to-files.ts'
import { baseFileOf, readState, type SyncState, writeState } from './base-file.ts'
import { BoardWriter } from './board-writer.ts'
import { type FilesSide, readPlan, readSide } from './files-side.ts'
import type { Side, Values } from './merge.ts'
import { type Boards, planRun, readBoards, type TaskPlan } from './plan-run.ts'
import { linkOnServer, remember, reserveComments } from './remember.ts'
import { type Changes, changesOf, linesOf, shortfalls } from './report.ts'
import { type Adopted, sendNew } from './send-new.ts'
import type { Session } from './session.ts'
import { readFiles, withChanges, writeChanges } from './text-files.ts'
import type { Translation } from './translate.ts'

const SOURCE_NAMES = Object.keys(FORMATS)

/** The exit code of a run that leaves conflicts. */
const CONFLICTS = 3

type Options = Pick<ImportContext, 'catalog' | 'io' | 'values'>

/** Brings the tasks in files and on a board to the same state. */
export async function syncFiles(options: Options): Promise<number> {
  try {
    const session = await openSession(options)
    return await run(session)
  } catch (error) {
    if (error instanceof ImportProblem) throw new CommandError(error.message)
    if (!(error instanceof ImportApiError)) throw error
    throw error.cause ?? new CommandError(error.message)
  }
}

async function openSession({ catalog, io, values }: Options): Promise<Session & { plan: Plan }> {
  const { source: name = '', folder: path = '', prefer } = values
  if (!SOURCE_NAMES.includes(name))
    throw new UsageError(`"${name}" cannot be synced. Name one of: ${SOURCE_NAMES.join(', ')}`)
  const folder = resolve(io.cwd(), path)
  if (!(await isFolder(folder))) throw new UsageError(`${path} is not a folder`)
  const [source, format] = [await SOURCES[name as 'beads']!(), await FORMATS[name]!()]
  const client = new Client(io)
  const statePath = baseFileOf(folder, name)
  const state = await readState(statePath, client.url)
  const files = await readFiles(folder, source)
  const plan = await readPlan(source, files)
  const context = { catalog, io, values: withBoard(values, state), client }
  const target = await targetOf(context as ImportContext)
  const api = restApi(client, catalog)
  const preview = await previewPlan(api, plan, target.team_id)
  const projects = projectsOf(plan, preview, state, target.project_id)
  const writer = new BoardWriter({ client, catalog, api, team_id: target.team_id, state })
  const isDryRun = values['dry-run'] !== undefined
  return {
    ...{ ...context, api, source, format, folder, files, plan, state, statePath, preview },
    ...{ projects, prefer: prefer as Side | undefined, isDryRun, writer, notes: [] },
  }
}

/** A later run goes to the board of the first one. */
function withBoard(values: Options['values'], { boards }: SyncState): Options['values'] {
  const [board] = Object.values(boards)
  if (!board || values.project !== undefined) return values
  const { team: _, ...others } = values
  return { ...others, project: String(board.project_id) }
}

function projectsOf(
  { boards }: Plan,
  preview: Preview,
  state: SyncState,
  project_id: number | undefined,
): Map<string, number> {
  const projects = new Map<string, number>()
  for (const { id, title } of boards) {
    const imported = preview.boards.find((board) => board.id === id)?.project_id ?? undefined
    const known = state.boards[id]?.project_id ?? imported
    const isFirst = Object.keys(state.boards).length === 0
    if (isFirst && known !== undefined && project_id !== undefined && known !== project_id)
      throw new CommandError(
        `"${title}" was imported to board ${known}, and is in step with that. Leave out --project`,
      )
    const target = known ?? project_id
    if (target !== undefined) projects.set(id, target)
  }
  return projects
}

async function run(session: Session & { plan: Plan }): Promise<number> {
  const { source, files, plan, preview, projects, state, isDryRun } = session
  const side = await readSide(source, files, plan, preview, projects)
  checkDeletions(session, side)
  const unsent = new Set([...side.tasks.keys()].filter((id) => !state.tasks[id]))
  const added: Map<string, Adopted> = isDryRun ? new Map() : await sendNew(session, side)
  const boards = await readBoards(session)
  const taken = Object.keys(state.tasks)
  const options = { now: new Date().toISOString().replace(/\.\d+Z$/, 'Z'), taken }
  const writer = await session.format.open(files, options)
  const { plans, translation } = planRun(session, side, boards, added, writer)
  const changes = isDryRun
    ? changesOf(...withoutImported(session, plans, side, unsent), boards, session.format)
    : changesOf(plans, side, new Set(), boards, session.format)
  if (!isDryRun) await apply(session, { side, boards, plans, translation, writer })
  show(session, changes)
  return changes.conflicts.length ? CONFLICTS : 0
}

/** So many tasks are hardly deleted on purpose: the folder may be another one, or an old version. */
const MAX_DELETED = 0.5

function checkDeletions({ state, prefer }: Session, { tasks }: FilesSide): void {
  const links = Object.entries(state.tasks).filter(([, link]) => !link.pending && !link.gone)
  const missing = links.filter(([id]) => !tasks.has(id)).length
  if (missing < 3 || missing <= links.length * MAX_DELETED || prefer !== undefined) return
  throw new CommandError(
    `${missing} of ${links.length} tasks are no longer in the files. To delete them on the board, use --prefer files; to write them to the files again, use --prefer board`,
  )
}

/** A dry run sends nothing, so it guesses by the titles which tasks were imported before. */
function withoutImported(
  { preview }: Session,
  plans: readonly TaskPlan[],
  side: FilesSide,
  unsent: ReadonlySet<string>,
): [TaskPlan[], FilesSide, Set<string>] {
  if (!preview.import) return [[...plans], side, new Set(unsent)]
  const titleOf = (id: string) => side.tasks.get(id)!.values.title
  const titles = new Set([...unsent].map(titleOf))
  const isImported = ({ link, board }: TaskPlan) => link.pending && titles.has(board?.title)
  const imported = new Set(plans.filter(isImported).map(({ board }) => board?.title))
  return [
    plans.filter((plan) => !isImported(plan)),
    side,
    new Set([...unsent].filter((id) => !imported.has(titleOf(id)))),
  ]
}

interface Work {
  side: FilesSide
  boards: Boards
  plans: TaskPlan[]
  translation: Translation
  writer: FileWriter
}

async function apply(session: Session, work: Work): Promise<void> {
  const { state, statePath, folder, files, notes } = session
  const { side, boards, plans, translation, writer } = work
  await applyToBoard(session, side, plans)
  applyToFiles(writer, plans, boards, translation)
  const changed = writer.changedFiles()
  const after = changed.size ? await readAgain(session, changed) : side
  checkOthers(plans, side, after)
  notes.push(...shortfalls(plans, after))
  // A run that ends here is completed by the next one, which knows the ids of new tasks from this.
  reserveComments(session, plans, side, after)
  await writeState(statePath, state)
  await linkOnServer(session, plans, after)
  await writeChanges(folder, files, changed)
  const now = session.writer.hasWritten ? await readBoards(session) : boards
  remember(session, plans, after, now, translation)
  await writeState(statePath, state)
  await session.writer.finish()
}

async function readAgain(
  { source, files, preview, projects }: Session,
  changed: ReadonlyMap<string, string | undefined>,
): Promise<FilesSide> {
  const next = withChanges(files, changed)
  return readSide(source, next, await readPlan(source, next), preview, projects)
}

/** Refuses to write files in which a task changes that should not. */
function checkOthers(plans: readonly TaskPlan[], before: FilesSide, after: FilesSide): void {
  const isChanging = ({ presence, merge }: TaskPlan) => presence !== 'both' || merge.toFiles.length
  const changing = new Set(plans.filter(isChanging).map(({ id }) => id))
  // Links to a task that comes or goes are texts or dependencies of others.
  const linked = plans.some(({ presence }) => presence !== 'both') ? ['description'] : []
  const ignored = new Set(['dependencies', 'parent', ...linked])
  const stampsOf = (values: Values = {}) =>
    JSON.stringify(Object.entries(values).filter(([field]) => !ignored.has(field)))
  for (const [id, { values }] of before.tasks)
    if (!changing.has(id) && stampsOf(after.tasks.get(id)?.values) !== stampsOf(values))
      throw new CommandError(
        `Writing the files would change the task ${id}, so nothing was written. Please report this`,
      )
}

function show({ io, values, notes, isDryRun }: Session, changes: Changes): void {
  if (values.json !== undefined) return void io.out(JSON.stringify({ ...changes, notes }))
  const lines = linesOf(changes)
  for (const note of notes) io.err(plain(note))
  if (lines.length) io.out(lines.join('\n'))
  if (changes.conflicts.length)
    io.err('Change one of the sides, or take one everywhere with --prefer files or --prefer board.')
  else if (!lines.length) io.err('Both sides are the same.')
  else if (isDryRun) io.err('Nothing was changed: this was a dry run.')
}
