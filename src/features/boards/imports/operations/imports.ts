import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns } from 'drizzle-orm'
import type { Context, PrepareContext } from '../../../../kernel/caller.ts'
import { Fault, fault } from '../../../../kernel/fault.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { findTeam, TeamRef } from '../../../identity/teams/model/index.ts'
import {
  type FileInput,
  type ReceivedFile,
  receiveFiles,
} from '../../../tasks/files/model/index.ts'
import { matchBoards } from '../model/boards.ts'
import { importFile } from '../model/files.ts'
import { matchPeople } from '../model/people.ts'
import {
  AttachmentRecord,
  BoardMatch,
  Import,
  ImportId,
  MAX_RECORDS,
  MappingInput,
  Match,
  Origins,
  PreviewedBoard,
  PreviewedPerson,
  Result,
  StoredMapping,
  WrittenRecord,
} from '../model/schema.ts'
import {
  findByOrigin,
  findImport,
  KnownRows,
  NO_COUNTS,
  type SourceImport,
  toImports,
} from '../model/store.ts'
import { sourceImports } from '../model/tables.ts'
import { prepareTexts } from '../model/texts.ts'
import { archiveBoards, deleteTasks, hasRemaining } from '../model/undo.ts'
import { writeRecords } from '../model/write.ts'

const ROUTE = '/api/v1/imports/:import_id'
const address = { import_id: ImportId }

export const list = operation({
  name: 'imports.list',
  summary: 'What was imported from other products, newest first; for owners and admins',
  needs: 'teams:read',
  dependsOn: ['import', 'project', 'profile'],
  on: { rest: 'GET /api/v1/imports', cli: { usage: 'imports list', example: '' } },
  input: listInput({ team_id: TeamRef }, ['createdAt']),
  output: listOf(Import),
  async run({ team_id: ref, ...paging }, ctx) {
    const { team_id } = await findTeam(ctx, ref)
    requireAdmin(ctx, team_id)
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `imports ${team_id}`,
      from: sourceImports,
      columns: getTableColumns(sourceImports),
      where: and(eq(sourceImports.team_id, team_id), matchesSearch(paging, [sourceImports.title])),
      sorts: { createdAt: { key: sourceImports.created_at } },
      id: 'import_id',
    })
    return { items: await toImports(ctx.tx, rows as SourceImport[]), page }
  },
})

export const get = operation({
  name: 'imports.get',
  summary: 'One import and what it has created',
  needs: 'teams:read',
  dependsOn: ['import', 'project', 'profile'],
  on: { rest: `GET ${ROUTE}`, cli: { usage: 'imports get <import_id>', example: '1' } },
  input: t.Object(address),
  output: Import,
  run: async ({ import_id }, ctx) => show(ctx, await findImport(ctx, import_id)),
})

export const preview = operation({
  name: 'imports.preview',
  summary: 'Who the people of a source are here, and what an earlier import has created',
  needs: 'teams:manage',
  on: { rest: 'POST /api/v1/imports/preview' },
  input: t.Object({
    team_id: TeamRef,
    ...Origins,
    people: t.Array(PreviewedPerson, { maxItems: 5000 }),
    boards: t.Array(PreviewedBoard, { maxItems: 1000 }),
  }),
  output: t.Object({
    import: t.Union([Import, t.Null()]),
    mapping: StoredMapping,
    people: t.Array(Match),
    boards: t.Array(BoardMatch),
  }),
  async run({ team_id, source, origin, people, boards }, ctx) {
    const team = await findTeam(ctx, team_id)
    const before = await findByOrigin(ctx.tx, team.team_id, source, origin.id)
    const known = before && new KnownRows(ctx.tx, before)
    return {
      import: before ? await show(ctx, before) : null,
      mapping: before?.mapping ?? null,
      people: await matchPeople(ctx.tx, team.team_id, people, known),
      boards: await matchBoards(ctx.tx, team.team_id, boards, known),
    }
  },
})

export const start = operation({
  name: 'imports.start',
  summary: 'Begin or continue an import from another product',
  needs: 'teams:manage',
  creates: true,
  on: { rest: 'POST /api/v1/imports' },
  input: t.Object({ team_id: TeamRef, ...Origins, mapping: MappingInput }),
  output: Import,
  async run({ team_id, source, origin, mapping }, ctx) {
    const { tx, now, caller } = ctx
    const team = await findTeam(ctx, team_id)
    const row = {
      ...{ team_id: team.team_id, source, origin: origin.id, title: origin.title },
      ...{ counts: NO_COUNTS, created_by: caller.actor_id, created_at: now, updated_at: now },
    }
    await tx
      .insert(sourceImports)
      .values({ ...row, state: 'running' })
      .onConflictDoNothing()
    const found = (await findByOrigin(tx, team.team_id, source, origin.id))!
    if (mapping !== undefined)
      await tx
        .update(sourceImports)
        .set({ mapping })
        .where(eq(sourceImports.import_id, found.import_id))
    ctx.emit('import.started', { team_id: team.team_id }, { source, title: origin.title })
    return show(ctx, found)
  },
})

