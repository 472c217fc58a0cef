import { ChangeSet, EditorState, type Extension, type Transaction } from '@codemirror/state'
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { changesBetween } from '../../../../kernel/text-changes/index.ts'
import { callOperation, newIdempotencyKey } from '../../../data/client.ts'
import { onSignal } from '../../../data/live.ts'
import { ApiError, NoResponseError } from '../../../kit/errors.ts'
import { createStore } from '../../../kit/store.ts'
import { refuseUndo, showError } from '../../../kit/toasts.tsx'
import { CLIENT_ID, type Present, reportEditing } from '../../presence/reports.ts'
import type { Actor } from '../../user/actor.ts'
import { cursors, removeCursor, setCursor } from './cursors.ts'
import { OwnChanges } from './own-changes.ts'
import { MissingChanges, type NumberedChange, type Pushed, TextSync } from './sync.ts'

/** The description of a task, or a page. */
export type TextAddress = { task_id: number } | { page_id: number }
export type SaveState = 'saved' | 'saving' | 'offline' | 'refused'

/** What was typed and not confirmed, with the common text that it was typed into. */
export interface Unconfirmed {
  text: string
  /** A draft of an earlier version of the app has none. It replaces the text. */
  base: string | undefined
}

/** A text without and with what was typed in one session. */
export interface TypedText {
  before: string
  after: string
}

type ReportedCursor = Omit<Present, 'at' | 'project_id'>

/** How long the place of a write is shown. */
const WRITER_MS = 5000
/** Keystrokes within this time are sent together. */
const SEND_MS = 250
const RETRY_MS = 3000
/** A signal may be lost, so the text is compared from time to time. */
const CHECK_MS = 15_000

/** A text that is open here, and on the server. */
export class SharedText {
  readonly saveState = createStore<SaveState>('saved')
  /** Called when there is more or less to store until the server has it. */
  onUnconfirmed: (unconfirmed: Unconfirmed | undefined) => void = () => {}
  private state: EditorState
  private view: EditorView | undefined
  private own: OwnChanges
  private sendTimer: ReturnType<typeof setTimeout> | undefined
  private readonly checkTimer: ReturnType<typeof setInterval>
  private readonly stopSignals: () => void
  private working: Promise<void> | undefined
  private isLeaving = false
  private isClosed = false

  private constructor(
    readonly address: TextAddress,
    private readonly sync: TextSync,
  ) {
    this.state = EditorState.create({ doc: sync.base, extensions: sync.extension() })
    this.own = new OwnChanges(sync.base)
    this.stopSignals = onSignal(({ type, data }) => {
      if (type === 'text.changed' && this.isOwnText(data)) this.receive(data.changes)
      if (type === 'presence') this.showCursor(data as unknown as ReportedCursor)
    })
    this.checkTimer = setInterval(() => void this.work(true), CHECK_MS)
    addEventListener('online', this.retry)
    addEventListener('pagehide', this.storeUnconfirmed)
  }

  static async open(address: TextAddress, unconfirmed?: Unconfirmed): Promise<SharedText> {
    const { number, text = '' } = await callOperation('shared_texts.get', address)
    const session = new SharedText(address, new TextSync({ number, text }, newIdempotencyKey()))
    if (unconfirmed) session.restore(unconfirmed)
    return session
  }

  /** Takes back what was typed in one session, but not what others typed. */
  static async undo(
    address: TextAddress,
    { before, after }: TypedText,
    /** Names the text in the message that it is not undone. */
    what: string,
  ): Promise<boolean> {
    const session = await SharedText.open(address)
    const undone = changesBetween(after, before)
    const others = changesBetween(after, session.text)
    if (isOverwritten(undone, others)) {
      session.end()
      return refuseUndo(what)
    }
    session.change(undone.map(others))
    await session.close()
    return session.saveState.get() !== 'refused'
  }

  /** What was typed here; undefined if nothing was. */
  get typed(): TypedText | undefined {
    return this.own.isEmpty ? undefined : this.own.texts()
  }

  get text(): string {
    return this.current.doc.toString()
  }

