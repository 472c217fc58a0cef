import type { PrBadge } from '../tasks/index.ts'

/** What pull requests are, and what they mean for a task. Nothing here reads a clock or a database. */
export const STATES = ['open', 'merged', 'closed'] as const
export const CHECKS = ['none', 'pending', 'passing', 'failing'] as const
export const HOSTS = ['github', 'gitlab'] as const
export type State = (typeof STATES)[number]
export type Checks = (typeof CHECKS)[number]
export type Host = (typeof HOSTS)[number]

/** Of each check the last word and when it was spoken, in ms. */
export type Results = Record<string, readonly [checks: Checks, at: number]>

const MOST_RESULTS = 100

/** Red: something fails or was given up. Merged: all of it is done. */
export function badgeOf(all: readonly { state: State; checks: Checks }[]): PrBadge | null {
  if (!all.length) return null
  if (all.some(({ state, checks }) => state === 'closed' || checks === 'failing')) return 'red'
  if (all.every(({ state }) => state === 'merged')) return 'merged'
  return all.some(({ state, checks }) => state === 'open' && checks === 'pending')
    ? 'pending'
    : 'green'
}

/** What all checks of a commit come to. */
export function together(results: Results): Checks {
  const said = Object.values(results).map(([checks]) => checks)
  return (['failing', 'pending', 'passing'] as const).find((one) => said.includes(one)) ?? 'none'
}

/** The results with this one among them, unless something newer is known of that check. */
export function withResult(results: Results, name: string, checks: Checks, at: number): Results {
  const before = results[name]
  if (before && (before[1] > at || (before[1] === at && before[0] !== 'pending'))) return results
  const others = Object.entries(results).filter(([other]) => other !== name)
  others.sort(([, [, a]], [, [, b]]) => b - a)
  return Object.fromEntries([...others.slice(0, MOST_RESULTS - 1), [name, [checks, at] as const]])
}

/** The news counts unless newer is known; of two from the same moment an end is the later one. */
export const isNews = (known: { state: State; told_at: number }, state: State, at: number) =>
  at > known.told_at || (at === known.told_at && (known.state === 'open' || state !== 'open'))

/** One address for one pull request, whichever of its pages was given; nothing if it is none. */
export function addressOf(given: string): string | undefined {
  const text = given.trim()
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.username || url.password) return undefined
  url.hash = ''
  const page = /^(.*\/(?:pull|pulls|pull-requests|merge_requests)\/\d+)(\/|$)/.exec(url.pathname)
  if (!page) return url.href
  return url.origin + page[1]
}

const MOST_KEYS = 20

/** What may be ticket keys in these texts, each once and in capitals. */
export function keysIn(...texts: (string | undefined)[]): string[] {
  const found = texts.flatMap((text) =>
    [...(text ?? '').matchAll(/(?<![\p{L}\p{N}])[a-z][a-z0-9]{0,9}-[1-9]\d{0,8}(?!\d)/giu)].map(
      ([key]) => key.toUpperCase(),
    ),
  )
  return [...new Set(found)].slice(0, MOST_KEYS)
}
