import { type Client, RefusedError } from '../client.ts'

const FLUSH_MS = 2000
const MAX_ENTRY = 20_000
/** The end of the output that the hand-over quotes. */
const MAX_TAIL = 2000

type Kind = 'message' | 'error'

/** Sends the output of a command to the transcript of a run, in pieces of a few seconds. */
export class Transcript {
  private pending: { kind: Kind; text: string }[] = []
  private sending: Promise<void> = Promise.resolve()
  private isFull = false
  private readonly timer = setInterval(() => this.flush(), FLUSH_MS)
  private end = ''

  constructor(
    private readonly client: Client,
    private readonly run_id: number,
  ) {}

  /** The last lines of the output. */
  get tail(): string {
    return this.end.trim()
  }

  add(kind: Kind, text: string): void {
    if (kind === 'message') this.end = (this.end + text).slice(-MAX_TAIL)
    const last = this.pending.at(-1)
    if (last?.kind === kind && last.text.length + text.length <= MAX_ENTRY) last.text += text
    else
      for (let at = 0; at < text.length; at += MAX_ENTRY)
        this.pending.push({ kind, text: text.slice(at, at + MAX_ENTRY) })
  }

  /** Output that cannot be sent now is sent with the next piece. */
  flush(): Promise<void> {
    this.sending = this.sending.then(async () => {
      const entries = this.pending.splice(0, 100).filter(({ text }) => text.trim())
      if (!entries.length || this.isFull) return
      const path = `/api/v1/runs/${this.run_id}/transcript`
      try {
        await this.client.send({ method: 'POST', path, body: { entries } })
      } catch (error) {
        // The server refuses a full transcript and one of a run that is over.
        if (error instanceof RefusedError) this.isFull = true
        else this.pending.unshift(...entries)
      }
    })
    return this.sending
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.flush()
  }
}
