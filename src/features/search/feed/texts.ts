import type { Tx } from '../../../kernel/caller.ts'
import type { PassageKind } from '../../../kernel/outside.ts'
import type { Text } from '../../../search/library/shelves.ts'
import { listed } from '../../../store/fulltext.ts'
import type { Task } from '../../tasks/index.ts'
import { ofComments, ofDescriptions, ofPages } from './statements.ts'

/** A text, and about how long it is. */
export interface Ref {
  kind: PassageKind
  id: number
  bytes: number
}

type Sized = Omit<Ref, 'kind'>
type Holder = Pick<Task, 'team_id' | 'task_id'>

/** Kinds of texts that hang on a task. */
type Hung = Exclude<PassageKind, 'description'>

/** A row of a text, whoever wrote it. */
interface Written {
  id: number
  task_id: number
  project_id: number
  status: Task['status']
  title: string
  text: string | null
  format: Text['format']
  author_id: number
  created_at: Date
  written_at: Date | null
}

/** Where the texts of a kind are. */
interface Source {
  /** The next of all, in the order of their numbers. */
  after(tx: Tx, id: number): Promise<Sized[]>
  named(tx: Tx, ids: string): Promise<Sized[]>
  read(tx: Tx, ids: string): Promise<Written[]>
  last(tx: Tx): Promise<{ last: number }[]>
}

const sources: Record<PassageKind, Source> = {
  description: {
    after: (tx, after) => ofDescriptions(tx).after.execute({ after }),
    named: (tx, ids) => ofDescriptions(tx).named.execute({ ids }),
    read: (tx, ids) => ofDescriptions(tx).read.execute({ ids }),
    last: (tx) => ofDescriptions(tx).last.execute(),
  },
  comment: {
    after: (tx, after) => ofComments(tx).after.execute({ after }),
    named: (tx, ids) => ofComments(tx).named.execute({ ids }),
    read: (tx, ids) => ofComments(tx).read.execute({ ids }),
    last: (tx) => ofComments(tx).last.execute(),
  },
  page: {
    after: (tx, after) => ofPages(tx).after.execute({ after }),
    named: (tx, ids) => ofPages(tx).named.execute({ ids }),
    read: readPages,
    last: (tx) => ofPages(tx).last.execute(),
  },
}

export const KINDS = Object.keys(sources) as PassageKind[]

async function readPages(tx: Tx, ids: string): Promise<Written[]> {
  const rows = await ofPages(tx).read.execute({ ids })
  const texts = new Map<number, string>()
  for (const { id, content } of await ofPages(tx).pieces.execute({ ids }))
    texts.set(id, (texts.get(id) ?? '') + content)
  return rows
    .filter(({ archived_at }) => archived_at === null)
    .map((row) => ({ ...row, text: texts.get(row.id) ?? '' }))
}

const ofKind = (kind: PassageKind, rows: readonly Sized[]): Ref[] =>
  rows.map(({ id, bytes }) => ({ kind, id, bytes }))

export const refsAfter = async (tx: Tx, kind: PassageKind, id: number) =>
  ofKind(kind, await sources[kind].after(tx, id))

/** The next that hang on one task. */
export async function refsOf(tx: Tx, kind: Hung, { team_id, task_id }: Holder, after: number) {
  const statements = kind === 'comment' ? ofComments(tx) : ofPages(tx)
  return ofKind(kind, await statements.of.execute({ team_id, task_id, after }))
}

/** Tasks with what hangs on them; most have nothing but a description. */
export async function wholeTasks(tx: Tx, ids: readonly number[]) {
  const rows = await ofDescriptions(tx).whole.execute({ ids: listed(ids) })
  return {
    refs: ofKind('description', rows),
    hung: rows.flatMap(({ comments, pages, ...task }) => [
      ...(comments ? [{ kind: 'comment' as const, task }] : []),
      ...(pages ? [{ kind: 'page' as const, task }] : []),
    ]),
  }
}

/** Those that are there, and the others as if they held nothing. */
export async function refsNamed(tx: Tx, kind: PassageKind, ids: readonly number[]) {
  const there = new Map(
    (await sources[kind].named(tx, listed(ids))).map(({ id, bytes }) => [id, bytes]),
  )
  return ids.map((id): Ref => ({ kind, id, bytes: there.get(id) ?? 0 }))
}

export const lastRef = async (tx: Tx, kind: PassageKind): Promise<number> =>
  (await sources[kind].last(tx))[0]?.last ?? 0

/** The texts as they are now; those that nobody is to find any more are `gone`. */
export async function textsOf(tx: Tx, refs: readonly Ref[]) {
  const put: Text[] = []
  const gone: { kind: PassageKind; id: number }[] = []
  for (const [kind, some] of Map.groupBy(refs, (ref) => ref.kind)) {
    const ids = some.map(({ id }) => id)
    const rows = await sources[kind].read(tx, listed(ids))
    const kept = new Map(
      rows.filter(({ status }) => status !== 'Deleted').map((row) => [row.id, row]),
    )
    for (const id of ids) {
      const row = kept.get(id)
      if (row) put.push(textOf(kind, row))
      else gone.push({ kind, id })
    }
  }
  return { put, gone }
}

const textOf = (kind: PassageKind, row: Written): Text => ({
  ...{ kind, id: row.id, task_id: row.task_id, project_id: row.project_id },
  author_id: row.author_id,
  written_at: row.written_at ?? row.created_at,
  ...{ title: row.title, text: row.text ?? '', format: row.format },
})