  /** Connects the editor that is mounted with this extension. */
  get extension(): Extension {
    const plugin = ViewPlugin.define((view) => {
      queueMicrotask(() => this.attach(view))
      return {
        update: (update: ViewUpdate) => this.afterUpdate(update),
        destroy: () => this.detach(),
      }
    })
    return [this.sync.extension(), cursors, plugin]
  }

  get number(): number {
    return this.sync.number(this.current)
  }

  /** Changes the text as if it was typed. */
  change(changes: ChangeSet) {
    this.dispatch(this.current.update({ changes }))
    this.noteTyped()
  }

  /** Sends what is left, and then lets go of the text. */
  async close() {
    this.isLeaving = true
    await this.work()
    this.isClosed = !this.sync.hasUnconfirmed(this.current)
    if (this.isClosed) this.end()
  }

  private get current(): EditorState {
    return this.view?.state ?? this.state
  }

  private isOwnText({ kind, text_id }: Record<string, unknown>) {
    const { address } = this
    return 'task_id' in address
      ? kind === 'task' && text_id === address.task_id
      : kind === 'page' && text_id === address.page_id
  }

  /** What was typed before belongs to the text that others see. */
  private dispatchTo(view: EditorView, rewound: Transaction) {
    view.dispatch(rewound)
    this.view = view
    this.own = new OwnChanges(view.state.doc)
  }

  private dispatch(transaction: Transaction | undefined) {
    if (!transaction) return
    if (this.view) this.view.dispatch(transaction)
    else this.state = transaction.state
  }

  /** The field may hold more than the editor was to begin with: it was typed while it loaded. */
  private attach(view: EditorView) {
    const { number } = this
    const typed = changesBetween(this.sync.base.toString(), view.state.doc.toString())
    const rewound = this.sync.rewind(view.state, number)
    this.dispatchTo(view, rewound)
    if (!typed.empty) this.change(typed)
    reportEditing({})
    void this.work(true)
  }

  private detach() {
    if (!this.view) return
    this.state = this.view.state
    reportEditing(undefined)
    this.view = undefined
  }

  private afterUpdate({ docChanged, selectionSet, state, transactions }: ViewUpdate) {
    if (!this.view) return
    for (const transaction of transactions) this.own.add(transaction)
    if (docChanged || selectionSet) this.reportCursor()
    if (docChanged && this.sync.hasUnconfirmed(state)) this.noteTyped()
  }

  private noteTyped() {
    if (this.saveState.get() !== 'offline') this.saveState.set('saving')
    this.sendTimer ??= setTimeout(() => void this.work(), SEND_MS)
  }

  private readonly storeUnconfirmed = () => {
    const isPending = this.sync.hasUnconfirmed(this.current)
    const base = this.sync.base.toString()
    this.onUnconfirmed(isPending ? { text: this.text, base } : undefined)
  }

  private restore({ text, base = this.text }: Unconfirmed) {
    const typed = changesBetween(base, text)
    const others = changesBetween(base, this.text)
    this.change(typed.map(others))
  }

  /** While something is unconfirmed, others do not have the text that the cursor is in. */
  private reportCursor() {
    const { number, current } = this
    if (!this.view || this.sync.hasUnconfirmed(current)) return
    const { anchor, head } = current.selection.main
    reportEditing({ cursor: { number, anchor, head } })
  }

  private showCursor({ client_id, actor, cursor, is_editing, ...place }: ReportedCursor) {
    if (!this.view || client_id === CLIENT_ID) return
    const isHere = is_editing && this.isPlace(place)
    // A cursor in another state of the text follows with the next report.
    if (isHere && cursor && cursor.number !== this.number) return
    const effects =
      isHere && cursor
        ? setCursor.of({
            client_id,
            actor: actor as Actor,
            ...this.sync.shift(this.current, cursor),
          })
        : removeCursor.of(client_id)
    this.view.dispatch({ effects })
  }

  private isPlace({ task_id, page_id }: Pick<ReportedCursor, 'task_id' | 'page_id'>) {
    const { address } = this
    return 'page_id' in address
      ? page_id === address.page_id
      : page_id === undefined && task_id === address.task_id
  }

