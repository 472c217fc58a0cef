import type { Passage, Question } from '../../kernel/outside.ts'
import { canStartWorker } from '../../kernel/threads.ts'
import {
  type Delivery,
  type Log,
  type Place,
  type Shelves,
  type State,
  Unready,
} from './shelves.ts'
import { type Asking, type Opening, revived, type Told } from './wire.ts'

/** The server's own first answers come before this one's. */
const FIRST_MS = 150
const PATIENCE_MS = 5000
const HUNG = 4
const CLOSE_MS = 3000
const AGAIN_MS = 200
const MOST_AGAIN_MS = 30_000
/** Whoever lived for so long did not die of how it began. */
const WELL_MS = 60_000

export interface Beside {
  /** The address of `work.ts`. */
  worker: string
  opening: Opening
  log: Log
  /** Milliseconds until who asks is sent away; a worker that is silent for four times as long is given up. */
  patience?: number
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** The library in a thread of its own, which is started again should it die. */
export class Remote implements Shelves {
  private worker: Worker | undefined
  private readonly waiting = new Map<number, Waiting>()
  private asked = 0
  /** Since when somebody has waited and heard nothing. */
  private silent = 0
  private began = 0
  private pause = AGAIN_MS
  private again: Timer | undefined
  private readonly watch: Timer
  private closing = false

  /** Nothing is asked before. */
  private readonly first: Promise<void>

  constructor(private readonly beside: Beside) {
    this.first = Bun.sleep(FIRST_MS).then(() => this.start())
    const { patience = PATIENCE_MS } = beside
    this.watch = setInterval(() => {
      const silence = performance.now() - this.silent
      if (this.waiting.size && silence > patience * HUNG) this.died('it hangs')
    }, patience)
  }

  async seek(question: Question): Promise<Passage[]> {
    const { patience = PATIENCE_MS } = this.beside
    let alarm: Timer | undefined
    const late = new Promise<never>((_, reject) => {
      alarm = setTimeout(() => reject(new Unready('The search index does not answer')), patience)
    })
    try {
      return await Promise.race([this.ask<Passage[]>('seek', question), late])
    } finally {
      clearTimeout(alarm)
    }
  }

  place = () => this.ask<Place | undefined>('place')
  take = (delivery: Delivery) => this.ask<void>('take', delivery)
  forget = () => this.ask<void>('forget')
  state = () => this.ask<State>('state')

  /** Waits for what is being written, but not for ever: the log tells the rest again. */
  async close(): Promise<void> {
    this.closing = true
    clearTimeout(this.again)
    clearInterval(this.watch)
    const closed = this.ask<void>('close').catch(() => {})
    await Promise.race([closed, Bun.sleep(CLOSE_MS)])
    this.worker?.terminate()
    this.lost()
  }

  private async ask<T>(call: Asking['call'], input?: unknown): Promise<T> {
    await this.first
    const { worker } = this
    if (!worker) throw new Unready('The search index is being started again')
    const id = ++this.asked
    return new Promise<T>((resolve, reject) => {
      if (!this.waiting.size) this.silent = performance.now()
      this.waiting.set(id, { resolve: resolve as Waiting['resolve'], reject })
      worker.postMessage({ id, call, input })
    })
  }

  private start(): void {
    if (this.closing) return
    this.began = performance.now()
    if (!canStartWorker()) {
      this.startAgain('too few file descriptors are free')
      return
    }
    const worker = new Worker(this.beside.worker, { smol: true })
    this.worker = worker
    worker.onmessage = ({ data }: MessageEvent<Told>) => this.heard(data)
    const died = (why: string) => this.worker === worker && this.died(why)
    worker.addEventListener('error', (event) => {
      event.preventDefault()
      died(event.message)
    })
    worker.addEventListener('close', () => died('it ended'))
    worker.postMessage({ open: this.beside.opening })
  }

  private heard(told: Told): void {
    this.silent = performance.now()
    if ('text' in told) {
      this.beside.log[told.level](told.about, told.text)
      return
    }
    const waiting = this.waiting.get(told.id)
    this.waiting.delete(told.id)
    if ('error' in told) waiting?.reject(revived(told.error))
    else waiting?.resolve(told.value)
  }

  private died(why: string): void {
    this.worker?.terminate()
    this.lost()
    if (!this.closing) this.startAgain(why)
  }

  private lost(): void {
    this.worker = undefined
    const error = new Unready('The search index is being started again')
    for (const { reject } of this.waiting.values()) reject(error)
    this.waiting.clear()
  }

  private startAgain(why: string): void {
    if (performance.now() - this.began > WELL_MS) this.pause = AGAIN_MS
    this.beside.log.error({ why }, 'The search index does not run, and is started again')
    this.again = setTimeout(() => this.start(), this.pause)
    this.pause = Math.min(this.pause * 2, MOST_AGAIN_MS)
  }
}
