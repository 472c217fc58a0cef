import { type Fields, GONE, unmade, type Was, type Ways } from './types.ts'

const TOLD = 'Others have been told of it'
const PASSED = 'Time that has passed does not come back; mend the entry instead'
const STOPPED = 'It was stopped at work; enable it, or give it another token, in the settings'

/** Only those that this very call changed. */
const marked = (op: string) => ({
  back({ output }: Was) {
    const { changed } = output as { changed: number[] }
    return changed.length ? [{ op, input: { notification_ids: changed } }] : undefined
  },
})

/** What is between people, agents and the clock. */
export const ofPeople: Ways = {
  'inbox.archive': marked('inbox.unarchive'),
  'inbox.unarchive': marked('inbox.archive'),
  'inbox.read': marked('inbox.unread'),
  'inbox.unread': marked('inbox.read'),
  'inbox.move_task': TOLD,
  'decision_requests.create': 'People have been asked; cancel the question instead',
  'decision_requests.answer': 'An answer is final',
  'decision_requests.cancel': 'A cancelled question stays so; ask it again',
  'time.start': unmade('time.delete', 'entry_id'),
  'time.stop': PASSED,
  'time.pause': PASSED,
  'time.resume': PASSED,
  'time.log': unmade('time.delete', 'entry_id'),
  'runs.create': 'The agent has been called; stop its run instead',
  'runs.prompt': TOLD,
  'runs.stop': 'A run that ended stays so; set the agent to work again',
  'feedback.report': TOLD,
  'webhooks.test': 'It has been sent',
  'webhooks.replay': 'It has been sent',
  'webhooks.delete': 'Its secret is gone; configure another webhook',
  'agents.deactivate': STOPPED,
  'agents.revoke': STOPPED,
  'agents.archive': STOPPED,
  'agents.delete': GONE,
  'user_context.update_profile': {
    sees: () => ({ op: 'user_context.get', input: {}, fields: ['profile'] }),
    back({ input, before }) {
      const { profile } = before as { profile: Fields }
      const was = Object.keys(input).map((name) => [name, profile[name]])
      return [{ op: 'user_context.update_profile', input: Object.fromEntries(was) }]
    },
  },
}