  /** Shows for a moment who has written the whole text, as agents do. */
  private showWriter(written: (NumberedChange & { author?: unknown }) | undefined) {
    if (written?.client_id !== '' || !this.view) return
    const head = endOf(ChangeSet.fromJSON(written.changes))
    const client_id = `writer ${written.number}`
    const cursor = this.sync.shift(this.current, { anchor: head, head })
    this.view.dispatch({
      effects: setCursor.of({ client_id, actor: written.author as Actor, ...cursor }),
    })
    setTimeout(() => this.view?.dispatch({ effects: removeCursor.of(client_id) }), WRITER_MS)
  }

  private receive(changes: unknown) {
    // Until the editor is there, the text must stay as it was given to it.
    if (!this.view) return
    try {
      const numbered = changes as NumberedChange[]
      if (!numbered.length) throw new MissingChanges()
      this.dispatch(this.sync.receive(this.current, numbered))
      this.showWriter(numbered.at(-1))
    } catch {
      void this.work(true)
    }
  }

  private readonly retry = () => void this.work(true)

  /** Sends what is unconfirmed, one request at a time, and reads what is missing. */
  private work(reads = false): Promise<void> {
    clearTimeout(this.sendTimer)
    this.sendTimer = undefined
    this.storeUnconfirmed()
    const before = this.working ?? Promise.resolve()
    const mine = before.then(() => this.exchange(reads))
    this.working = mine
    return mine
  }

  private async exchange(reads: boolean) {
    if (this.isClosed) return
    try {
      if (reads) await this.pull()
      while (this.sync.hasUnconfirmed(this.current)) await this.push()
      if (this.isLeaving) await this.push()
      this.saveState.set('saved')
      this.reportCursor()
    } catch (error) {
      this.fail(error)
    }
    this.storeUnconfirmed()
  }

  private fail(error: unknown) {
    // Who signs in again goes on.
    const isSignedOut = error instanceof ApiError && error.status === 401
    const isOffline =
      isSignedOut || error instanceof NoResponseError || !(error instanceof ApiError)
    this.saveState.set(isOffline ? 'offline' : 'refused')
    if (isOffline) this.sendTimer ??= setTimeout(this.retry, RETRY_MS)
    else if (this.sync.hasUnconfirmed(this.current)) showError(error as Error)
  }

  private async push() {
    const pushed = this.sync.pushed(this.current)
    const answer = await callOperation('shared_texts.push', {
      ...this.address,
      ...(pushed as Pushed & { changes: [] }),
      ...(this.isLeaving && { is_leaving: true }),
    })
    if (answer.accepted) this.dispatch(this.sync.confirm(this.current, pushed))
    else if (answer.missing) this.dispatch(this.sync.receive(this.current, answer.missing))
    else await this.pull()
  }

  private async pull() {
    const after = this.number
    const input = { ...this.address, after }
    const { number, text, changes } = await callOperation('shared_texts.get', input)
    if (changes) this.dispatch(this.sync.receive(this.current, changes))
    // What was received in the meantime is newer than this answer.
    else if (this.number === after)
      this.dispatch(this.sync.merge(this.current, { number, text: text ?? '' }))
  }

  private end() {
    clearTimeout(this.sendTimer)
    clearInterval(this.checkTimer)
    this.stopSignals()
    removeEventListener('online', this.retry)
    removeEventListener('pagehide', this.storeUnconfirmed)
  }
}

/** Whether the other changes delete some of the text that the first ones would change. */
function isOverwritten(changes: ChangeSet, others: ChangeSet): boolean {
  let result = false
  changes.iterChangedRanges((from, to) =>
    others.iterChangedRanges((otherFrom, otherTo) => {
      if (otherFrom < otherTo && otherFrom < to && otherTo > from) result = true
    }, true),
  )
  return result
}

/** The end of the last insertion. */
function endOf(changes: ChangeSet): number {
  let end = 0
  changes.iterChanges((_fromA, _toA, _fromB, toB) => {
    end = toB
  })
  return end
}
