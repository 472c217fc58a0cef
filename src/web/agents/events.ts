import type { Output } from '../data/client.ts'

type Event = Output<'webhooks.get'>['events'][number]

/** The webhook events with their descriptions. */
export const EVENTS: readonly (readonly [Event, string])[] = [
  ['task.assigned', 'a task becomes its own'],
  ['task.unassigned', 'a task is no longer its own'],
  ['comment.mention', 'a comment mentions it'],
  ['run.created', 'a run of its own waits to begin'],
  ['run.prompted', 'a run of its own is told more'],
  ['run.stopped', 'a run of its own is stopped'],
  ['comment.reaction', 'somebody reacts to its comment'],
  ['task.created', 'there is a new task'],
  ['task.updated', 'a task changes'],
  ['comment.created', 'somebody comments'],
  ['chat.message', 'somebody writes to it in chat'],
]
/** The events selected by default. */
export const DEFAULT_EVENTS: readonly Event[] = EVENTS.slice(0, 6).map(([event]) => event)
