import { Type as t } from '@sinclair/typebox'
import { and, asc, desc, eq, lt } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import {
  actor,
  ContentType,
  Count,
  childLines,
  from,
  type ImportedTask,
  InvalidRecord,
  isCyclic,
  moment,
  nullable,
  oneOf,
  orNull,
  Positive,
  plain,
  portableRows,
  type RecordOf,
  selectChildren,
  strict,
  type TeamImport,
  Text,
  Ticket,
} from '../../../../store/portability/index.ts'
import { historyFromImport } from './import-history.ts'
import type { Step } from './steps.ts'
import { pagePieces, pages, pageVersions } from './tables.ts'

/** Versions per query. They are short: each holds only the difference to its neighbour. */
const VERSIONS_PER_QUERY = 50
/** Longest text of a page, in any of its versions. */
const MAX_LENGTH = 1_048_576

const PublicId = t.String({ pattern: '^[0-9A-Za-z_-]{4,64}$' })
const text = {
  title: plain(t.String({ maxLength: 1000 })),
  content_type: plain(ContentType),
  canvas: plain(t.Boolean()),
}
/** A range of the newer text, from one character up to another, or literal text. */
const StepType = t.Union([t.Tuple([Count, Count]), Text])
const COUNTED = 'counted again from the versions'

const rows = portableRows(
  pages,
  {
    public_id: plain(PublicId),
    kind: plain(oneOf('page', 'description', 'exploration')),
    ...text,
    version: plain(Positive),
    created_by: actor,
    updated_by: actor,
    created_at: moment,
    updated_at: moment,
    archived_at: orNull(moment),
  },
  {
    page_id: 'generated',
    parent_page_id: 'the field parent',
    length: 'that of the field content',
    ...{ chain_steps: COUNTED, chain_size: COUNTED },
  },
)
const pieceRows = portableRows(
  pagePieces,
  {},
  {
    page_id: 'the page of the line',
    place: 'an import divides the text again',
    content: 'the field content holds all pieces',
  },
)
const versionRows = portableRows(
  pageVersions,
  {
    version: plain(Positive),
    ...text,
    note: plain(nullable(t.String({ maxLength: 2000 }))),
    back: plain(nullable(t.Array(StepType, { maxItems: 1_048_576 }))),
    author: from('author_id', actor),
    created_at: moment,
  },
  {
    version_id: 'generated',
    page_id: 'the field page',
    ...{ length: COUNTED, added: COUNTED, removed: COUNTED },
    whole: 'built from the steps of the versions after it',
  },
)

type Page = typeof pages.$inferSelect
const ORDER = [pages.created_at, pages.public_id]

/** A page with its current text, by public id. */
export const pageLines = childLines({
  kind: 'page',
  what: 'a page',
  type: strict({
    task: Ticket,
    ...rows.properties,
    /** The page of the same task that it is nested under. */
    parent: nullable(PublicId),
    content: Text,
  }),
  rows: [rows, pieceRows],
  check(record, file) {
    const { task, public_id, parent, version, content } = record
    file.actor(...rows.actorsIn(record))
    file.unique('pages', public_id)
    const { expected, parents } = file.memory('page', newMemory)
    expected.set(public_id, { task, version, length: content.length })
    if (parent !== null) parents.set(public_id, parent)
  },
  checkFile(file) {
    const { expected, parents } = file.memory('page', newMemory)
    for (const [page, { version }] of expected)
      if (version !== 0) throw new InvalidRecord(`the page ${page} lacks its version ${version}`)
    for (const [page, parent] of parents) {
      if (expected.get(parent)?.task !== expected.get(page)!.task)
        throw new InvalidRecord(
          `the page ${page} is nested under a page that its task does not have`,
        )
      if (isCyclic(parents, page))
        throw new InvalidRecord(`the page ${page} is nested under itself`)
    }
  },
  async load(batch) {
    const byTask = await selectChildren(batch, pages, ORDER)
    return async function* (task_id) {
      const taskPages = byTask.get(task_id) ?? []
      for (const page of taskPages) {
        const { public_id, kind, title, content_type, canvas, ...own } = rows.write(
          page,
          batch.names,
        )
        const parent = taskPages.find(({ page_id }) => page_id === page.parent_page_id)
        yield {
          ...{ public_id, parent: parent?.public_id ?? null, kind, title, content_type, canvas },
          ...{ content: await contentOf(batch.tx, page), ...own },
        }
      }
    }
  },
  async insert(tasks, team) {
    for (const task of tasks) await insertPages(task, team)
  },
  taskColumns: (records) => ({
    page_count: records.filter(({ archived_at }) => archived_at === null).length,
  }),
})

