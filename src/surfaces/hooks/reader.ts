import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Fault } from '../../kernel/fault.ts'

export type Checks = 'none' | 'pending' | 'passing' | 'failing'

/** What an event says about a pull request, as input of `pull_requests.sync`. */
export interface PullRequestUpdate {
  urls: string[]
  sha?: string
  at?: string
  state?: 'open' | 'merged' | 'closed'
  title?: string
  branch?: string
  body?: string
  check?: { name: string; checks: Checks; url?: string }
  review?: Verdict
  preview_url?: string
  /** What was pushed on top of `previous_sha`. */
  commits?: { sha: string; message: string; url: string }[]
  previous_sha?: string
  /** A text of a reviewer, which may reach the agent that works on the branch. */
  comment?: ReviewComment
}

export interface Verdict {
  by: string
  review: 'none' | 'approved' | 'changes_requested'
}

export interface ReviewComment {
  account: { id: string; login: string; name: string }
  text: string
  /** Its address at the host. */
  url: string
  verdict?: 'changes_requested'
  /** The file and line that it is about. */
  line?: string
}

/** An issue that changed. Only its number is used; its state is read from the host. */
export interface IssueUpdate {
  issue: number
}

/** Parses one kind of event. */
export type Reader = (payload: unknown) => PullRequestUpdate | IssueUpdate

export const text = t.String()
export const nullable = <T extends TSchema>(type: T) => t.Optional(t.Union([type, t.Null()]))

/** A reader that checks the payload against a schema first. Other fields are ignored. */
export const reader =
  <T extends TSchema, R extends ReturnType<Reader>>(schema: T, read: (payload: Static<T>) => R) =>
  (payload: unknown): R => {
    if (Value.Check(schema, payload)) return read(payload)
    const field = Value.Errors(schema, payload).First()?.path.slice(1).replaceAll('/', '.')
    throw new Fault(
      'invalid',
      'The event lacks fields that events of its type have',
      { ...(field && { field }), code: 'invalid_format' },
      'Check that this address is set at the host it was created for',
    )
  }

const MAX_TEXT = 65_536

/** Cuts an untrusted text and replaces what the database cannot store. */
export const cleanText = (raw: string | null | undefined) =>
  (raw ?? '').slice(0, MAX_TEXT).replaceAll('\0', ' ').toWellFormed()

/** The first valid time in ISO 8601. Hosts also write `2026-11-20 12:00:00 UTC`. */
export function timeOf(...candidates: (string | null | undefined)[]): { at: string } | object {
  for (const candidate of candidates) {
    const iso = candidate
      ?.trim()
      .replace(/^(\S+) (\d\S*) ?(UTC|[+-]\d{4})?$/, '$1T$2$3')
      .replace('UTC', 'Z')
    const time = iso ? Date.parse(iso) : Number.NaN
    if (!Number.isNaN(time)) return { at: new Date(time).toISOString() }
  }
  return {}
}

const MAX_COMMITS = 100

export const Commits = t.Array(t.Object({ id: text, message: text, url: text }), {
  maxItems: 10_000,
})

/** The commits of a push, the oldest first. A branch that is new or deleted has a SHA of zeros. */
export function pushOf(
  { before, after }: { before: string; after: string },
  commits: Static<typeof Commits> | null | undefined,
) {
  const isCommit = (sha: string) => /^[0-9a-f]{7,64}$/i.test(sha) && !/^0+$/.test(sha)
  return {
    urls: [],
    ...(isCommit(after) && { sha: after }),
    ...(isCommit(before) && { previous_sha: before }),
    commits: (commits ?? []).slice(-MAX_COMMITS).flatMap(({ id, message, url }) => {
      const commit = { sha: id, message: cleanText(message), url: cleanText(url).slice(0, 2000) }
      return isCommit(id) ? [commit] : []
    }),
  }
}

export const checkOf = (name: string, checks: Checks, url?: string | null) => ({
  check: {
    name: cleanText(name).slice(0, 200) || 'check',
    checks,
    ...(url && { url: cleanText(url).slice(0, 2000) }),
  },
})
