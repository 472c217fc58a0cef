import type { Outside } from '../outside.ts'
import { plain, safe } from '../table.ts'
import { type Call, inWords, type Told } from './told.ts'

const STATES: Record<Exclude<Call['state'], 'running'>, string> = {
  waiting: 'waits',
  done: 'done',
  failed: 'failed',
  declined: 'not done',
  undone: 'taken back',
}

export type Show = (told: Told) => Promise<void>

/** An event a line, as programs want it. */
export const asLines =
  ({ out }: Outside): Show =>
  async (told) =>
    out(lineOf(told))

/** JSON leaves these as they are, and some terminals obey them. */
const lineOf = (told: Told) =>
  JSON.stringify(told).replace(
    /[\u007f-\u009f]/g,
    (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`,
  )

/** What is said as it comes, on standard output; what is done beside it, a line each. */
export function asWords({ exact, err }: Outside): Show {
  const states = new Map<string, string>()
  let isOpen = false
  const close = async () => {
    if (isOpen) await exact('\n')
    isOpen = false
  }
  return async (told) => {
    if (told.type === 'text') {
      const text = safe(told.text)
      if (!text) return
      isOpen = !text.endsWith('\n')
      await exact(text)
    } else if (told.type === 'call') {
      const { call_id, state } = told.call
      if (state === 'running' || states.get(call_id) === state) return
      states.set(call_id, state)
      await close()
      err(callLine(told.call))
    } else if (told.type === 'done') await close()
  }
}

export const callLine = ({ state, title, trouble }: Call): string =>
  plain(
    `[${state === 'running' ? 'begun' : STATES[state]}] ${title}${trouble ? `: ${inWords(trouble)}` : ''}`,
  )
