import { type ReactNode, useState } from 'react'
import { LoadError } from '../../../kit/load-error.tsx'
import { t } from '../../../messages/t.ts'
import { SettingsSection } from '../parts.tsx'
import { type Channel, type ChannelEvent, type Owner, useChannels } from './data.ts'
import { ChannelList } from './list.tsx'
import { Matrix } from './matrix.tsx'
import { NewChannelForm } from './new-channel.tsx'

interface Props {
  owner: Owner
  events: readonly (readonly [ChannelEvent, string])[]
  about: string
  /** Slack sends to it what is pressed in a channel of a person. */
  serverUrl?: string
  hasInbox?: boolean
  /** Shown above the list. */
  children?(channels: readonly Channel[]): ReactNode
}

/** The channels of a person, a board or a team, and what goes to each of them. */
export function Channels({ owner, events, about, serverUrl, hasInbox = false, children }: Props) {
  const list = useChannels(owner)
  const [isAdding, setAdding] = useState(false)
  const channels = list.data?.items ?? []
  return (
    <SettingsSection title={t('settings.channels')} about={about}>
      <LoadError of={list} what={t('settings.channels')} />
      {list.data && children?.(channels)}
      <ChannelList {...{ owner, channels, serverUrl }} />
      {isAdding ? (
        <NewChannelForm owner={owner} onClose={() => setAdding(false)} />
      ) : (
        <div className="flex-wrap">
          <button type="button" className="button plain" onClick={() => setAdding(true)}>
            {t('settings.add_channel')}
          </button>
        </div>
      )}
      {channels.length > 0 && <Matrix {...{ owner, channels, events, hasInbox }} />}
    </SettingsSection>
  )
}
