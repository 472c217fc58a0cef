import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { S3Client } from 'bun'
import type { Draft, FileStore, Stored } from '../kernel/outside.ts'
import { removeStaleParts, spooled } from './spool.ts'

export interface Bucket {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const SPOOL = join(tmpdir(), 'corkboard')
const FOLDER = 'files/'
const nameOf = (sha256: string) => `${FOLDER}${sha256}`

/** Files as objects of a bucket, each under its SHA-256. */
export function bucketFiles(where: Bucket): FileStore {
  const client = new Bun.S3Client(where)
  return {
    place: `the bucket ${where.bucket} at ${where.endpoint}`,
    async draft(bytes): Promise<Draft> {
      const { path, ...draft } = await spooled(SPOOL, bytes)
      // Written again even where it is there: that makes it young, so that no sweep takes it.
      const keep = async () => void (await client.write(nameOf(draft.sha256), Bun.file(path)))
      return { ...draft, keep }
    },
    async read(sha256, from = 0, to) {
      const file = client.file(nameOf(sha256))
      if (!(await file.exists())) return undefined
      return from || to !== undefined ? file.slice(from, to).stream() : file.stream()
    },
    all: () => stored(client),
    async remove(sha256, before) {
      const found = await client.stat(nameOf(sha256)).catch(unlessMissing)
      if (!found || found.lastModified >= before) return false
      await client.delete(nameOf(sha256))
      return true
    },
    // Only processes of this machine write there.
    removeStale: () => removeStaleParts(SPOOL, false),
    check: async () => void (await client.list({ prefix: FOLDER, maxKeys: 1 })),
  }
}

async function* stored(client: S3Client): AsyncGenerator<Stored> {
  let after: string | undefined
  for (;;) {
    const page = await client.list({
      prefix: FOLDER,
      ...(after !== undefined && { continuationToken: after }),
    })
    for (const { key, size, lastModified } of page.contents ?? []) {
      const sha256 = key.slice(FOLDER.length)
      if (!/^[0-9a-f]{64}$/.test(sha256)) continue
      yield { sha256, size: Number(size ?? 0), kept_at: new Date(lastModified ?? 0) }
    }
    if (!page.isTruncated || !page.nextContinuationToken) return
    after = page.nextContinuationToken
  }
}

function unlessMissing(error: unknown): undefined {
  if ((error as { code?: string }).code !== 'NoSuchKey') throw error
}
