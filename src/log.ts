import pino, { type Logger } from 'pino'

/** Lines that wait while they cannot be written; more are dropped. */
const WAITING_BYTES = 1_000_000

/** The log goes to standard error. Where that cannot be written, requests are answered all the same. */
export function openLog(level: string): Logger {
  const out = pino.destination({ fd: 2, sync: true, maxLength: WAITING_BYTES })
  out.on('error', () => {})
  return pino({ level }, out)
}
