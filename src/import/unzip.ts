import { unzipSync } from 'fflate'
import { ImportProblem } from './problem.ts'
import type { SourceFile } from './source.ts'
import { MAX_FILE_BYTES } from './text.ts'

/** Limits of what an archive may unpack to, against archives that are made to fill the memory. */
const LIMITS = { files: 100_000, bytes: 2 * 1024 * 1024 * 1024, ratio: 1000 }

/** The files of a zip archive. Each is unpacked when it is read. */
export async function unzip(archive: SourceFile): Promise<SourceFile[]> {
  const packed = await archive.bytes()
  const entries: { name: string; size: number; originalSize: number }[] = []
  inflate(archive, packed, (entry) => {
    if (!entry.name.endsWith('/')) entries.push({ ...entry })
    return false
  })
  checkLimits(archive, entries)
  return entries.map(({ name, originalSize }) => ({
    path: safePath(archive, name),
    size: originalSize,
    bytes: async () => {
      const [bytes] = Object.values(inflate(archive, packed, (entry) => entry.name === name))
      return bytes!
    },
  }))
}

function inflate(
  { path }: SourceFile,
  packed: Uint8Array,
  filter: (entry: { name: string; size: number; originalSize: number }) => boolean,
): Record<string, Uint8Array> {
  try {
    return unzipSync(packed, { filter })
  } catch (error) {
    throw new ImportProblem(
      `The archive cannot be unpacked (${(error as Error).message})`,
      'Download it again; it may have been cut short',
      { file: path },
    )
  }
}

function checkLimits(
  { path }: SourceFile,
  entries: readonly { name: string; size: number; originalSize: number }[],
): void {
  let bytes = 0
  for (const { name, size, originalSize } of entries) {
    bytes += originalSize
    const isBomb = originalSize > 1_000_000 && originalSize > size * LIMITS.ratio
    if (isBomb || originalSize > MAX_FILE_BYTES) throw tooLarge(path, name)
  }
  if (entries.length > LIMITS.files || bytes > LIMITS.bytes) throw tooLarge(path)
}

const tooLarge = (file: string, name?: string) =>
  new ImportProblem(
    name ? `${name} in the archive is too large` : 'The archive holds too much',
    'Unpack it, and import a part of it',
    { file },
  )

function safePath({ path }: SourceFile, name: string): string {
  const isOutside = /^[/\\]|^[a-zA-Z]:|(^|[/\\])\.\.([/\\]|$)|\p{Cc}/u.test(name)
  if (!isOutside) return name.replaceAll('\\', '/')
  throw new ImportProblem(
    `The archive contains a file with a path outside it: ${JSON.stringify(name.slice(0, 200))}`,
    'Do not import it: it was not made by an export',
    { file: path },
  )
}
