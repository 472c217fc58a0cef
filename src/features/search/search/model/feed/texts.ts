import type { Tx } from '../../../../../kernel/caller.ts'
import type { PassageKind } from '../../../../../kernel/services.ts'
import type { SearchableText } from '../../../../../search/passage-index/types.ts'
import { idList } from '../../../../../store/id-list.ts'
import type { Task } from '../../../../tasks/tasks/model/index.ts'
import { isReadable } from './readable.ts'
import {
  commentStatements,
  descriptionStatements,
  fileStatements,
  pageStatements,
} from './statements.ts'

/** A reference to a text, with its approximate length. */
export interface TextRef {
  kind: PassageKind
  id: number
  bytes: number
}

type RefRow = Omit<TextRef, 'kind'>
type TaskKey = Pick<Task, 'team_id' | 'task_id'>

/** Kinds of texts that belong to a task beside its description. */
type ChildKind = Exclude<PassageKind, 'description'>

/** A row of a text of any kind. */
interface TextRow {
  id: number
  task_id: number
  project_id: number
  status: Task['status']
  title: string
  /** Undefined if the text of the file has not been extracted yet. */
  text: string | null | undefined
  format: SearchableText['format']
  author_id: number
  created_at: Date
  written_at: Date | null
}

/** The queries for texts of one kind. */
interface TextSource {
  /** The next texts after an id, in the order of ids. */
  after(tx: Tx, id: number): Promise<RefRow[]>
  named(tx: Tx, ids: string): Promise<RefRow[]>
  read(tx: Tx, ids: string): Promise<TextRow[]>
  last(tx: Tx): Promise<{ last: number }[]>
}

const sources: Record<PassageKind, TextSource> = {
  description: {
    after: (tx, after) => descriptionStatements(tx).after.execute({ after }),
    named: (tx, ids) => descriptionStatements(tx).named.execute({ ids }),
    read: (tx, ids) => descriptionStatements(tx).read.execute({ ids }),
    last: (tx) => descriptionStatements(tx).last.execute(),
  },
  comment: {
    after: (tx, after) => commentStatements(tx).after.execute({ after }),
    named: (tx, ids) => commentStatements(tx).named.execute({ ids }),
    read: (tx, ids) => commentStatements(tx).read.execute({ ids }),
    last: (tx) => commentStatements(tx).last.execute(),
  },
  page: {
    after: (tx, after) => pageStatements(tx).after.execute({ after }),
    named: (tx, ids) => pageStatements(tx).named.execute({ ids }),
    read: readPages,
    last: (tx) => pageStatements(tx).last.execute(),
  },
  file: {
    after: (tx, after) => fileStatements(tx).after.execute({ after }),
    named: (tx, ids) => fileStatements(tx).named.execute({ ids }),
    read: readFiles,
    last: (tx) => fileStatements(tx).last.execute(),
  },
}

export const KINDS = Object.keys(sources) as PassageKind[]

async function readPages(tx: Tx, ids: string): Promise<TextRow[]> {
  const rows = await pageStatements(tx).read.execute({ ids })
  const texts = new Map<number, string>()
  for (const { id, content } of await pageStatements(tx).pieces.execute({ ids }))
    texts.set(id, (texts.get(id) ?? '') + content)
  return rows
    .filter(({ archived_at }) => archived_at === null)
    .map((row) => ({ ...row, text: texts.get(row.id) ?? '' }))
}

/** Only names; what is not readable has no text. */
async function readFiles(tx: Tx, ids: string): Promise<TextRow[]> {
  const rows = await fileStatements(tx).read.execute({ ids })
  return rows.map((row) => ({
    ...row,
    text: isReadable(row) ? undefined : '',
    format: 'html',
    written_at: null,
  }))
}

const toRefs = (kind: PassageKind, rows: readonly RefRow[]): TextRef[] =>
  rows.map(({ id, bytes }) => ({ kind, id, bytes }))

export const refsAfter = async (tx: Tx, kind: PassageKind, id: number) =>
  toRefs(kind, await sources[kind].after(tx, id))

/** The next comments, pages or files of one task. */
export async function refsOf(
  tx: Tx,
  kind: ChildKind,
  { team_id, task_id }: TaskKey,
  after: number,
) {
  return toRefs(kind, await childStatements[kind](tx).of.execute({ team_id, task_id, after }))
}

const childStatements = {
  comment: commentStatements,
  page: pageStatements,
  file: fileStatements,
}

/** Tasks, and which of them have comments, pages or files; most have only a description. */
export async function tasksWithChildren(tx: Tx, ids: readonly number[]) {
  const rows = await descriptionStatements(tx).whole.execute({ ids: idList(ids) })
  return {
    refs: toRefs('description', rows),
    children: rows.flatMap(({ comments, pages, files, ...task }) => [
      ...(comments ? [{ kind: 'comment' as const, task }] : []),
      ...(pages ? [{ kind: 'page' as const, task }] : []),
      ...(files ? [{ kind: 'file' as const, task }] : []),
    ]),
  }
}

/** References by id. Missing texts count as empty, so that they are removed. */
export async function refsByIds(tx: Tx, kind: PassageKind, ids: readonly number[]) {
  const bytesById = new Map(
    (await sources[kind].named(tx, idList(ids))).map(({ id, bytes }) => [id, bytes]),
  )
  return ids.map((id): TextRef => ({ kind, id, bytes: bytesById.get(id) ?? 0 }))
}

export const lastRef = async (tx: Tx, kind: PassageKind): Promise<number> =>
  (await sources[kind].last(tx))[0]?.last ?? 0

/** Loads the current texts. Deleted ones are returned for removal from the index. */
export async function loadTexts(tx: Tx, refs: readonly TextRef[]) {
  const put: SearchableText[] = []
  const deleted: { kind: PassageKind; id: number }[] = []
  for (const [kind, group] of Map.groupBy(refs, (ref) => ref.kind)) {
    const ids = group.map(({ id }) => id)
    const rows = await sources[kind].read(tx, idList(ids))
    const present = new Map(
      rows.filter(({ status }) => status !== 'Deleted').map((row) => [row.id, row]),
    )
    for (const id of ids) {
      const row = present.get(id)
      if (row) put.push(toText(kind, row))
      else deleted.push({ kind, id })
    }
  }
  return { put, deleted }
}

const toText = (kind: PassageKind, row: TextRow): SearchableText => ({
  kind,
  id: row.id,
  task_id: row.task_id,
  project_id: row.project_id,
  author_id: row.author_id,
  written_at: row.written_at ?? row.created_at,
  title: row.title,
  text: row.text === null ? '' : row.text,
  format: row.format,
})
