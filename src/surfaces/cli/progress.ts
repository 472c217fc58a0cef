/** Where progress is shown. */
export interface Stream {
  isTTY?: boolean
  write(text: string): unknown
}

export interface Progress {
  /** Reports how many are done, with words such as the time that is left. */
  at(done: number, note?: string): void
  /** Reports the outcome. It must be the last call. */
  end(outcome?: string): void
}

const REDRAW_MS = 100
const LINE_MS = 5000

/**
 * Shows the progress of a long task on standard error. A terminal line is redrawn in place.
 * Elsewhere a line is written every few seconds, so that logs stay short.
 */
export function progress(
  label: string,
  total?: number,
  stream: Stream = process.stderr,
  now: () => number = () => performance.now(),
): Progress {
  const isTerminal = stream.isTTY === true
  let last = now()
  const statusText = (done: number, note?: string) => {
    const after = note ? `, ${note}` : ''
    if (total === undefined) return `${label}: ${done}${after}`
    const percent = total ? Math.floor((done / total) * 100) : 100
    return `${label}: ${done} of ${total} (${percent} %)${after}`
  }
  const print = (text: string) => stream.write(isTerminal ? `\r\x1b[K${text}` : `${text}\n`)
  if (isTerminal) print(label)
  return {
    at(done, note) {
      if (now() - last < (isTerminal ? REDRAW_MS : LINE_MS)) return
      last = now()
      print(statusText(done, note))
    },
    end(outcome = 'done') {
      print(`${label}: ${outcome}`)
      if (isTerminal) stream.write('\n')
    },
  }
}
