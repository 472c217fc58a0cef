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

export function forget() {
  try {
    sessionStorage.removeItem(NAME)
  } catch {}
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
  at: number
}

export function readDraft(name: string): Draft | undefined {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** A full or forbidden store is no reason to stop anybody from typing. */
export function writeDraft(name: string, draft: Draft | undefined) {
  try {
    if (draft) localStorage.setItem(name, JSON.stringify(draft))
    else localStorage.removeItem(name)
  } catch {}
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
