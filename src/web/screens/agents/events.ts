import type { Output } from '../../data/client.ts'

type Event = Output<'webhooks.get'>['events'][number]

/** The webhook events with their descriptions. */
export const EVENTS: readonly (readonly [Event, string])[] = [
  ['task.assigned', 'a task is assigned to it'],
  ['task.unassigned', 'a task is unassigned from it'],
  ['comment.mention', 'a comment mentions it'],
  ['run.created', 'one of its runs is queued'],
  ['run.prompted', 'one of its runs gets a prompt'],
  ['run.stopped', 'one of its runs is stopped'],
  ['comment.reaction', 'somebody reacts to its comment'],
  ['task.created', 'a task is created'],
  ['task.updated', 'a task changes'],
  ['comment.created', 'somebody comments'],
  ['chat.message', 'somebody messages it in a chat'],
]
/** The events selected by default. */
export const DEFAULT_EVENTS: readonly Event[] = EVENTS.slice(0, 6).map(([event]) => event)
