import type { PrBadge } from '../../states/model/index.ts'

/** Pure functions on pull requests. They use neither clock nor database. */
export const STATES = ['open', 'merged', 'closed'] as const
export const CHECKS = ['none', 'pending', 'passing', 'failing'] as const
export const HOSTS = ['github', 'gitlab'] as const
export type State = (typeof STATES)[number]
export type Checks = (typeof CHECKS)[number]
export type Host = (typeof HOSTS)[number]

export const REVIEWS = ['none', 'approved', 'changes_requested'] as const
export type Review = (typeof REVIEWS)[number]

/** The latest verdict of each reviewer and its time in ms. */
export type Reviews = Record<string, readonly [review: Review, at: number]>

/** The latest result of each check and its time in ms. */
export type Results = Record<string, readonly [checks: Checks, at: number]>

const MAX_RESULTS = 100

/** Red: a check fails or a pull request was closed unmerged. Merged: all of them are merged. */
export function badgeOf(pullRequests: readonly { state: State; checks: Checks }[]): PrBadge | null {
  if (!pullRequests.length) return null
  if (pullRequests.some(({ state, checks }) => state === 'closed' || checks === 'failing'))
    return 'red'
  if (pullRequests.every(({ state }) => state === 'merged')) return 'merged'
  return pullRequests.some(({ state, checks }) => state === 'open' && checks === 'pending')
    ? 'pending'
    : 'green'
}

/** Combines the checks of a commit: failing before pending before passing. */
export function combineChecks(results: Results): Checks {
  const outcomes = Object.values(results).map(([checks]) => checks)
  return (
    (['failing', 'pending', 'passing'] as const).find((outcome) => outcomes.includes(outcome)) ??
    'none'
  )
}

/** Somebody who requests changes outweighs those who approve. */
export function combineReviews(reviews: Reviews): Review {
  const verdicts = Object.values(reviews).map(([review]) => review)
  return (
    (['changes_requested', 'approved'] as const).find((review) => verdicts.includes(review)) ??
    'none'
  )
}

const MAX_REVIEWERS = 100

/** Adds the verdict of a reviewer, unless a newer one is known. */
export function addReview(reviews: Reviews, name: string, review: Review, at: number): Reviews {
  const previous = reviews[name]
  if (previous && previous[1] > at) return reviews
  const others = Object.entries(reviews).filter(([other]) => other !== name)
  return Object.fromEntries([...others.slice(-MAX_REVIEWERS + 1), [name, [review, at] as const]])
}

/** Adds a result, unless a newer one of that check is known. */
export function addResult(results: Results, name: string, checks: Checks, at: number): Results {
  const previous = results[name]
  if (previous && (previous[1] > at || (previous[1] === at && previous[0] !== 'pending')))
    return results
  const others = Object.entries(results).filter(([other]) => other !== name)
  others.sort(([, [, a]], [, [, b]]) => b - a)
  return Object.fromEntries([...others.slice(0, MAX_RESULTS - 1), [name, [checks, at] as const]])
}

/** Whether an event is newer than the known state. At the same time, closing or merging wins. */
export const isNewer = (current: { state: State; told_at: number }, state: State, at: number) =>
  at > current.told_at || (at === current.told_at && (current.state === 'open' || state !== 'open'))

/** Returns one URL for all pages of a pull request, or undefined if the text is no http(s) URL. */
export function canonicalUrl(input: string): string | undefined {
  const text = input.trim()
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.username || url.password) return undefined
  url.hash = ''
  const page = /^(.*\/(?:pull|pulls|pull-requests|merge_requests)\/\d+)(\/|$)/.exec(url.pathname)
  if (!page) return url.href
  return url.origin + page[1]
}

const MAX_KEYS = 20

/** Returns the words in the texts that look like ticket keys, in upper case, each once. */
export function ticketKeysIn(...texts: (string | undefined)[]): string[] {
  const keys = texts.flatMap((text) =>
    [...(text ?? '').matchAll(/(?<![\p{L}\p{N}])[a-z][a-z0-9]{0,9}-[1-9]\d{0,8}(?!\d)/giu)].map(
      ([key]) => key.toUpperCase(),
    ),
  )
  return [...new Set(keys)].slice(0, MAX_KEYS)
}
