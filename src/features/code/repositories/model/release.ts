import type { CodeHost } from '../../hosts/model/index.ts'

/** Pure functions on tags and commits. They use neither clock nor database. */
const VERSION = /^(\D*)(\d+(?:\.\d+)*)(?:[-.]?([a-z].*))?$/i
const { compare } = new Intl.Collator('en', { numeric: true })

function parseVersion(tag: string) {
  const match = VERSION.exec(tag)
  return match && { prefix: match[1]!, core: match[2]!, candidate: match[3] }
}

type Version = NonNullable<ReturnType<typeof parseVersion>>

/** A release follows its candidates. */
const compareVersions = (a: Version, b: Version): number =>
  compare(a.core, b.core) ||
  (a.candidate === undefined ? 1 : 0) - (b.candidate === undefined ? 1 : 0) ||
  compare(a.candidate ?? '', b.candidate ?? '')

/**
 * The tag before another one. Versions are compared, because GitHub lists tags by name. The
 * candidates of a release belong to it, so the tag before a release is a release. Other tags follow
 * the order of the host, the newest first.
 */
export function previousTag(tags: readonly string[], tag: string): string | undefined {
  const own = parseVersion(tag)
  if (!own) return tags[tags.indexOf(tag) + 1]
  const earlier = tags.flatMap((name) => {
    const version = parseVersion(name)
    if (version?.prefix !== own.prefix || compareVersions(version, own) >= 0) return []
    return own.candidate === undefined && version.candidate !== undefined ? [] : [{ name, version }]
  })
  return earlier.sort((a, b) => compareVersions(b.version, a.version))[0]?.name
}

/** The title and number of the pull request that a commit merged, from the message of the host. */
export function mergedIn(message: string): { number: number; title: string } | undefined {
  const [first = '', ...rest] = message.trim().split(/\r?\n/)
  const gitlab = /^See merge request \S*!(\d{1,9})$/m.exec(message)
  const body = rest.map((line) => line.trim()).find(Boolean)
  if (gitlab) {
    const title = first.startsWith('Merge branch ') ? body : first
    return { number: Number(gitlab[1]), title: title?.startsWith('See merge') ? first : title! }
  }
  const merge = /^Merge pull request (?:#(\d{1,9})|'(.*)' \(#(\d{1,9})\))/.exec(first)
  if (merge) return { number: Number(merge[1] ?? merge[3]), title: merge[2] ?? body ?? first }
  const squash = /^(.*\S) \(#(\d{1,9})\)$/.exec(first)
  return squash ? { number: Number(squash[2]), title: squash[1]! } : undefined
}

const PATHS: Record<CodeHost['kind'], string> = {
  github: '/pull/',
  gitlab: '/-/merge_requests/',
  forgejo: '/pulls/',
}

export const pullRequestUrl = (kind: CodeHost['kind'], repository: string, number: number) =>
  `${repository}${PATHS[kind]}${number}`

const escapeMarkdown = (text: string) => text.replace(/[\\`*_[\]<>#|~]/g, '\\$&')

interface Notes {
  tag: string
  pull_requests: readonly { url: string; title: string; tickets: readonly string[] }[]
  tasks: readonly { ticket_number: string; title: string; url: string }[]
}

/** The tasks of a release with their pull requests, then the pull requests without a task. */
export function notesInMarkdown({ tag, pull_requests, tasks }: Notes): string {
  const links = (ticket: string) =>
    pull_requests
      .filter(({ tickets }) => tickets.includes(ticket))
      .map(({ url }) => `[${nameOf(url)}](${url})`)
      .join(', ')
  const lines = [
    ...tasks.map(
      ({ ticket_number: ticket, title, url }) =>
        `- [${ticket}](${url}) ${escapeMarkdown(title)} (${links(ticket)})`,
    ),
    ...pull_requests
      .filter(({ tickets }) => !tickets.length)
      .map(({ url, title }) => `- ${escapeMarkdown(title)} ([${nameOf(url)}](${url}))`),
  ]
  return [`# ${escapeMarkdown(tag)}`, '', ...(lines.length ? lines : ['No pull requests'])].join(
    '\n',
  )
}

/** `#12`, as hosts write it; GitLab writes `!12`. */
const nameOf = (url: string) =>
  `${url.includes('/merge_requests/') ? '!' : '#'}${url.split('/').at(-1)}`
