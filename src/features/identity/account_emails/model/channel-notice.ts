import type { Tx } from '../../../../kernel/caller.ts'
import type { LoggedChange } from '../../../../store/log.ts'
import { queueNotice } from './store.ts'

interface ChannelFailed {
  title: string
  error: string
}

/** Queues an email to the owner of a channel that was switched off. A follower of the change log. */
export async function queueChannelNotices(tx: Tx, changes: readonly LoggedChange[]): Promise<void> {
  for (const { type, actor_id, data, created_at } of changes) {
    if (type !== 'channel.failed') continue
    const { title, error } = data as unknown as ChannelFailed
    await queueNotice(tx, actor_id, { kind: 'channel off', data: { title, error } }, created_at)
  }
}
