import pino, { type Logger } from 'pino'

/** The buffer for lines while standard error cannot be written. Beyond it, lines are dropped. */
const BUFFER_BYTES = 1_000_000

/** Logs to standard error. If it cannot be written, requests are still answered. */
export function openLog(level: string): Logger {
  const out = pino.destination({ fd: 2, sync: true, maxLength: BUFFER_BYTES })
  out.on('error', () => {})
  return pino({ level }, out)
}
