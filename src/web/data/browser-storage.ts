import { storageName } from '../kit/base-path.ts'
import { pageUserId } from './browser-user.ts'
import type { Input, OperationName } from './client.ts'

/** A queued write as it is stored in the session, and sent again after a reload. */
export interface WriteRequest {
  name: OperationName
  input: Input<OperationName>
  key: string
  /** Writes with the same `line` are sent one after the other. */
  line?: string | undefined
  /** The draft that keeps the text until the write succeeds. */
  draft?: string | undefined
}

/** Belongs to one tab and one user: the next user who signs in does not send these writes. */
const WRITES_KEY = storageName(`writes:${pageUserId}`)

/** Stores the queue, in case the page reloads before the server responds. */
export function saveWrites(writes: readonly WriteRequest[]) {
  try {
    if (!writes.length) return sessionStorage.removeItem(WRITES_KEY)
    const plain = writes.map(({ name, input, key, line, draft }) => ({
      name,
      input,
      key,
      line,
      draft,
    }))
    sessionStorage.setItem(WRITES_KEY, JSON.stringify(plain))
  } catch {
    // Storage is full or blocked. The `beforeunload` warning still protects the writes.
  }
}

/** The queue that this tab stored before it was reloaded. */
export function loadWrites(): WriteRequest[] {
  try {
    return JSON.parse(sessionStorage.getItem(WRITES_KEY) ?? '[]')
  } catch {
    return []
  }
}

/** Changes of a text, as an editor sends them to the server. */
export interface SentChanges {
  /** The number of the text that they apply to. */
  number: number
  client_id: string
  changes: unknown[]
}

/** Unsent text, stored beyond the page and the session. */
export interface Draft {
  text: string
  /** The version of the stored text that this draft is based on. */
  base?: number
  /** The saved text that it was typed over. */
  over?: string
  /** What was sent of a text that people edit together, in case the server has it already. */
  sent?: SentChanges
  at: number
  /** Another tab wrote it, and may still be editing. */
  isOther?: boolean
}

/**
 * Each tab stores its drafts under its own id, which survives a reload, so two tabs that edit the
 * same task do not overwrite each other.
 */
const TAB_ID = readTabId()

function readTabId(): string {
  const created = crypto.getRandomValues(new Uint32Array(1)).join()
  try {
    const stored = sessionStorage.getItem('tab') ?? created
    sessionStorage.setItem('tab', stored)
    return stored
  } catch {
    return created
  }
}

const draftKey = (name: string) => storageName(`${name}@`)
const tabKey = (name: string) => draftKey(name) + TAB_ID

/** Drafts of other tabs that this tab shows, with the JSON they had when it read them. */
const shownFromOtherTabs = new Map<string, { name: string; json: string }>()

/** The draft of this tab, or else the newest one of another tab, which may be closed by now. */
export function readDraft(name: string): Draft | undefined {
  try {
    const ownDraft = localStorage.getItem(tabKey(name))
    if (ownDraft) return JSON.parse(ownDraft)
    const others = Object.keys(localStorage)
      .filter((key) => key.startsWith(draftKey(name)))
      .map((key) => ({ name: key, json: localStorage.getItem(key)! }))
      .map((entry) => ({ ...entry, draft: JSON.parse(entry.json) as Draft }))
    const last = others.sort((a, b) => b.draft.at - a.draft.at)[0]
    if (last) shownFromOtherTabs.set(name, last)
    return last && { ...last.draft, isOther: true }
  } catch {
    return undefined
  }
}

/** Storage that is full or blocked must not stop anybody from typing. */
export function writeDraft(name: string, draft: Draft | undefined) {
  try {
    if (draft) localStorage.setItem(tabKey(name), JSON.stringify(draft))
    else localStorage.removeItem(tabKey(name))
    const shown = shownFromOtherTabs.get(name)
    shownFromOtherTabs.delete(name)
    // The other draft is removed only if its own tab has not changed it since.
    if (shown && localStorage.getItem(shown.name) === shown.json)
      localStorage.removeItem(shown.name)
  } catch {
    // The text is still in its field and can be sent from there.
  }
}

/** The part of a text that was typed after the sent part. */
export const unsentText = (text: string, sent: string): string =>
  sent && text.startsWith(sent) ? text.slice(sent.length).trimStart() : text

/** Removes the sent text from a draft and keeps what was typed after it. */
export function discardSentText(name: string, sent: string) {
  const draft = readDraft(name)
  if (!draft) return
  const text = unsentText(draft.text, sent)
  writeDraft(name, text ? { ...draft, text } : undefined)
}
