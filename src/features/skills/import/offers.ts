import type { Server } from '../../../kernel/caller.ts'
import { type Fault, fault } from '../../../kernel/fault.ts'
import { Unfetched } from '../../../kernel/outside.ts'
import { addressOf, archiveOf, type Place, placeIn, type Try } from './address.ts'
import { type Chosen, chosen, skillsAmong } from './find.ts'
import { BadArchive } from './tar.ts'
import { MOST, textsIn } from './unpack.ts'

/** A skill that lies on a code host. */
export interface Offer extends Chosen {
  /** Where people read it there. */
  source: string
}

const PATIENCE_MS = 30_000
type Hosts = Pick<Server, 'fetch' | 'code_hosts'>

/** The skills at an address, or those of them that were named. */
export async function offersAt(
  server: Hosts,
  url: string,
  slugs: readonly string[] | undefined,
): Promise<Offer[]> {
  const place = placed(server, url)
  const { packed, at } = await archived(server, place, url)
  try {
    const found = skillsAmong(await textsIn(packed, at.path), at.path)
    return chosen(found, slugs).map((one) => ({
      ...one,
      source: addressOf(place, at.ref, one.path),
    }))
  } catch (error) {
    if (!(error instanceof BadArchive)) throw error
    throw fault.invalid('url', error.code, error.message, url, error.hint)
  }
}

function placed({ code_hosts }: Hosts, given: string): Place {
  const url = URL.parse(given)
  const place = url && placeIn(url, code_hosts)
  if (place) return place
  const origins = code_hosts.map(({ origin }) => origin).join(', ') || 'nowhere'
  const isKnown = url && code_hosts.some(({ origin }) => origin === url.origin)
  throw fault.invalid(
    'url',
    'invalid_format',
    isKnown
      ? 'This address names no directory or file of a repository'
      : `Skills are imported from ${origins} only`,
    given,
    isKnown
      ? 'Open the directory of the skill on the code host and copy its address, such as https://github.com/owner/repository/tree/main/skills'
      : 'Whoever runs the server can name more code hosts: CORK_SKILL_HOSTS',
  )
}

/** The whole repository in one request; another for each further way to read the address. */
async function archived(server: Hosts, place: Place, url: string) {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  let missing: Unfetched | undefined
  for (const at of place.tries) {
    const packed = await fetched(server, archiveOf(place, at.ref), signal)
    if (!(packed instanceof Unfetched)) return { packed, at: at satisfies Try }
    if (packed.status !== 404) throw unfetched(packed, url)
    missing = packed
  }
  throw unfetched(missing!, url)
}

async function fetched({ fetch }: Hosts, from: string, signal: AbortSignal) {
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of fetch(from, { bytes: MOST.packed, signal })) chunks.push(chunk)
  } catch (error) {
    if (error instanceof Unfetched) return error
    throw error
  }
  return new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer())
}

function unfetched({ code, message, status }: Unfetched, url: string): Fault {
  if (status === 404)
    return fault.invalid(
      'url',
      'not_found',
      'There is no such repository or branch, or it is not public',
      url,
      'Check that the address opens without signing in',
    )
  const hint =
    code === 'too_long'
      ? 'The repository is too large to be fetched; copy the file into svc_skills create as markdown'
      : code === 'out_of_range'
        ? 'Try again; a host in a private network has to be named in CORK_ALLOW_HOSTS, too'
        : 'Check that the address opens without signing in'
  return fault.invalid('url', code, message, url, hint)
}
