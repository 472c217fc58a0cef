import { storageName } from '../kit/base-path.ts'
import { pageUserId } from './browser-user.ts'
import {
  type Change,
  type ChangeListener,
  type LiveState,
  listenToChanges,
  type Signal,
} from './change-stream.ts'

/** The messages between the leading tab, which holds the stream, and the other tabs. */
type TabMessage =
  | { kind: 'changes'; changes: readonly Change[] }
  | { kind: 'signal'; signal: Signal }
  | { kind: 'state'; state: LiveState }
  | { kind: 'heartbeat' | 'signed-out' | 'request-state' | 'reconnect' }

/** Longer than the leading tab takes to notice that the server is silent. */
const SILENCE_MS = 45_000
const CHECK_MS = 5000
/** A tab of an earlier version of the app uses `live …`, because its messages have other names. */
const CHANNEL = storageName(`changes ${pageUserId}`)

/**
 * Opens one stream for all tabs of the browser, as a browser allows only six connections per
 * server: one tab leads and forwards the changes, and the next one resumes where it stopped when it
 * is closed. Changes after `lastEventId` are delivered too.
 */
export function listenAcrossTabs(listener: ChangeListener, lastEventId?: string): () => void {
  // The Web Locks API does not exist over plain HTTP in a local network.
  if (!navigator.locks) return listenWhileVisible(listener, lastEventId)
  const tab = new TabListener(listener, lastEventId)
  void tab.lead({})
  return () => tab.end()
}

/** Each tab has its own stream, and only while it is visible. */
function listenWhileVisible(listener: ChangeListener, lastEventId: string | undefined): () => void {
  const onChanges = (changes: readonly Change[]) => {
    lastEventId = String(changes.at(-1)!.seq)
    listener.onChanges(changes)
  }
  let stop: (() => void) | undefined
  const update = () => {
    if (document.visibilityState === 'visible')
      stop ??= listenToChanges({ ...listener, onChanges, onHeartbeat() {} }, lastEventId)
    else {
      // Without an event to resume from, `offline` makes the app load everything again.
      if (!lastEventId) listener.onState('offline')
      stop?.()
      stop = undefined
    }
  }
  document.addEventListener('visibilitychange', update)
  update()
  return () => {
    document.removeEventListener('visibilitychange', update)
    stop?.()
  }
}

class TabListener {
  private readonly channel = new BroadcastChannel(CHANNEL)
  private readonly ended = new AbortController()
  private readonly checkTimer: ReturnType<typeof setInterval>
  private state: LiveState = 'connecting'
  private lastMessageAt = performance.now()
  private isLeading = false
  private hasFollowed = false

  constructor(
    private readonly listener: ChangeListener,
    private lastEventId: string | undefined,
  ) {
    this.channel.onmessage = ({ data }: MessageEvent<TabMessage>) => this.handleMessage(data)
    this.checkTimer = setInterval(() => {
      // A browser may have frozen the leading tab.
      if (!this.isLeading && performance.now() - this.lastMessageAt > SILENCE_MS)
        void this.lead({ steal: true })
    }, CHECK_MS)
    addEventListener('online', this.requestReconnect)
    this.post({ kind: 'request-state' })
  }

  /** Waits for the lock, or steals it from a tab that is silent. */
  async lead({ steal = false }) {
    this.lastMessageAt = performance.now()
    const leadership = new AbortController()
    const lockOptions = steal ? { steal } : { signal: this.ended.signal }
    try {
      await navigator.locks.request(CHANNEL, lockOptions, () => this.holdStream(leadership.signal))
    } catch {
      // Another tab stole the lock, or this tab has ended.
    }
    const hasLed = this.isLeading
    leadership.abort()
    this.isLeading = false
    if (hasLed && !steal && !this.ended.signal.aborted) void this.lead({})
  }

  end() {
    this.ended.abort()
    clearInterval(this.checkTimer)
    removeEventListener('online', this.requestReconnect)
    this.channel.close()
  }

  private readonly requestReconnect = () => this.isLeading || this.post({ kind: 'reconnect' })

  /** Holds the stream until this tab ends or loses the lock. */
  private async holdStream(leadership: AbortSignal) {
    if (this.ended.signal.aborted) return
    this.isLeading = true
    // A tab that followed without receiving a change does not know where to resume.
    if (this.hasFollowed && !this.lastEventId) this.setState('offline')
    const stop = listenToChanges(
      {
        onChanges: (changes) => {
          this.post({ kind: 'changes', changes })
          this.deliver(changes)
        },
        onSignal: (signal) => {
          this.post({ kind: 'signal', signal })
          this.listener.onSignal(signal)
        },
        onState: (state) => this.setState(state),
        onSignedOut: () => {
          this.post({ kind: 'signed-out' })
          this.listener.onSignedOut()
        },
        onHeartbeat: () => this.post({ kind: 'heartbeat' }),
      },
      this.lastEventId,
    )
    const endSignal = AbortSignal.any([leadership, this.ended.signal])
    endSignal.addEventListener('abort', stop)
    await new Promise((resolve) => endSignal.addEventListener('abort', resolve))
  }

  private handleMessage(message: TabMessage) {
    if (message.kind === 'request-state' || message.kind === 'reconnect') {
      if (!this.isLeading) return
      if (message.kind === 'reconnect') dispatchEvent(new Event('online'))
      return this.post({ kind: 'state', state: this.state })
    }
    this.hasFollowed = true
    this.lastMessageAt = performance.now()
    if (message.kind === 'changes') this.deliver(message.changes)
    if (message.kind === 'signal') this.listener.onSignal(message.signal)
    if (message.kind === 'state') this.setState(message.state)
    if (message.kind === 'signed-out') this.listener.onSignedOut()
  }

  private deliver(changes: readonly Change[]) {
    this.lastEventId = String(changes.at(-1)!.seq)
    this.listener.onChanges(changes)
  }

  private setState(state: LiveState) {
    if (this.isLeading) this.post({ kind: 'state', state })
    this.state = state
    this.listener.onState(state)
  }

  private post(message: TabMessage) {
    this.channel.postMessage(message)
  }
}
