import type { Input, Name } from './client.ts'
import { owner } from './who.ts'

/** A write as it is sent, and sent again. */
export interface Sent {
  name: Name
  input: Input<Name>
  key: string
}

/** Of one tab and one person: whoever signs in after them does not send it. */
const NAME = `writes:${owner}`

/** The page may be loaded again before anybody has answered. */
export function keep(some: readonly Sent[]) {
  try {
    const plain = some.map(({ name, input, key }) => ({ name, input, key }))
    sessionStorage.setItem(NAME, JSON.stringify(plain))
  } catch {
    // Too much, or not allowed: whoever leaves is still warned.
  }
}

export function forget() {
  try {
    sessionStorage.removeItem(NAME)
  } catch {}
}

/** What was kept by this page before it was loaded again. */
export function take(): Sent[] {
  try {
    return JSON.parse(sessionStorage.getItem(NAME) ?? '[]')
  } catch {
    return []
  }
}
