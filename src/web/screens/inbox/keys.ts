import { useShortcuts } from '../../kit/shortcuts.ts'
import { IN_INBOX } from './shortcuts.ts'
import type { Triage } from './triage.ts'
import { canReply, type Note } from './types.ts'

/** Keys that the list handles even while the task panel is open. */
export const LIST_KEYS: ReadonlySet<string> = new Set(['j', 'k', 'e', 'u', 's', 'r', 'x'])

export function useInboxKeys(notes: readonly Note[], triage: Triage) {
  const { index, targets, selected, goTo } = triage
  const note = notes[index]
  const extend = (by: 1 | -1) => {
    const next = notes[index + by]
    if (!note || !next) return goTo(index + by)
    triage.setSelected(new Set([...selected, note.notification_id, next.notification_id]))
    return goTo(index + by)
  }
  useShortcuts(IN_INBOX, {
    next: () => goTo(index + 1),
    back: () => goTo(index < 0 ? 0 : index - 1),
    open: () => (note ? triage.open(note) : false),
    archive: () => (targets.length ? triage.archiveOrRestore(targets) : false),
    turn: () => (targets.length ? triage.toggleRead(targets) : false),
    snooze: () => (targets.length ? triage.setSnoozing(targets) : false),
    answer: () => (note && canReply(note) ? triage.setReplyingTo(note.notification_id) : false),
    choose: () => (note ? triage.toggleSelected(note.notification_id) : false),
    extend: ({ key }) => extend(key.toLowerCase() === 'j' ? 1 : -1),
    all: () => triage.setSelected(new Set(notes.map(({ notification_id }) => notification_id))),
    leave: () => (selected.size ? triage.clearSelection() : false),
  })
}
