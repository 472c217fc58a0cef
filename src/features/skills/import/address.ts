import type { CodeHost } from '../../../kernel/outside.ts'

/** A directory, or a file, of a repository on a code host. */
export interface Place {
  host: CodeHost
  /** Its path on the host, without slashes around it. */
  repository: string
  /** What it may mean: the name of a branch may have slashes, as a path does. */
  tries: readonly Try[]
}

export interface Try {
  ref: string
  /** Inside the repository; empty: all of it. */
  path: string
}

/** Names of branches with more parts than that are not looked for. */
const MOST_PARTS = 4
/** What it is called where nobody named a branch. */
const DEFAULT = 'HEAD'

/** Nothing where it names no place in a repository of one of these hosts. */
export function placeIn(url: URL, hosts: readonly CodeHost[]): Place | undefined {
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

function onGitHub(host: CodeHost, [owner, repo, kind, ...rest]: string[]): Place | undefined {
  if (!owner || !repo) return undefined
  return placed(host, [owner, repo], kind, rest)
}

/** Groups nest, so a dash says where the repository ends. */
function onGitLab(host: CodeHost, parts: string[]): Place | undefined {
  const dash = parts.indexOf('-')
  const names = dash < 0 ? parts : parts.slice(0, dash)
  if (names.length < 2) return undefined
  const [kind, ...rest] = dash < 0 ? [] : parts.slice(dash + 1)
  return placed(host, names, kind, rest)
}

function placed(host: CodeHost, names: string[], kind: string | undefined, rest: string[]) {
  const repository = names.join('/').replace(/\.git$/, '')
  if (kind === undefined) return { host, repository, tries: [{ ref: DEFAULT, path: '' }] }
  const least = kind === 'blob' ? 1 : 0
  const most = Math.min(MOST_PARTS, rest.length - least)
  if (!['tree', 'blob'].includes(kind) || most < 1) return undefined
  const tries = Array.from({ length: most }, (_, at) => ({
    ref: rest.slice(0, at + 1).join('/'),
    path: rest.slice(at + 1).join('/'),
  }))
  return { host, repository, tries }
}

const written = (path: string) => path.split('/').map(encodeURIComponent).join('/')

/** Where all of it can be read at once, without a key. */
export function archiveOf({ host, repository }: Place, ref: string): string {
  const base = `${host.origin}/${written(repository)}`
  if (host.layout === 'github') return `${base}/archive/${written(ref)}.tar.gz`
  const name = `${repository.split('/').at(-1)}-${ref.replaceAll('/', '-')}`
  return `${base}/-/archive/${written(ref)}/${encodeURIComponent(name)}.tar.gz`
}

/** Where people read a file of it. */
export function addressOf({ host, repository }: Place, ref: string, file: string): string {
  const dash = host.layout === 'github' ? '' : '-/'
  return `${host.origin}/${written(repository)}/${dash}blob/${written(ref)}/${written(file)}`
}
