interface Stream {
  isTTY?: boolean
  write(text: string): unknown
}

export interface Progress {
  /** How many are done by now. */
  at(done: number): void
  /** Says how it ended; nothing may be told after that. */
  end(outcome?: string): void
}

const REDRAW_MS = 100
const LINE_MS = 5000

/**
 * Tells on standard error how far something long has come: redrawn in place on a terminal, a line
 * every few seconds elsewhere, so that a log of it stays short.
 */
export function progress(
  label: string,
  total?: number,
  stream: Stream = process.stderr,
  now: () => number = () => performance.now(),
): Progress {
  const drawn = stream.isTTY === true
  let last = now()
  let done = 0
  const told = () => {
    if (total === undefined) return `${label}: ${done}`
    const share = total ? Math.floor((done / total) * 100) : 100
    return `${label}: ${done} of ${total} (${share} %)`
  }
  const tell = (text: string) => stream.write(drawn ? `\r\x1b[K${text}` : `${text}\n`)
  if (drawn) tell(label)
  return {
    at(count) {
      done = count
      if (now() - last < (drawn ? REDRAW_MS : LINE_MS)) return
      last = now()
      tell(told())
    },
    end(outcome = 'done') {
      tell(`${label}: ${outcome}`)
      if (drawn) stream.write('\n')
    },
  }
}