/** The versions of the pages of a task, newest first, each with the steps to the one before it. */
export const pageVersionLines = childLines({
  kind: 'page_version',
  what: 'a version',
  type: strict({ task: Ticket, page: PublicId, ...versionRows.properties }),
  rows: [versionRows],
  check(record, file) {
    const { task, page, version, back } = record
    file.actor(...versionRows.actorsIn(record))
    const expected = file.memory('page', newMemory).expected.get(page)
    if (expected?.task !== task)
      throw new InvalidRecord(`a version belongs to the page ${page}, which ${task} does not have`)
    if (version !== expected.version)
      throw new InvalidRecord(
        `version ${version} of the page ${page} comes where version ${expected.version} is expected`,
      )
    if ((back === null) !== (version === 1))
      throw new InvalidRecord(
        `version ${version} of the page ${page} does not match the previous version`,
      )
    expected.version--
    const { length } = expected
    expected.length = (back ?? []).reduce((sum, step) => sum + stepLength(step, length, page), 0)
    if (expected.length > MAX_LENGTH)
      throw new InvalidRecord(`the text of the page ${page} is too long`)
  },
  async load(batch) {
    const byTask = await selectChildren(batch, pages, ORDER)
    return async function* (task_id) {
      for (const page of byTask.get(task_id) ?? [])
        for await (const row of versionsOf(batch.tx, page))
          yield { page: page.public_id, ...versionRows.write(row, batch.names) }
    }
  },
  /** `pageLines` inserts each page together with its versions. */
  async insert() {},
})

interface ExpectedPage {
  task: string
  /** The version expected next, newest first, and the length of its text. */
  version: number
  length: number
}
const newMemory = () => ({
  expected: new Map<string, ExpectedPage>(),
  parents: new Map<string, string>(),
})

function stepLength(step: Step, length: number, page: string): number {
  if (typeof step === 'string') return step.length
  const [from, to] = step
  if (from > to || to > length)
    throw new InvalidRecord(`a version of the page ${page} refers to characters that do not exist`)
  return to - from
}

async function contentOf(tx: Tx, { team_id, page_id }: Page): Promise<string> {
  const pieces = await tx
    .select()
    .from(pagePieces)
    .where(and(eq(pagePieces.team_id, team_id), eq(pagePieces.page_id, page_id)))
    .orderBy(asc(pagePieces.place))
  return pieces.map(({ content }) => content).join('')
}

async function* versionsOf(tx: Tx, { team_id, page_id, version }: Page) {
  for (let before = version + 1; before > 1; before -= VERSIONS_PER_QUERY)
    yield* await tx
      .select()
      .from(pageVersions)
      .where(
        and(
          eq(pageVersions.team_id, team_id),
          eq(pageVersions.page_id, page_id),
          lt(pageVersions.version, before),
        ),
      )
      .orderBy(desc(pageVersions.version))
      .limit(VERSIONS_PER_QUERY)
}

/** Inserts the pages of a task, then sets the parent of each nested page. */
async function insertPages(task: ImportedTask, team: TeamImport): Promise<void> {
  const page_ids = new Map<string, number>()
  const histories = Map.groupBy(task.recordsOf(pageVersionLines), ({ page }) => page)
  const records = task.recordsOf(pageLines)
  for (const record of records) {
    const history = histories.get(record.public_id) ?? []
    page_ids.set(record.public_id, await insertPage(task, team, record, history))
  }
  for (const { public_id, parent } of records) {
    if (parent === null) continue
    await team.inserter.beforeStatement()
    await team.inserter.tx
      .update(pages)
      .set({ parent_page_id: page_ids.get(parent)! })
      .where(eq(pages.page_id, page_ids.get(public_id)!))
  }
}

async function insertPage(
  { place, ids }: ImportedTask,
  { inserter, commit, clean }: TeamImport,
  record: RecordOf<typeof pageLines>,
  history: readonly RecordOf<typeof pageVersionLines>[],
): Promise<number> {
  await commit()
  const { pieces, versions, ...measured } = historyFromImport(
    record.content,
    history,
    (text, version) =>
      version.canvas || version.content_type === 'markdown' ? text : clean(text, 'html').text,
  )
  const row = { ...place, ...rows.read(record, ids), ...measured, parent_page_id: null }
  const [inserted] = await inserter.insert(pages, [row], ['page_id'])
  const keys = { team_id: place.team_id, page_id: inserted!.page_id }
  await inserter.insert(
    pagePieces,
    pieces.map((content, place) => ({ ...keys, place, content })),
  )
  const newRows = history.map((version, index) => ({
    ...{ ...keys, ...versionRows.read(version, ids), ...versions[index]! },
  }))
  // The oldest version gets the lowest id, as if the versions had been written on this server.
  await inserter.insert(pageVersions, newRows.toReversed())
  return keys.page_id
}
