import type { CodeHost } from '../../../../../kernel/services.ts'

/** A directory, or a file, of a repository on a code host. */
export interface RepositoryLocation {
  host: CodeHost
  /** Its path on the host, without slashes around it. */
  repository: string
  /** The possible readings: a branch name may contain slashes, as a path does. */
  tries: readonly RefCandidate[]
}

export interface RefCandidate {
  ref: string
  /** The path inside the repository; empty for all of it. */
  path: string
}

/** Branch names with more parts are not tried. */
const MAX_PARTS = 4
/** The ref if the address names no branch. */
const DEFAULT = 'HEAD'

/** Undefined if the url is not in a repository of one of these hosts. */
export function parseLocation(
  url: URL,
  hosts: readonly CodeHost[],
): RepositoryLocation | undefined {
  const host = hosts.find(({ origin }) => origin === url.origin)
  const parts = host && partsOf(url)
  if (!host || !parts) return undefined
  return host.layout === 'github' ? onGitHub(host, parts) : onGitLab(host, parts)
}

function partsOf({ pathname, username, password }: URL): string[] | undefined {
  if (username || password) return undefined
  try {
    const parts = pathname.split('/').filter(Boolean).map(decodeURIComponent)
    return parts.some((part) => /^\.{1,2}$|[/\\\p{Cc}]/u.test(part)) ? undefined : parts
  } catch {
    return undefined
  }
}

function onGitHub(
  host: CodeHost,
  [owner, repo, kind, ...rest]: string[],
): RepositoryLocation | undefined {
  if (!owner || !repo) return undefined
  return locationFrom(host, [owner, repo], kind, rest)
}

/** GitLab groups nest, so a dash marks the end of the repository. */
function onGitLab(host: CodeHost, parts: string[]): RepositoryLocation | undefined {
  const dash = parts.indexOf('-')
  const names = dash < 0 ? parts : parts.slice(0, dash)
  if (names.length < 2) return undefined
  const [kind, ...rest] = dash < 0 ? [] : parts.slice(dash + 1)
  return locationFrom(host, names, kind, rest)
}

function locationFrom(host: CodeHost, names: string[], kind: string | undefined, rest: string[]) {
  const repository = names.join('/').replace(/\.git$/, '')
  if (kind === undefined) return { host, repository, tries: [{ ref: DEFAULT, path: '' }] }
  const least = kind === 'blob' ? 1 : 0
  const most = Math.min(MAX_PARTS, rest.length - least)
  if (!['tree', 'blob'].includes(kind) || most < 1) return undefined
  const tries = Array.from({ length: most }, (_, at) => ({
    ref: rest.slice(0, at + 1).join('/'),
    path: rest.slice(at + 1).join('/'),
  }))
  return { host, repository, tries }
}

const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/')

/** The address of the archive of the repository, which needs no key. */
export function archiveOf({ host, repository }: RepositoryLocation, ref: string): string {
  const base = `${host.origin}/${encodePath(repository)}`
  if (host.layout === 'github') return `${base}/archive/${encodePath(ref)}.tar.gz`
  const name = `${repository.split('/').at(-1)}-${ref.replaceAll('/', '-')}`
  return `${base}/-/archive/${encodePath(ref)}/${encodeURIComponent(name)}.tar.gz`
}

/** The address at which people read a file. */
export function addressOf(
  { host, repository }: RepositoryLocation,
  ref: string,
  file: string,
): string {
  const dash = host.layout === 'github' ? '' : '-/'
  return `${host.origin}/${encodePath(repository)}/${dash}blob/${encodePath(ref)}/${encodePath(file)}`
}
