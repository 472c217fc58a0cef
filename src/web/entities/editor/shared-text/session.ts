import { type ChangeSet, EditorState, type Extension, type Transaction } from '@codemirror/state'
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { changesBetween } from '../../../../kernel/text-changes/index.ts'
import { callOperation, newIdempotencyKey } from '../../../data/client.ts'
import { onSignal } from '../../../data/live.ts'
import { ApiError, messageWithHint, NoResponseError } from '../../../kit/errors.ts'
import { createStore } from '../../../kit/store.ts'
import { refuseUndo, showError, showErrorToast } from '../../../kit/toasts.tsx'
import { reportEditing } from '../../presence/reports.ts'
import { type ReportedCursor, reportCursor, showCursor, showWriter } from './cursor-reports.ts'
import { cursors } from './cursors.ts'
import { isOverwritten, OwnChanges } from './own-changes.ts'
import { restore, type Unconfirmed } from './restore.ts'
import { MissingChanges, type NumberedChange, TextSync } from './sync.ts'

/** The description of a task, or a page. */
export type TextAddress = { task_id: number } | { page_id: number }
export type SaveState = 'saved' | 'saving' | 'offline' | 'refused'

/** A text without and with what was typed in one session. */
export interface TypedText {
  before: string
  after: string
}

/** Keystrokes within this time are sent together. */
const SEND_MS = 250
const RETRY_MS = 3000
/** A signal may be lost, so the text is compared from time to time. */
const CHECK_MS = 15_000
const LAST_SAVE_MS = 10_000

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
  /** The server has every change, but cannot save the text that they make. */
  private isRefused = false
  private isClosed = false

  private constructor(
    readonly address: TextAddress,
    private readonly sync: TextSync,
  ) {
    this.state = EditorState.create({ doc: sync.base, extensions: sync.extension() })
    this.own = new OwnChanges(sync.base)
    this.stopSignals = onSignal(({ type, data }) => {
      if (type === 'text.changed' && this.isOwnText(data)) this.receive(data.changes)
      if (type === 'text.saved' && this.isOwnText(data)) this.setRefusal(data.refusal)
      if (type === 'presence' && this.view)
        showCursor(this.sync, this.view, address, data as unknown as ReportedCursor)
    })
    this.checkTimer = setInterval(() => void this.work(true), CHECK_MS)
    addEventListener('online', this.retry)
    addEventListener('pagehide', this.storeUnconfirmed)
  }

  static async open(address: TextAddress, left?: Unconfirmed): Promise<SharedText> {
    const after = left?.sent && { after: left.sent.number }
    const answer = await callOperation('shared_texts.get', { ...address, ...after })
    const { typed, ...numbered } = restore(left, answer)
    const session = new SharedText(address, new TextSync(numbered, newIdempotencyKey()))
    for (const changes of typed) if (!changes.empty) session.change(changes)
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
    if (docChanged || selectionSet) reportCursor(this.sync, state)
    if (docChanged && this.sync.hasUnconfirmed(state)) this.noteTyped()
  }

  private noteTyped() {
    if (this.saveState.get() !== 'offline') this.saveState.set('saving')
    this.sendTimer ??= setTimeout(() => void this.work(), SEND_MS)
  }

  private readonly storeUnconfirmed = () => {
    if (!this.sync.hasUnconfirmed(this.current)) return this.onUnconfirmed(undefined)
    const [over, sent] = [this.sync.base.toString(), this.sync.pushed(this.current)]
    this.onUnconfirmed({ text: this.text, over, sent })
  }

  private receive(changes: unknown) {
    // Until the editor is there, the text must stay as it was given to it.
    if (!this.view) return
    try {
      const numbered = changes as NumberedChange[]
      if (!numbered.length) throw new MissingChanges()
      this.dispatch(this.sync.receive(this.current, numbered))
      showWriter(this.sync, () => this.view, numbered.at(-1)!)
    } catch {
      void this.work(true)
    }
  }

  private setRefusal(refusal: unknown) {
    this.isRefused = refusal !== undefined
    if (this.saveState.get() === (this.isRefused ? 'saved' : 'refused'))
      this.saveState.set(this.isRefused ? 'refused' : 'saved')
    if (this.isRefused) showErrorToast(messageWithHint(refusal as { message: string }))
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
      this.saveState.set(this.isRefused ? 'refused' : 'saved')
      if (this.view) reportCursor(this.sync, this.current)
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
      ...(pushed as typeof pushed & { changes: [] }),
      ...(this.isLeaving && { is_leaving: true }),
    })
    if (answer.accepted) this.dispatch(this.sync.confirm(this.current, pushed))
    else if (answer.missing) this.dispatch(this.sync.receive(this.current, answer.missing))
    else await this.pull()
  }

  private async pull() {
    const after = this.number
    const input = { ...this.address, after }
    const { is_saved, number, text, changes } = await callOperation('shared_texts.get', input)
    if (is_saved) this.isRefused = false
    if (changes) this.dispatch(this.sync.receive(this.current, changes))
    // What was received in the meantime is newer than this answer.
    else if (this.number === after)
      this.dispatch(this.sync.merge(this.current, { number, text: text ?? '' }))
  }

  private end() {
    clearTimeout(this.sendTimer)
    clearInterval(this.checkTimer)
    // The server still saves what it was sent last, and may refuse it.
    setTimeout(this.stopSignals, LAST_SAVE_MS)
    removeEventListener('online', this.retry)
    removeEventListener('pagehide', this.storeUnconfirmed)
  }
}
