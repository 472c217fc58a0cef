import type { Server } from '../../../../../kernel/caller.ts'
import { type Fault, fault } from '../../../../../kernel/fault.ts'
import { FetchError } from '../../../../../kernel/services.ts'
import {
  addressOf,
  archiveOf,
  parseLocation,
  type RefCandidate,
  type RepositoryLocation,
} from './address.ts'
import { type SelectedSkill, selectSkills, skillsAmong } from './find.ts'
import { ArchiveError } from './tar.ts'
import { MOST, textsIn } from './unpack.ts'

/** A skill on a code host. */
export interface Offer extends SelectedSkill {
  /** The address at which people read it. */
  source: string
}

const TIMEOUT_MS = 30_000
type Hosts = Pick<Server, 'fetch' | 'code_hosts'>

/** The skills at an address, or the selected ones among them. */
export async function offersAt(
  server: Hosts,
  url: string,
  slugs: readonly string[] | undefined,
): Promise<Offer[]> {
  const place = resolveLocation(server, url)
  const { packed, at } = await downloadArchive(server, place, url)
  try {
    const found = skillsAmong(await textsIn(packed, at.path), at.path)
    return selectSkills(found, slugs).map((one) => ({
      ...one,
      source: addressOf(place, at.ref, one.path),
    }))
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    throw fault.invalid('url', error.code, error.message, url, error.hint)
  }
}

function resolveLocation({ code_hosts }: Hosts, address: string): RepositoryLocation {
  const url = URL.parse(address)
  const place = url && parseLocation(url, code_hosts)
  if (place) return place
  const origins = code_hosts.map(({ origin }) => origin).join(', ') || 'nowhere'
  const isKnown = url && code_hosts.some(({ origin }) => origin === url.origin)
  throw fault.invalid(
    'url',
    'invalid_format',
    isKnown
      ? 'This URL is not a directory or file of a repository'
      : `Skills can be imported from ${origins} only`,
    address,
    isKnown
      ? 'Open the directory of the skill on the code host and copy its URL, such as https://github.com/owner/repository/tree/main/skills'
      : 'The operator can allow more code hosts with CORK_SKILL_HOSTS',
  )
}

/**
 * Downloads the whole repository in one request, with another request for each further reading of
 * the address.
 */
async function downloadArchive(server: Hosts, place: RepositoryLocation, url: string) {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  let missing: FetchError | undefined
  for (const at of place.tries) {
    const packed = await download(server, archiveOf(place, at.ref), signal)
    if (!(packed instanceof FetchError)) return { packed, at: at satisfies RefCandidate }
    if (packed.status !== 404) throw downloadFault(packed, url)
    missing = packed
  }
  throw downloadFault(missing!, url)
}

async function download({ fetch }: Hosts, from: string, signal: AbortSignal) {
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of fetch(from, { bytes: MOST.packed, signal })) chunks.push(chunk)
  } catch (error) {
    if (error instanceof FetchError) return error
    throw error
  }
  return new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer())
}

function downloadFault({ code, message, status }: FetchError, url: string): Fault {
  if (status === 404)
    return fault.invalid(
      'url',
      'not_found',
      'Repository or branch not found, or not public',
      url,
      'Check that the URL opens without signing in',
    )
  const hint =
    code === 'too_long'
      ? 'The repository is too large to download; send the file as markdown with svc_skills create'
      : code === 'out_of_range'
        ? 'Try again. A host in a private network must also be listed in CORK_ALLOW_HOSTS'
        : 'Check that the URL opens without signing in'
  return fault.invalid('url', code, message, url, hint)
}
