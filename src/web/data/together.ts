import { type Ears, type Happening, type LiveState, listen } from './live.ts'
import { owner } from './who.ts'

/** What the tab that listens tells the others, and what they ask of it. */
type Word =
  | { kind: 'heard'; happenings: readonly Happening[] }
  | { kind: 'state'; state: LiveState }
  | { kind: 'beat' | 'over' | 'who' | 'try' }

/** Longer than the one who listens takes to notice that the server is silent. */
const SILENCE_MS = 45_000
const LOOK_MS = 5000
const NAME = `live ${owner}`

/**
 * Listens once for all tabs of a browser, as that has only six connections for all of them: one tab
 * holds the stream and tells the others, and the next one goes on where it was when it is closed.
 * Of what happened after `last` it is told too.
 */
export function listenTogether(ears: Ears, last?: string): () => void {
  // There are no locks over plain HTTP in a local network.
  if (!navigator.locks) return listenWhileSeen(ears, last)
  const tab = new Tab(ears, last)
  void tab.lead({})
  return () => tab.end()
}

/** Each tab by itself, and only as long as somebody looks at it. */
function listenWhileSeen(ears: Ears, last: string | undefined): () => void {
  const heard = (happenings: readonly Happening[]) => {
    last = String(happenings.at(-1)!.seq)
    ears.heard(happenings)
  }
  let stop: (() => void) | undefined
  const look = () => {
    if (document.visibilityState === 'visible') stop ??= listen({ ...ears, heard, beat() {} }, last)
    else {
      // Without a place to go on from, everything is asked for again.
      if (!last) ears.state('offline')
      stop?.()
      stop = undefined
    }
  }
  document.addEventListener('visibilitychange', look)
  look()
  return () => {
    document.removeEventListener('visibilitychange', look)
    stop?.()
  }
}

class Tab {
  private readonly channel = new BroadcastChannel(NAME)
  private readonly over = new AbortController()
  private readonly look: ReturnType<typeof setInterval>
  private state: LiveState = 'connecting'
  private beaten = performance.now()
  private isLeading = false
  private hasFollowed = false

  constructor(
    private readonly ears: Ears,
    private last: string | undefined,
  ) {
    this.channel.onmessage = ({ data }: MessageEvent<Word>) => this.told(data)
    this.look = setInterval(() => {
      // A tab that a browser put to sleep does not lead.
      if (!this.isLeading && performance.now() - this.beaten > SILENCE_MS)
        void this.lead({ steal: true })
    }, LOOK_MS)
    addEventListener('online', this.tryNow)
    this.say({ kind: 'who' })
  }

  /** Waits for its turn, or takes it from a tab that is silent. */
  async lead({ steal = false }) {
    this.beaten = performance.now()
    const turn = new AbortController()
    const how = steal ? { steal } : { signal: this.over.signal }
    try {
      await navigator.locks.request(NAME, how, () => this.hold(turn.signal))
    } catch {
      // It was taken over by another tab, or this one has ended.
    }
    const isTaken = this.isLeading
    turn.abort()
    this.isLeading = false
    if (isTaken && !steal && !this.over.signal.aborted) void this.lead({})
  }

  end() {
    this.over.abort()
    clearInterval(this.look)
    removeEventListener('online', this.tryNow)
    this.channel.close()
  }

  private readonly tryNow = () => this.isLeading || this.say({ kind: 'try' })

  /** Until this tab ends, or is no longer the one. */
  private async hold(turn: AbortSignal) {
    if (this.over.signal.aborted) return
    this.isLeading = true
    // What happened since the last one left is not known where that never heard of anything.
    if (this.hasFollowed && !this.last) this.put('offline')
    const stop = listen(
      {
        heard: (happenings) => {
          this.say({ kind: 'heard', happenings })
          this.hear(happenings)
        },
        state: (state) => this.put(state),
        signedOut: () => {
          this.say({ kind: 'over' })
          this.ears.signedOut()
        },
        beat: () => this.say({ kind: 'beat' }),
      },
      this.last,
    )
    const ends = AbortSignal.any([turn, this.over.signal])
    ends.addEventListener('abort', stop)
    await new Promise((go) => ends.addEventListener('abort', go))
  }

  private told(word: Word) {
    if (word.kind === 'who' || word.kind === 'try') {
      if (!this.isLeading) return
      if (word.kind === 'try') dispatchEvent(new Event('online'))
      return this.say({ kind: 'state', state: this.state })
    }
    this.hasFollowed = true
    this.beaten = performance.now()
    if (word.kind === 'heard') this.hear(word.happenings)
    if (word.kind === 'state') this.put(word.state)
    if (word.kind === 'over') this.ears.signedOut()
  }

  private hear(happenings: readonly Happening[]) {
    this.last = String(happenings.at(-1)!.seq)
    this.ears.heard(happenings)
  }

  private put(state: LiveState) {
    if (this.isLeading) this.say({ kind: 'state', state })
    this.state = state
    this.ears.state(state)
  }

  private say(word: Word) {
    this.channel.postMessage(word)
  }
}
