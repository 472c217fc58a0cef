import { and, asc, count, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import type { FileStore } from '../../../../kernel/services.ts'
import { isPublished } from '../../../../store/published.ts'
import { picturesIn } from './pictures.ts'
import { attachments } from './tables.ts'

const ROWS = 1000

/** A file's SHA-256 and its bytes in base64; null if the store has lost the bytes. */
export interface FileRecord {
  sha256: string
  data: string | null
}

const ofTeam = (tx: Tx, team_id: number | undefined): SQL =>
  team_id === undefined ? isPublished(tx, attachments.team_id) : eq(attachments.team_id, team_id)

/** The pictures of avatars that are not attached as well. */
async function picturesOnly(tx: Tx): Promise<string[]> {
  const hashes = [...new Set((await picturesIn(tx)).map(({ sha256 }) => sha256))]
  const attached = await tx
    .selectDistinct({ sha256: attachments.sha256 })
    .from(attachments)
    .where(and(ofTeam(tx, undefined), inArray(attachments.sha256, hashes)))
  const isAttached = new Set(attached.map(({ sha256 }) => sha256))
  return hashes.filter((sha256) => !isAttached.has(sha256))
}

/** The number of distinct files. */
export async function countFiles(tx: Tx): Promise<number> {
  const [row] = await tx
    .select({ total: count(sql`distinct ${attachments.sha256}`) })
    .from(attachments)
    .where(ofTeam(tx, undefined))
  return Number(row!.total) + (await picturesOnly(tx)).length
}

/** The attached files of a team; without a team all files, the pictures of avatars last. */
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
    for (const { sha256 } of rows) yield { sha256, data: await readBase64(files, sha256) }
    if (rows.length < ROWS) break
    after = rows.at(-1)!.sha256
  }
  if (team_id !== undefined) return
  for (const sha256 of await picturesOnly(tx))
    yield { sha256, data: await readBase64(files, sha256) }
}

async function readBase64(files: FileStore, sha256: string): Promise<string | null> {
  const file = await files.read(sha256)
  return file ? (await new Response(file).bytes()).toBase64() : null
}

/** The bytes of a record; an error message if they do not match its SHA-256. */
export function verifiedBytes({ sha256, data }: FileRecord): Uint8Array | string | undefined {
  if (data === null) return undefined
  const bytes = decodeBase64(data)
  const matches = bytes && new Bun.CryptoHasher('sha256').update(bytes).digest('hex') === sha256
  return matches ? bytes : `the content of the file ${sha256} does not match its name`
}

function decodeBase64(data: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(data)
  } catch {
    return undefined
  }
}

/** Stores bytes that no row refers to yet. A sweep removes them if no row ever does. */
export async function storeBytes(files: FileStore, bytes: Uint8Array): Promise<void> {
  const draft = await files.draft(streamOf(bytes))
  try {
    await draft.save()
  } finally {
    await draft.discard()
  }
}

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
