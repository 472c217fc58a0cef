import type { CommandIO } from '../io.ts'
import { plain, safe } from '../table.ts'
import { type Call, type ChatEvent, troubleText } from './event.ts'

const STATES: Record<Exclude<Call['state'], 'running'>, string> = {
  waiting: 'waits',
  done: 'done',
  failed: 'failed',
  declined: 'declined',
  undone: 'undone',
}

export type Show = (event: ChatEvent) => Promise<void>

/** Prints each event as a line of JSON, for programs. */
export const printJson =
  ({ out }: CommandIO): Show =>
  async (event) =>
    out(lineOf(event))

/** JSON does not escape these control characters, and some terminals execute them. */
const lineOf = (event: ChatEvent) =>
  JSON.stringify(event).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  )

/** Prints texts to standard output as they come, and a line for each call to standard error. */
export function printText({ exact, err }: CommandIO): Show {
  const states = new Map<string, string>()
  let isOpen = false
  const close = async () => {
    if (isOpen) await exact('\n')
    isOpen = false
  }
  return async (event) => {
    if (event.type === 'text') {
      const text = safe(event.text)
      if (!text) return
      isOpen = !text.endsWith('\n')
      await exact(text)
    } else if (event.type === 'call') {
      const { call_id, state } = event.call
      if (state === 'running' || states.get(call_id) === state) return
      states.set(call_id, state)
      await close()
      err(callLine(event.call))
    } else if (event.type === 'done') await close()
  }
}

export const callLine = ({ state, title, trouble }: Call): string =>
  plain(
    `[${state === 'running' ? 'begun' : STATES[state]}] ${title}${trouble ? `: ${troubleText(trouble)}` : ''}`,
  )
