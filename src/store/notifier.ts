import pg, { type Client, type Pool } from 'pg'
import { connectSeparately, parseAddress } from './connect.ts'

/** One channel per database; a notification reaches every server of it. */
const CHANNEL = 'cork_signals'
const RETRY_MS = 1000
/** PostgreSQL refuses a payload of 8000 bytes. */
export const MAX_NOTIFICATION_BYTES = 7900

/** Sends short texts to all servers of the database. They are not stored and may be lost. */
export class Notifier {
  private readonly listeners = new Set<(text: string) => void>()
  private readonly sender: Pool
  private client: Client | undefined
  private retryTimer: ReturnType<typeof setTimeout> | undefined
  private isClosed = false

  constructor(private readonly address: string) {
    this.sender = connectSeparately(address)
  }

  send(text: string): void {
    if (this.isClosed || Buffer.byteLength(text) > MAX_NOTIFICATION_BYTES) return
    this.sender.query('select pg_notify($1, $2)', [CHANNEL, text]).catch(() => {})
  }

  /** Connects at the first call. */
  subscribe(listener: (text: string) => void): () => void {
    this.listeners.add(listener)
    if (!this.client) void this.connect()
    return () => void this.listeners.delete(listener)
  }

  async close() {
    if (this.isClosed) return
    this.isClosed = true
    clearTimeout(this.retryTimer)
    await this.client?.end().catch(() => {})
    await this.sender.end()
  }

  private async connect() {
    const client = new pg.Client(parseAddress(this.address).config)
    this.client = client
    client.on('notification', ({ payload }) => {
      for (const listener of this.listeners) listener(payload ?? '')
    })
    client.on('error', () => {})
    client.on('end', () => this.reconnect())
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
    } catch {
      await client.end().catch(() => {})
      this.reconnect()
    }
  }

  private reconnect() {
    if (this.isClosed) return
    clearTimeout(this.retryTimer)
    this.retryTimer = setTimeout(() => void this.connect(), RETRY_MS)
    this.retryTimer.unref()
  }
}
