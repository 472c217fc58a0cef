import { createGunzip } from 'node:zlib'
import { ArchiveError, entriesOf } from './tar.ts'

export const MOST = {
  packed: 20_000_000,
  unpacked: 100_000_000,
  entries: 20_000,
  skills: 100,
  file: 250_000,
}

/** A file in markdown, by its path in the repository. */
export interface TextFile {
  path: string
  text: string
}

export const isSkillFile = (path: string) => /(^|\/)SKILL\.md$/i.test(path)
const isMarkdown = (path: string) => /\.md$/i.test(path)

/** The files in a packed repository that may be skills: by name, or beside such a file. */
export async function textsIn(packed: Uint8Array, place: string): Promise<TextFile[]> {
  if (packed[0] !== 0x1f || packed[1] !== 0x8b)
    throw new ArchiveError(
      'invalid_format',
      'The response of the host is not an archive',
      'Check that the repository opens without signing in',
    )
  const texts: TextFile[] = []
  let isThere = false
  for await (const { name, kind, size, read } of entriesOf(unzipped(packed), {
    bytes: MOST.unpacked,
    entries: MOST.entries,
  })) {
    // The archive has one top directory, named after the repository.
    const path = name.slice(name.indexOf('/') + 1 || name.length)
    const isBelow = place === '' || path.startsWith(`${place}/`)
    if (!path || !(isBelow || path === place)) continue
    isThere = true
    if (kind === 'link') throw linked(path)
    const inside = isBelow ? path.slice(place ? place.length + 1 : 0) : ''
    const isOwn = path === place || (isMarkdown(path) && !inside.includes('/'))
    if (kind !== 'file' || !(isSkillFile(path) || isOwn)) continue
    if (size > MOST.file) {
      if (isSkillFile(path)) throw tooLarge(path)
      continue
    }
    texts.push({ path, text: decoded(path, await read()) })
    if (texts.length > 3 * MOST.skills) throw tooMany()
  }
  if (isThere || place === '') return texts
  throw new ArchiveError(
    'not_found',
    `${place} is not in this repository`,
    'Open the directory of the skill on the code host and copy its URL',
  )
}

async function* unzipped(packed: Uint8Array): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: 262_144 })
  gunzip.end(packed)
  try {
    for await (const chunk of gunzip) yield chunk as Uint8Array
  } catch (error) {
    if (error instanceof ArchiveError) throw error
    throw new ArchiveError('invalid_format', 'The archive is damaged or incomplete', 'Try again')
  } finally {
    gunzip.destroy()
  }
}

function decoded(path: string, bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {}
  throw new ArchiveError('invalid_format', `${path} is not text in UTF-8`)
}

const linked = (path: string) =>
  new ArchiveError(
    'invalid_format',
    `${path} is a link, and links are not followed`,
    'Use the directory of a skill without links',
  )

const tooLarge = (path: string) =>
  new ArchiveError('too_long', `${path} has more than ${MOST.file} bytes`)

export const tooMany = () =>
  new ArchiveError(
    'too_long',
    `More than ${MOST.skills} skills found`,
    'Use a subdirectory, or select some with slugs',
  )
