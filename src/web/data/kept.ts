import type { Input, Name } from './client.ts'
import { owner } from './who.ts'

/** A write as it is sent, and sent again. */
export interface Sent {
  name: Name
  input: Input<Name>
  key: string
  /** Those of one line are sent one after the other. */
  line?: string | undefined
  /** Where its text is kept as well until it is saved. */
  draft?: string | undefined
}

/** Of one tab and one person: whoever signs in after them does not send it. */
const NAME = `writes:${owner}`

/** The page may be loaded again before anybody has answered. */
export function keep(some: readonly Sent[]) {
  try {
    if (!some.length) return sessionStorage.removeItem(NAME)
    const plain = some.map(({ name, input, key, line, draft }) => ({
      name,
      input,
      key,
      line,
      draft,
    }))
    sessionStorage.setItem(NAME, JSON.stringify(plain))
  } catch {
    // Too much, or not allowed: whoever leaves is still warned.
  }
}

/** What was kept by this page before it was loaded again. */
export function take(): Sent[] {
  try {
    return JSON.parse(sessionStorage.getItem(NAME) ?? '[]')
  } catch {
    return []
  }
}

/** What was typed and not sent yet, beyond the page and the session. */
export interface Draft {
  text: string
  /** The version of the text that this one began with. */
  base?: number
  /** The text of a line that this one was typed over. */
  over?: string
  at: number
  /** Another tab typed it, and may still be at it. */
  isOther?: boolean
}

/**
 * Each tab keeps what is typed in it under a name of its own, which a reload does not change: two
 * tabs at one task do not write over each other.
 */
const TAB = tab()

function tab(): string {
  const made = crypto.getRandomValues(new Uint32Array(1)).join()
  try {
    const kept = sessionStorage.getItem('tab') ?? made
    sessionStorage.setItem('tab', kept)
    return kept
  } catch {
    return made
  }
}

const nameHere = (name: string) => `${name}@${TAB}`

/** Drafts of other tabs that are shown in this one, as they were when they were read. */
const taken = new Map<string, { name: string; kept: string }>()

/** What this tab has kept, or else what was kept last by another, which may be closed by now. */
export function readDraft(name: string): Draft | undefined {
  try {
    const own = localStorage.getItem(nameHere(name))
    if (own) return JSON.parse(own)
    const others = Object.keys(localStorage)
      .filter((one) => one.startsWith(`${name}@`))
      .map((one) => ({ name: one, kept: localStorage.getItem(one)! }))
      .map((one) => ({ ...one, draft: JSON.parse(one.kept) as Draft }))
    const last = others.sort((a, b) => b.draft.at - a.draft.at)[0]
    if (last) taken.set(name, last)
    return last && { ...last.draft, isOther: true }
  } catch {
    return undefined
  }
}

/** A full or forbidden store is no reason to stop anybody from typing. */
export function writeDraft(name: string, draft: Draft | undefined) {
  try {
    if (draft) localStorage.setItem(nameHere(name), JSON.stringify(draft))
    else localStorage.removeItem(nameHere(name))
    const other = taken.get(name)
    taken.delete(name)
    // Its own tab may have gone on with it.
    if (other && localStorage.getItem(other.name) === other.kept)
      localStorage.removeItem(other.name)
  } catch {
    // What is typed still stands in its field, and is sent from there.
  }
}

/** What is left of a text that begins with what was sent. */
export const restOf = (text: string, sent: string): string =>
  sent && text.startsWith(sent) ? text.slice(sent.length).trimStart() : text

/** What was saved is no draft any more; what was typed after it still is. */
export function settle(name: string, sent: string) {
  const draft = readDraft(name)
  if (!draft) return
  const text = restOf(draft.text, sent)
  writeDraft(name, text ? { ...draft, text } : undefined)
}
