import { useState } from 'react'
import { cache, patchQuery, useOperation, useOperationMutation } from '../../../data/cache.ts'
import type { Input, Output } from '../../../data/client.ts'
import { showError, showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'

export type Channel = Output<'channels.list'>['items'][number]
export type ChannelKind = Channel['kind']
export type ChannelEvent = Channel['events'][number]
export type NewChannel = Input<'channels.create'>

/** Whose channels these are: those of a board or a team, or without either one's own. */
export type Owner = Pick<NewChannel, 'project_id' | 'team_id'>

const listOf = (owner: Owner) => ({ ...owner, limit: 100 })

export const useChannels = (owner: Owner) => useOperation('channels.list', listOf(owner))

export const reloadChannels = () => void cache.invalidateQueries({ queryKey: ['channels.list'] })

const patchChannels = (owner: Owner, change: (items: Channel[]) => Channel[]) =>
  patchQuery('channels.list', listOf(owner), (list) => ({ ...list, items: change(list.items) }))

/** Changes one channel, at once on the screen. */
export function useChannelUpdate(owner: Owner) {
  const { mutate } = useOperationMutation('channels.update', {
    line: 'channels',
    optimistic: ({ channel_id, title, events, mode, hour, active }) =>
      patchChannels(owner, (items) =>
        items.map((one) =>
          one.channel_id === channel_id
            ? {
                ...one,
                ...(title !== undefined && { title }),
                ...(events && { events }),
                ...(mode && { mode }),
                ...(hour !== undefined && { hour }),
                ...(active !== undefined && { active }),
              }
            : one,
        ),
      ),
    onLast: reloadChannels,
    onFailed: showError,
  })
  return mutate
}

export function useChannelDeletion(owner: Owner) {
  const { mutateAsync } = useOperationMutation('channels.delete', {
    optimistic: ({ channel_id }) =>
      patchChannels(owner, (items) => items.filter((one) => one.channel_id !== channel_id)),
    onFailed: showError,
  })
  return ({ channel_id, title }: Channel) =>
    // The line of the channel is gone by then, and with it what `mutate` would call.
    void mutateAsync({ channel_id }).then(
      () => showToast(t('common.deleted_title', { title })),
      () => {},
    )
}

/** Gives a webhook a new secret, which is then shown once. */
export function useSecretRotation() {
  const [secret, setSecret] = useState<string>()
  const { mutate } = useOperationMutation('channels.rotate', {
    onDone: (rotated) => setSecret(rotated.secret),
    onFailed: showError,
  })
  const rotate = ({ channel_id }: Channel) => mutate({ channel_id })
  return { secret, rotate, forget: () => setSecret(undefined) }
}

/** Sends a test message and shows the result. */
export function useChannelTest() {
  const { mutate, busy } = useOperationMutation('channels.test', {
    onDone: ({ sent, error }) => {
      if (sent) showToast(t('settings.test_message_sent'))
      else showError(new Error(t('settings.last_message_failed_error', { error: error ?? '' })))
      reloadChannels()
    },
    onFailed: showError,
  })
  return { send: ({ channel_id }: Channel) => mutate({ channel_id }), isSending: busy }
}
