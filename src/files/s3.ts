import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { S3Client } from 'bun'
import type { FileDraft, FileStore, StoredFile } from '../kernel/services.ts'
import { removeStaleParts, spool } from './spool.ts'

export interface Bucket {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const SPOOL = join(tmpdir(), 'corkboard')
const FOLDER = 'files/'
const objectKey = (sha256: string) => `${FOLDER}${sha256}`

/** Stores files as objects of a bucket, each under its SHA-256. */
export function bucketFiles(bucket: Bucket): FileStore {
  const client = new Bun.S3Client(bucket)
  return {
    location: `the bucket ${bucket.bucket} at ${bucket.endpoint}`,
    async draft(bytes): Promise<FileDraft> {
      const { path, ...draft } = await spool(SPOOL, bytes)
      // An existing object is written again: its new time keeps a sweep from removing it.
      const save = async () => void (await client.write(objectKey(draft.sha256), Bun.file(path)))
      return { ...draft, save }
    },
    async read(sha256, from = 0, to) {
      const file = client.file(objectKey(sha256))
      if (!(await file.exists())) return undefined
      return from || to !== undefined ? file.slice(from, to).stream() : file.stream()
    },
    list: () => listFiles(client),
    async remove(sha256, before) {
      const found = await client.stat(objectKey(sha256)).catch(unlessMissing)
      if (!found || found.lastModified >= before) return false
      await client.delete(objectKey(sha256))
      return true
    },
    // The spool folder is local, so no other machine writes to it.
    removeStale: () => removeStaleParts(SPOOL, false),
    check: async () => void (await client.list({ prefix: FOLDER, maxKeys: 1 })),
  }
}

async function* listFiles(client: S3Client): AsyncGenerator<StoredFile> {
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
