import { t } from '../../../messages/t.ts'
import { type Channel, type ChannelEvent, type Owner, useChannelUpdate } from './data.ts'
import './matrix.css'

interface Props {
  owner: Owner
  channels: readonly Channel[]
  events: readonly (readonly [ChannelEvent, string])[]
  /** The inbox gets everything, which a row of checked boxes shows. */
  hasInbox?: boolean
}

/** Which event goes to which channel. */
export function Matrix({ owner, channels, events, hasInbox = false }: Props) {
  const change = useChannelUpdate(owner)
  const toggle = (channel: Channel, event: ChannelEvent) => {
    const { channel_id, events: before } = channel
    const isOn = before.includes(event)
    change({
      channel_id,
      events: isOn ? before.filter((one) => one !== event) : [...before, event],
    })
  }
  return (
    <div className="matrix">
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span className="unseen">{t('settings.event')}</span>
            </th>
            {hasInbox && <th scope="col">{t('settings.inbox')}</th>}
            {channels.map(({ channel_id, title }) => (
              <th key={channel_id} scope="col">
                <bdi>{title}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {events.map(([event, name]) => (
            <tr key={event}>
              <th scope="row">{name}</th>
              {hasInbox && (
                <td>
                  <input
                    type="checkbox"
                    checked
                    disabled
                    aria-label={t('settings.event_to_channel', {
                      event: name,
                      channel: t('settings.inbox'),
                    })}
                  />
                </td>
              )}
              {channels.map((channel) => (
                <Cell key={channel.channel_id} {...{ channel, event, name, toggle }} />
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('settings.when')}</th>
            {hasInbox && <td className="soft">{t('settings.now')}</td>}
            {channels.map((channel) => (
              <td key={channel.channel_id}>
                <WhenSelect channel={channel} change={change} />
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

interface CellProps {
  channel: Channel
  event: ChannelEvent
  name: string
  toggle(channel: Channel, event: ChannelEvent): void
}

const Cell = ({ channel, event, name, toggle }: CellProps) => (
  <td>
    <label>
      <span className="unseen">
        {t('settings.event_to_channel', { event: name, channel: channel.title })}
      </span>
      <input
        type="checkbox"
        checked={channel.events.includes(event)}
        onChange={() => toggle(channel, event)}
      />
    </label>
  </td>
)

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

interface WhenProps {
  channel: Channel
  change: ReturnType<typeof useChannelUpdate>
}

/** At once, or everything in one message a day. */
const WhenSelect = ({ channel: { channel_id, title, mode, hour }, change }: WhenProps) => (
  <select
    className="field"
    aria-label={t('settings.event_to_channel', { event: t('settings.when'), channel: title })}
    value={mode === 'now' ? 'now' : String(hour)}
    onChange={({ target: { value } }) =>
      change(
        value === 'now'
          ? { channel_id, mode: 'now' }
          : { channel_id, mode: 'daily', hour: Number(value) },
      )
    }
  >
    <option value="now">{t('settings.now')}</option>
    {HOURS.map((one) => (
      <option key={one} value={String(one)}>
        {t('settings.daily_at_time', { time: `${String(one).padStart(2, '0')}:00` })}
      </option>
    ))}
  </select>
)