export const write = operation({
  name: 'imports.write',
  summary: 'Write records of another product: create what is new, update what changed there',
  needs: 'teams:manage',
  bulk: true,
  on: { rest: `POST ${ROUTE}/records` },
  input: t.Object({
    ...address,
    records: t.Array(WrittenRecord, { minItems: 1, maxItems: MAX_RECORDS }),
  }),
  output: t.Object({ results: t.Array(Result) }),
  prepare: ({ import_id, records }, ask) => prepareTexts(ask, import_id, records),
  async run({ import_id, records }, ctx, texts) {
    const source = await findImport(ctx, import_id)
    const results = await writeRecords(ctx, source, records, texts)
    if (source.state !== 'running') await setState(ctx, source, 'running')
    return { results }
  },
})

export const attach = operation({
  name: 'imports.attach',
  summary: 'Attach a file of another product to an imported task or comment',
  needs: 'teams:manage',
  // A URL can carry data to another server.
  destroys: ({ attachment }) => attachment.url !== undefined,
  bulk: true,
  on: { rest: `POST ${ROUTE}/files` },
  input: t.Object({ ...address, attachment: AttachmentRecord }),
  output: Result,
  async prepare({ import_id, attachment }, ask) {
    const { id, filename, content_type = 'application/octet-stream', url, data } = attachment
    const isKnown = await ask.read(async (tx) => {
      const own = eq(sourceImports.import_id, import_id)
      const [source] = await tx.select().from(sourceImports).where(own)
      if (!source || !ask.caller.teams.has(source.team_id)) return true
      const known = new KnownRows(tx, source)
      await known.load('attachment', [id])
      return known.get('attachment', id) !== undefined
    })
    if (isKnown) return []
    const file = { filename, content_type, ...(data === undefined ? { url } : { data }) }
    return receiveFile(ask, file)
  },
  async run({ import_id, attachment }, ctx, received) {
    return importFile(ctx, await findImport(ctx, import_id), attachment, received)
  },
})

export const finish = operation({
  name: 'imports.finish',
  summary: 'Mark an import as complete; it can be repeated',
  needs: 'teams:manage',
  on: { rest: `POST ${ROUTE}/finish` },
  input: t.Object(address),
  output: Import,
  async run({ import_id }, ctx) {
    const source = await findImport(ctx, import_id)
    await setState(ctx, source, 'finished')
    const { team_id, title } = source
    ctx.emit('import.finished', { team_id }, { source: source.source, title })
    return show(ctx, await findImport(ctx, import_id))
  },
})

export const undo = operation({
  name: 'imports.undo',
  summary: 'Delete the tasks of an import and archive its boards',
  needs: 'teams:manage',
  destroys: true,
  on: {
    rest: `POST ${ROUTE}/undo`,
    cli: { usage: 'imports undo <import_id>', example: '1' },
  },
  input: t.Object(address),
  output: t.Object({ import_id: ImportId, deleted_tasks: t.Integer() }),
  steps: {
    hasMore: ({ import_id }, { tx }) => hasRemaining(tx, { import_id }),
    runStep: async ({ import_id }, ctx) => deleteTasks(ctx, await findImport(ctx, import_id)),
  },
  async run({ import_id }, ctx, _, stepped = 0) {
    const source = await findImport(ctx, import_id)
    const deleted_tasks = stepped + (await deleteTasks(ctx, source))
    await archiveBoards(ctx, source)
    await setState(ctx, source, 'undone')
    const { team_id, title } = source
    ctx.emit('import.undone', { team_id }, { source: source.source, title })
    return { import_id, deleted_tasks }
  },
})

/** Receives one file. A fault names its field in the record. */
async function receiveFile(ask: PrepareContext, file: FileInput): Promise<ReceivedFile[]> {
  try {
    return await receiveFiles(ask, [file], 'attachment')
  } catch (error) {
    if (!(error instanceof Fault) || !error.details.field) throw error
    const inRecord = (text: string) => text.replaceAll('attachment.0.', 'attachment.')
    const details = { ...error.details, field: inRecord(error.details.field) }
    throw new Fault(error.code, inRecord(error.message), details, error.hint)
  }
}

async function setState(
  { tx, now }: Context,
  { import_id }: SourceImport,
  state: SourceImport['state'],
): Promise<void> {
  const own = eq(sourceImports.import_id, import_id)
  await tx.update(sourceImports).set({ state, updated_at: now }).where(own)
}

export function requireAdmin({ caller }: Context, team_id: number): void {
  const role = caller.teams.get(team_id)
  if (role === 'owner' || role === 'admin') return
  throw fault.forbidden(
    'Only owners and admins of a team see its imports',
    'Ask an owner or admin of the team',
  )
}

const show = async ({ tx }: Context, source: SourceImport) => (await toImports(tx, [source]))[0]!
