import { useShortcuts } from '../frame/keys.ts'
import { mayAnswer, type Note } from './shapes.ts'
import { IN_INBOX } from './table.ts'
import type { Triage } from './triage.ts'

/** These are the list's, also while a task stands beside it. */
export const KEPT: ReadonlySet<string> = new Set(['j', 'k', 'e', 'u', 's', 'r', 'x'])

export function useInboxKeys(notes: readonly Note[], triage: Triage) {
  const { at, meant, chosen, goTo } = triage
  const note = notes[at]
  const extend = (by: 1 | -1) => {
    const next = notes[at + by]
    if (!note || !next) return goTo(at + by)
    triage.setChosen(new Set([...chosen, note.notification_id, next.notification_id]))
    return goTo(at + by)
  }
  useShortcuts(IN_INBOX, {
    next: () => goTo(at + 1),
    back: () => goTo(at < 0 ? 0 : at - 1),
    open: () => (note ? triage.open(note) : false),
    archive: () => (meant.length ? triage.putAway(meant) : false),
    turn: () => (meant.length ? triage.turnRead(meant) : false),
    snooze: () => (meant.length ? triage.setSnoozing(meant) : false),
    answer: () => (note && mayAnswer(note) ? triage.setAnswering(note.notification_id) : false),
    choose: () => (note ? triage.turn(note.notification_id) : false),
    extend: ({ key }) => extend(key.toLowerCase() === 'j' ? 1 : -1),
    all: () => triage.setChosen(new Set(notes.map(({ notification_id }) => notification_id))),
    leave: () => (chosen.size ? triage.drop() : false),
  })
}
