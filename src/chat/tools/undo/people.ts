import {
  type CallRecord,
  DELETED_FOR_GOOD,
  deletesCreated,
  type Fields,
  type UndoRules,
} from './types.ts'

const OTHERS_NOTIFIED = 'Others have been notified'
const TIME_PASSED = 'Elapsed time cannot be undone; edit the time entry instead'
const AGENT_STOPPED = 'The agent was stopped; enable it, or create a new token, in the settings'

/** Reverts only the notifications that this call changed. */
const marksChanged = (op: string) => ({
  undo({ output }: CallRecord) {
    const { changed } = output as { changed: number[] }
    return changed.length ? [{ op, input: { notification_ids: changed } }] : undefined
  },
})

/** The inbox, decision requests, timers, runs, webhooks, agents and the profile. */
export const peopleRules: UndoRules = {
  'inbox.archive': marksChanged('inbox.unarchive'),
  'inbox.unarchive': marksChanged('inbox.archive'),
  'inbox.read': marksChanged('inbox.unread'),
  'inbox.unread': marksChanged('inbox.read'),
  'inbox.move_task': OTHERS_NOTIFIED,
  'decision_requests.create': 'People have been asked; cancel the decision request instead',
  'decision_requests.answer': 'An answer is final',
  'decision_requests.cancel': 'A cancelled decision request cannot be reopened; create a new one',
  'time.start': deletesCreated('time.delete', 'entry_id'),
  'time.stop': TIME_PASSED,
  'time.pause': TIME_PASSED,
  'time.resume': TIME_PASSED,
  'time.log': deletesCreated('time.delete', 'entry_id'),
  'runs.create': 'The agent has been called; stop its run instead',
  'runs.prompt': OTHERS_NOTIFIED,
  'runs.stop': 'A run that ended cannot be restarted; start a new one',
  'feedback.report': OTHERS_NOTIFIED,
  'webhooks.test': 'It has been sent',
  'webhooks.replay': 'It has been sent',
  'webhooks.delete': 'Its secret is deleted; configure another webhook',
  'agents.deactivate': AGENT_STOPPED,
  'agents.revoke': AGENT_STOPPED,
  'agents.archive': AGENT_STOPPED,
  'agents.delete': DELETED_FOR_GOOD,
  'user_context.update_profile': {
    reads: () => ({ op: 'user_context.get', input: {}, fields: ['profile'] }),
    undo({ input, before }) {
      const { profile } = before as { profile: Fields }
      const previous = Object.keys(input).map((name) => [name, profile[name]])
      return [{ op: 'user_context.update_profile', input: Object.fromEntries(previous) }]
    },
  },
}
