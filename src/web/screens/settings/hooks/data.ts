import { cache } from '../../../data/cache.ts'
import type { Output } from '../../../data/client.ts'

export type Webhook = Output<'board_webhooks.list'>['items'][number]
/** A board, or a team with all its boards. */
export type Place = { project_id: number } | { team_id: number }

export const reloadWebhooks = () => {
  void cache.invalidateQueries({ queryKey: ['board_webhooks.list'] })
  void cache.invalidateQueries({ queryKey: ['board_webhooks.deliveries'] })
}

/** Shows the host, because the path of an address may be secret. */
export const hostOf = ({ url }: Pick<Webhook, 'url'>) => new URL(url).host

export const EVENTS = [
  ...['task.created', 'task.moved', 'task.completed', 'task.updated', 'task.assigned'],
  ...['task.unassigned', 'task.due_soon', 'task.overdue', 'comment.created', 'comment.updated'],
  ...['decision.requested', 'decision.answered', 'escalation.created', 'escalation.resolved'],
  ...['pull_request.created', 'pull_request.updated'],
  ...['run.created', 'run.waiting', 'run.done', 'run.failed'],
] as const
