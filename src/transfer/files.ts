import { and, asc, count, eq, gt, type SQL, sql } from 'drizzle-orm'
import { attachments } from '../features/files/index.ts'
import type { Tx } from '../kernel/caller.ts'
import type { FileStore } from '../kernel/outside.ts'
import { published } from '../store/imported.ts'
import { readFile } from './lines.ts'

const ROWS = 1000

/** The bytes of a file beside its SHA-256; nothing where the store has lost them. */
export interface FileRecord {
  sha256: string
  data: string | null
}

const ofTeam = (tx: Tx, team_id: number | undefined): SQL =>
  team_id === undefined ? published(tx, attachments.team_id) : eq(attachments.team_id, team_id)

/** How many different files there are. */
export async function countFiles(tx: Tx): Promise<number> {
  const [row] = await tx
    .select({ many: count(sql`distinct ${attachments.sha256}`) })
    .from(attachments)
    .where(ofTeam(tx, undefined))
  return Number(row!.many)
}

/** Every file that is attached, or those of a team, each once and in one order everywhere. */
export async function* filesOf(
  tx: Tx,
  files: FileStore,
  team_id?: number,
): AsyncGenerator<FileRecord> {
  let after = ''
  for (;;) {
    const rows = await tx
      .selectDistinct({ sha256: attachments.sha256 })
      .from(attachments)
      .where(and(ofTeam(tx, team_id), gt(attachments.sha256, after)))
      .orderBy(asc(attachments.sha256))
      .limit(ROWS)
    for (const { sha256 } of rows) yield { sha256, data: await dataOf(files, sha256) }
    if (rows.length < ROWS) return
    after = rows.at(-1)!.sha256
  }
}

async function dataOf(files: FileStore, sha256: string): Promise<string | null> {
  const found = await files.read(sha256)
  return found ? (await new Response(found).bytes()).toBase64() : null
}

/** The bytes that a record holds; a word on what is wrong with it where it holds none. */
export function bytesIn({ sha256, data }: FileRecord): Uint8Array | string | undefined {
  if (data === null) return undefined
  const bytes = decoded(data)
  const isIt = bytes && new Bun.CryptoHasher('sha256').update(bytes).digest('hex') === sha256
  return isIt ? bytes : `the bytes of the file ${sha256} are not what it is named after`
}

function decoded(data: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(data)
  } catch {
    return undefined
  }
}

/** Keeps the files of a team that `check` has seen, before any of its rows is written. */
export async function takeFiles(path: string, files: FileStore): Promise<void> {
  for await (const { line } of readFile(path)) {
    const bytes = line.file ? bytesIn(line.file as FileRecord) : undefined
    if (bytes instanceof Uint8Array) await keepBytes(files, bytes)
  }
}

/** Safe before any row refers to them; where nothing does in the end, they are swept. */
export async function keepBytes(files: FileStore, bytes: Uint8Array): Promise<void> {
  const draft = await files.draft(once(bytes))
  try {
    await draft.keep()
  } finally {
    await draft.discard()
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
